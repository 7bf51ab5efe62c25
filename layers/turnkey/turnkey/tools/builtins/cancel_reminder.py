"""cancel_reminder: a reminder or follow-up that is not wanted any more."""

from turnkey.tools.builtins.builtin import Builtin
from turnkey.tools.builtins.reminding import kept_are_spoken_of
from turnkey.tools.builtins.situation import Situation
from turnkey.tools.tool import Hints, Tool

TOOL = Tool(
    name="cancel_reminder",
    server="",
    original_name="cancel_reminder",
    title="Cancel a reminder",
    description=("Cancel a reminder or follow-up that is still to come. Its id comes from list_reminders."),
    parameters={
        "type": "object",
        "properties": {
            "id": {"type": "string", "description": "Its id; the word latest for the newest one"},
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
