"""change_reminder: another time or text for a reminder that is still to come."""

from turnkey.tools.builtins.builtin import Builtin
from turnkey.tools.builtins.reminding import kept_are_spoken_of
from turnkey.tools.builtins.situation import Situation
from turnkey.tools.tool import Hints, Tool

TOOL = Tool(
    name="change_reminder",
    server="",
    original_name="change_reminder",
    title="Change a reminder",
    description=(
        "Give a reminder or follow-up that is still to come another time or text. Its id comes from list_reminders."
    ),
    parameters={
        "type": "object",
        "properties": {
            "id": {"type": "string", "description": "Its id; the word latest for the newest one"},
            "when": {"type": "string", "description": "The new time in the customer's own words; left out: as it was"},
            "text": {"type": "string", "description": "The new text; left out: as it was"},
        },
        "required": ["id"],
    },
    hints=Hints(read_only=False, destructive=False, idempotent=True),
    kind="action",
)


def has_reason(situation: Situation) -> bool:
    """Whether there are reminders, and the customer speaks of them."""
    return kept_are_spoken_of(situation)


BUILTIN = Builtin(TOOL, has_reason)
