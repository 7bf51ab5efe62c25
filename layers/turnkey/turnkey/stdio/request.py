"""What the function is asked, and what it answers."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from turnkey.values import Value

Message = dict[str, Any]
"""One JSON-RPC message."""
THE_TASK = {"taskId": "$task"}
"""As a request's parameters: the task that the answer before has begun, which nobody can name beforehand."""


class StdioRequest(Value):
    """`messages` are written in order; each request is answered before the next message is written."""

    # An error must not repeat a setting.
    model_config = ConfigDict(hide_input_in_errors=True)

    tenant: str = Field(default="", description="for the log alone")
    settings: dict[str, Annotated[str, Field(max_length=8192)]] = Field(default={}, repr=False)
    messages: tuple[Message, ...] = Field(min_length=1)
    seconds: float = Field(gt=0, le=900, description="for all of it, the process's start included")


class StdioFailure(Value):
    """`kind` is one of turnkey.mcp.failures. `begun`: more than the handshake was written, so it may have acted."""

    kind: Literal["TimedOut", "TooLarge", "InvalidAnswer", "ServerError", "Refused"]
    message: str
    begun: bool


class StdioAnswer(Value):
    """`messages` are the responses to the requests, those that came."""

    messages: tuple[Message, ...] = ()
    failure: StdioFailure | None = None
