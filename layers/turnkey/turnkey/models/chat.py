"""What is asked of a model and what it answers, in the words of the chat completions API."""

from collections.abc import Callable
from typing import Any

from pydantic import Field

from turnkey.tenancy.settings import CallFormat
from turnkey.values import Value

Message = dict[str, Any]
"""A chat message: role, content, and for tool calls tool_calls or tool_call_id."""


class Endpoint(Value):
    """Where a model is. `guarded` endpoints are named by a tenant and go through the network guard."""

    base_url: str
    api_key: str = Field(repr=False)
    read_key_again: Callable[[], str] | None = Field(
        default=None, exclude=True, repr=False, description="past the cache, for when the endpoint refuses the key"
    )
    main: str
    small: str
    call_format: CallFormat = "native"
    guarded: bool = True


class ChatRequest(Value):
    """`tools` is the tools field, in its wire form. There is no tool_choice: it is always auto."""

    messages: tuple[Message, ...]
    tools: tuple[dict[str, Any], ...] = ()
    max_tokens: int = 1024
    temperature: float = 0.0
    seconds: float = 60.0
    answer_schema: dict[str, Any] | None = Field(
        default=None, description="JSON schema of the answer, for endpoints that have response_format"
    )

    @property
    def characters(self) -> int:
        """Size of all that is sent, as text."""
        return sum(len(str(message)) for message in self.messages) + sum(len(str(tool)) for tool in self.tools)


class WireCall(Value):
    """A structured call as it came: `arguments` is whatever text the model wrote."""

    name: str
    arguments: str


class ChatAnswer(Value):
    text: str
    calls: tuple[WireCall, ...] = ()
    finish_reason: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    milliseconds: int = 0


def rough_tokens(characters: int) -> int:
    """For endpoints that count nothing: limits and quotas on tokens hold all the same."""
    return characters // 3
