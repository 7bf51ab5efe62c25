"""read_more: the rest of a result that was shown only in part. Shown once there is such a result in the turn."""

from collections.abc import Callable

from turnkey.tools.builtins.builtin import Builtin
from turnkey.tools.builtins.situation import Situation
from turnkey.tools.outcome import CallOutcome
from turnkey.tools.tool import Hints, JsonObject, Tool

TOOL = Tool(
    name="read_more",
    server="",
    original_name="read_more",
    title="Read more",
    description="Read the part of a result that was not shown. Use it only when the answer needs it.",
    parameters={
        "type": "object",
        "properties": {
            "handle": {"type": "string", "description": "The result's handle, such as r1"},
            "from": {
                "type": "integer",
                "minimum": 0,
                "description": "The next start that the result's notice gives",
            },
        },
        "required": ["handle", "from"],
    },
    hints=Hints(read_only=True, destructive=False, idempotent=True),
    kind="lookup",
)


def has_reason(situation: Situation) -> bool:
    """Whether the turn has a result that is not shown whole."""
    return any(getattr(step, "partial", False) for step in situation.steps)


def run(arguments: JsonObject, find: Callable[[str], str | None]) -> CallOutcome:
    """The whole result, to be shown from there on. `find` gives a handle's whole result, or None."""
    handle = str(arguments["handle"])
    whole = find(handle)
    if whole is None:
        return CallOutcome(status="error", text=f"There is no result {handle!r} to read on in this turn.")
    return CallOutcome(status="ok", text=whole, start=int(arguments["from"]), handle=handle)


BUILTIN = Builtin(TOOL, has_reason, "tool_loop")
