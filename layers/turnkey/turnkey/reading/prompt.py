"""The one small call that reads the facts: the conversation and nothing else, after a few worked examples.

The schema holds only what plain rules leave open: the kinds that the words allow, a quantity where there is a number.
Measured on SmolLM2-135M: with all five kinds open it picks the right one in 10 of 24; what is asked about it finds in
19 to 20 of 25; asked whether it is sure, it answers worse (docs/evals.md).
"""

import json
from collections.abc import Sequence
from typing import Any

from turnkey.models.chat import ChatRequest, Message
from turnkey.reading.facts import Kind, Suspicion

Said = Sequence[tuple[str, str]]
"""The conversation: pairs of "customer" or "agent" and what they wrote, oldest first."""

MAX_TOKENS = 90
EXCHANGES = 5
"""Messages of the conversation that are shown, the newest ones."""
CHARACTERS = 500
"""Of each. What "that" refers to is nearly always near."""

_NAMES = {"customer": "Customer", "agent": "Shop"}
_WORKED: tuple[tuple[str, Kind, str, int, list[str]], ...] = (
    (
        "Customer: Do you have wool scarves?\nShop: Yes, we have a red one.\nCustomer: Any others like that?",
        "items",
        "wool scarves",
        0,
        [],
    ),
    (
        "Customer: Show me three tents.\nShop: Here are three tents.\nCustomer: and sleeping bags?",
        "items",
        "sleeping bags",
        0,
        [],
    ),
    ("Customer: Can you show me four wooden toys under 20 euros?", "items", "wooden toys", 4, ["under 20 euros"]),
    (
        "Customer: Hi\nShop: Hello!\nCustomer: lamps by Ikea?\nShop: We have the Lampan for 9 EUR.\n"
        "Customer: Something cheaper?",
        "items",
        "lamps by Ikea",
        0,
        ["cheaper"],
    ),
    ("Customer: Anything for a boy who likes trains?", "items", "trains", 0, ["for a boy"]),
    (
        "Customer: Do you have tea from Japan?\nShop: Yes, Sencha and Matcha.\nCustomer: two more please",
        "items",
        "tea from Japan",
        2,
        [],
    ),
    (
        "Customer: What songs by Adele do you have?\nShop: We have Hello.\nCustomer: Draw a chart of those by year.",
        "chart",
        "songs by Adele",
        0,
        ["by year"],
    ),
    ("Customer: Is the parcel P17 on its way?", "lookup", "parcel P17", 0, []),
)
_PROPERTIES: dict[str, dict[str, Any]] = {
    "subject": {"type": "string", "maxLength": 80},
    "quantity": {"type": "integer", "minimum": 0, "maximum": 100},
    "constraints": {"type": "array", "items": {"type": "string", "maxLength": 40}, "maxItems": 4},
}


def facts_request(said: Said, suspicion: Suspicion, *, counted: bool, seconds: float) -> ChatRequest:
    """The request. `counted`: the message has a number in it."""
    properties = _properties(suspicion, counted)
    messages: list[Message] = []
    for conversation, kind, subject, quantity, constraints in _WORKED:
        values = {
            "kind": kind,
            "subject": subject,
            "quantity": quantity,
            "constraints": constraints,
        }
        answer = json.dumps({name: values[name] for name in properties}, ensure_ascii=False)
        messages += [{"role": "user", "content": conversation}, {"role": "assistant", "content": answer}]
    messages.append({"role": "user", "content": written(said)})
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return ChatRequest(messages=tuple(messages), max_tokens=MAX_TOKENS, seconds=seconds, answer_schema=schema)


def written(said: Said) -> str:
    """A line a message."""
    return "\n".join(f"{_NAMES[who]}: {' '.join(text[:CHARACTERS].split())}" for who, text in said[-EXCHANGES:])


def _properties(suspicion: Suspicion, counted: bool) -> dict[str, dict[str, Any]]:
    kinds = open_kinds(suspicion)
    return {
        **({"kind": {"type": "string", "enum": list(kinds)}} if len(kinds) > 1 else {}),
        "subject": _PROPERTIES["subject"],
        **({"quantity": _PROPERTIES["quantity"]} if counted else {}),
        "constraints": _PROPERTIES["constraints"],
    }


def open_kinds(suspicion: Suspicion) -> tuple[Kind, ...]:
    """What the model may choose from: "answer" is the way out where the words leave several kinds open and do not go on
    with what was handed over. Beside one kind alone, small models nearly always take it."""
    settled = suspicion.strong or suspicion.elliptical or len(suspicion.kinds) == 1
    return suspicion.kinds if settled else (*suspicion.kinds, "answer")
