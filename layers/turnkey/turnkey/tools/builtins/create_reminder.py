"""create_reminder: tells the customer something at a time that they named."""

from turnkey.tools.builtins.builtin import Builtin
from turnkey.tools.builtins.conversing import answers, asks, spoken_of
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
    if asks(situation, "reminder"):
        return True
    if not spoken_of(situation, "reminder", "reminding"):
        return False
    return asks(situation, "also") or (answers(situation) and not asks(situation, "reminders_kept", "change"))


BUILTIN = Builtin(TOOL, has_reason)
