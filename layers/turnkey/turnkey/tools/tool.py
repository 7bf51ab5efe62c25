"""A tool as the platform holds it: what the model is shown, and the way back to the server that runs it."""

from typing import Literal

from pydantic import Field

from turnkey.tools.parameters import JsonObject, for_endpoints
from turnkey.values import Value

ToolKind = Literal["items", "chart", "action", "lookup"]
"""What a tool is for: it lists things, draws, changes something, or answers with one thing's values."""


MAX_DESCRIPTION = 1024
"""Characters of a function's description; several endpoints refuse more."""


CONFIRM = "The platform itself asks the customer to agree before it is done: call it, and do not ask them first."


def shortened(description: str, most: int = MAX_DESCRIPTION) -> str:
    """As much of it as endpoints take."""
    if len(description) <= most:
        return description
    return f"{description[: most - 1].rsplit(maxsplit=1)[0]}…"


class Hints(Value):
    """The server's own annotations. Absent ones take MCP's defaults, which assume the worst."""

    read_only: bool = False
    destructive: bool = True
    idempotent: bool = False

    @property
    def safe_to_repeat(self) -> bool:
        return self.read_only or self.idempotent


class CardFields(Value):
    """Which fields of an item make its card; empty ones are found by the output schema and the names."""

    items: str = Field(default="", description="the field that holds the list, where the result has several")
    title: str = Field(default="", description="the field with the item's name", examples=["title"])
    subtitle: str = Field(default="", description="the field with what stands under it", examples=["author"])
    price: str = Field(default="", description="the field with its price", examples=["price_eur"])
    image: str = Field(default="", description="the field with a picture's address", examples=["image_url"])
    link: str = Field(default="", description="the field with a page's address", examples=["url"])


class Tool(Value):
    """`name` is what the model sees; `original_name` is what `server` calls it."""

    name: str = Field(pattern=r"^[a-zA-Z0-9_-]{1,64}$")
    server: str
    original_name: str
    title: str = ""
    description: str
    parameters: JsonObject = Field(description="plain JSON schema of the arguments, see turnkey.mcp.schemas")
    input_schema: JsonObject | None = Field(default=None, description="the server's own; None: the same")
    output_schema: JsonObject | None = None
    hints: Hints = Hints()
    kind: ToolKind = "action"
    fields: CardFields = CardFields()
    words: tuple[str, ...] = Field(default=(), description="the tenant's own words for what it is for, any language")
    confirm: bool = Field(default=False, description="called only once the customer has agreed to this very call")

    @property
    def told(self) -> str:
        """The description as models are shown it."""
        if not self.confirm:
            return shortened(self.description)
        return f"{shortened(self.description, MAX_DESCRIPTION - len(CONFIRM) - 1)} {CONFIRM}"

    def as_function(self) -> JsonObject:
        """The tool in the form of the `tools` field of an OpenAI-compatible request."""
        description, parameters = self.told, for_endpoints(self.parameters)
        return {
            "type": "function",
            "function": {"name": self.name, "description": description, "parameters": parameters},
        }
