"""The sentence the platform composes so that the one tool that is meant gets called. Plain text from plain values."""

import json

from turnkey.tools import JsonObject
from turnkey.values import Value


class Directive(Value):
    """`sentence` goes to the model with that one tool; the call stays the model's own (no forced tool choice)."""

    tool: str
    arguments: JsonObject
    sentence: str


def compose(tool: str, arguments: JsonObject) -> Directive:
    """Such as: Call search_books with {"query": "whales", "limit": 5}

    In this form the embedded 135M model copies name and values right in 70 of 70 tries (docs/models.md)."""
    sentence = f"Call {tool} with {json.dumps(arguments, ensure_ascii=False)}"
    return Directive(tool=tool, arguments=arguments, sentence=sentence)
