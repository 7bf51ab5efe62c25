"""show_items: hands a stored result over as cards, so that the model need not copy it. For turns that have a list."""

from collections.abc import Iterable

from turnkey.tools.builtins.builtin import Builtin
from turnkey.tools.builtins.situation import Situation
from turnkey.tools.tool import Hints, JsonObject, Tool

TOOL = Tool(
    name="show_items",
    server="",
    original_name="show_items",
    title="Show items",
    description=(
        "Show the items of a result to the customer as cards with picture, price and link. "
        "Use it instead of writing a list yourself."
    ),
    parameters={
        "type": "object",
        "properties": {
            "handle": {"type": "string", "description": "The result's handle, such as r1"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 10, "description": "How many to show at most"},
        },
        "required": ["handle"],
    },
    hints=Hints(read_only=True, destructive=False, idempotent=True),
    kind="items",
)
DEFAULT_LIMIT = 10


def has_reason(situation: Situation) -> bool:
    """Whether the turn has a list that came from a tool."""
    return any(
        getattr(step, "tool_kind", "") == "items" and getattr(step, "status", "") == "ok" and getattr(step, "items", 0)
        for step in situation.steps
    )


def limit(arguments: JsonObject) -> int:
    return int(arguments.get("limit") or DEFAULT_LIMIT)


def told(count: int, total: int, titles: Iterable[str]) -> str:
    """What the model is told of the cards: counts and a few words, nothing to copy."""
    return f"The customer now sees {count} of {total} items as cards: {'; '.join(titles)}. Do not list them again."


def no_list(handle: str) -> str:
    return f"There is no list {handle!r} with items in it in this turn: nothing was shown."


BUILTIN = Builtin(TOOL, has_reason, "tool_loop")
