"""schedule_follow_up: the agent itself takes something up again at a later time, in a turn of its own."""

from turnkey.tools.builtins.builtin import Builtin
from turnkey.tools.builtins.conversing import asks
from turnkey.tools.builtins.reminding import goes_on
from turnkey.tools.builtins.situation import Situation
from turnkey.tools.tool import Hints, Tool

TOOL = Tool(
    name="schedule_follow_up",
    server="",
    original_name="schedule_follow_up",
    title="Schedule a follow-up",
    description=(
        "Take something up again at a later time by yourself: look it up then, and write to the customer. Give the "
        "time in the customer's own words."
    ),
    parameters={
        "type": "object",
        "properties": {
            "when": {"type": "string", "description": "The time in the customer's own words"},
            "task": {
                "type": "string",
                "description": "What you will do then, such as: check whether order 41 has shipped",
            },
        },
        "required": ["when", "task"],
    },
    hints=Hints(read_only=False, destructive=False, idempotent=True),
    kind="action",
)


def has_reason(situation: Situation) -> bool:
    """Whether the customer asks for something to be taken up later, or answers what the agent asks about it."""
    return asks(situation, "follow_up") or goes_on(situation, "follow_up")


BUILTIN = Builtin(TOOL, has_reason)
