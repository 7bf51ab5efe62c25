"""create_reminder: tells the customer something at a time that they named."""

from turnkey.tools.builtins.builtin import Builtin
from turnkey.tools.builtins.conversing import asks
from turnkey.tools.builtins.reminding import goes_on
from turnkey.tools.builtins.situation import Situation
from turnkey.tools.tool import Hints, Tool

TOOL = Tool(
    name="create_reminder",
    server="",
    original_name="create_reminder",
    title="Create a reminder",
    description=(
        "Remind the customer of something at a time that they named. Give the time in the customer's own words, such "
        "as: tomorrow at nine. Never work out a date yourself."
    ),
    parameters={
        "type": "object",
        "properties": {
            "when": {"type": "string", "description": "The time in the customer's own words"},
            "text": {"type": "string", "description": "What to remind them of, in their language"},
        },
        "required": ["when", "text"],
    },
    hints=Hints(read_only=False, destructive=False, idempotent=True),
    kind="action",
)


def has_reason(situation: Situation) -> bool:
    """Whether the customer asks to be reminded, answers what the agent asks about it, or wants one more."""
    return asks(situation, "reminder") or goes_on(situation, "reminder")


BUILTIN = Builtin(TOOL, has_reason)
