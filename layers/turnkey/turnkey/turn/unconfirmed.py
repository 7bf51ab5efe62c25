"""A call that was not made: it waits for the customer's word. Plain."""

from datetime import datetime

from pydantic import Field

from turnkey.tools import JsonObject, Tool
from turnkey.values import Value


class Unconfirmed(Value):
    """The call as it was asked about: that one, and no other, is made once the customer agrees."""

    tool: str = Field(description="the model-facing name it had then")
    server: str
    original_name: str
    title: str
    arguments: JsonObject
    at: datetime

    def is_of(self, tool: Tool) -> bool:
        """Whether this is the tool that was asked about, whatever name the model sees it under by now."""
        return (self.server, self.original_name) == (tool.server, tool.original_name)
