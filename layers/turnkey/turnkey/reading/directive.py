"""The sentence the platform composes so that the one tool that is meant gets called. Plain text from plain values."""

import json

from pydantic import Field

from turnkey.tools import JsonObject
from turnkey.values import Value


class Directive(Value):
    """`sentence` goes to the model with that one tool; the call stays the model's own (no forced tool choice)."""

    tool: str
    arguments: JsonObject
    missing: tuple[str, ...] = Field(default=(), description="required arguments that neither facts nor schema gave")
    sentence: str

    @property
    def complete(self) -> bool:
        """Whether the platform itself could make the call."""
        return not self.missing


def compose(tool: str, arguments: JsonObject, missing: tuple[str, ...] = ()) -> Directive:
    """Such as: Call search_books with {"query": "whales", "limit": 5}

    In this form the embedded 135M model copies name and values right in 70 of 70 tries (docs/models.md)."""
    sentence = f"Call {tool} with {json.dumps(arguments, ensure_ascii=False)}"
    if missing:
        names = ", ".join(missing)
        sentence += f" and with {names} from the conversation. If it does not give {names}, ask the customer for it."
    return Directive(tool=tool, arguments=arguments, missing=missing, sentence=sentence)
