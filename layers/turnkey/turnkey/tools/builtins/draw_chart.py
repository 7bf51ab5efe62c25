"""draw_chart: a picture of a result's rows, counted or aggregated over all of them. Drawn by a function of its own."""

from turnkey.tools.builtins.builtin import Builtin
from turnkey.tools.builtins.situation import Situation
from turnkey.tools.tool import Hints, Tool

TOOL = Tool(
    name="draw_chart",
    server="",
    original_name="draw_chart",
    title="Draw a chart",
    description=(
        "Draw a chart of a result's rows and show it to the customer. It counts all rows of the result, those not "
        "shown here too. Use it only when the customer asks for a chart, a diagram or a picture of the figures."
    ),
    parameters={
        "type": "object",
        "properties": {
            "handle": {"type": "string", "description": "The result's handle, such as r1"},
            "group_by": {"type": "string", "description": "The rows' field to group by, such as language"},
            "measure": {
                "type": "string",
                "default": "count",
                "description": "count, or sum, average, min or max of a field, such as average:price",
            },
            "kind": {"type": "string", "enum": ["bar", "line", "pie"], "description": "Leave out to let it be chosen"},
        },
        "required": ["handle", "group_by"],
    },
    hints=Hints(read_only=True, destructive=False, idempotent=True),
    kind="chart",
)

_FEWEST = 2
"""Rows below which there is nothing to draw."""


def has_reason(situation: Situation) -> bool:
    """Whether the turn has a list that came from a tool."""
    return any(
        getattr(step, "tool_kind", "") == "items"
        and getattr(step, "status", "") == "ok"
        and getattr(step, "items", 0) >= _FEWEST
        for step in situation.steps
    )


def told(title: str, alt: str) -> str:
    """What the model is told of the picture."""
    return f"The customer now sees the chart “{title}”. It shows: {alt}"


BUILTIN = Builtin(TOOL, has_reason, "draw")
