"""list_reminders: the reminders and follow-ups of this conversation that are still to come."""

from turnkey.tools.builtins.builtin import Builtin
from turnkey.tools.builtins.reminding import kept_are_spoken_of
from turnkey.tools.builtins.situation import Situation
from turnkey.tools.tool import Hints, Tool

TOOL = Tool(
    name="list_reminders",
    server="",
    original_name="list_reminders",
    title="List reminders",
    description=("List the reminders and follow-ups of this customer that are still to come, with their ids."),
    parameters={
        "type": "object",
        "properties": {},
        "required": [],
    },
    hints=Hints(read_only=True, destructive=False, idempotent=True),
    kind="lookup",
)


def has_reason(situation: Situation) -> bool:
    """Whether there are reminders, and the customer speaks of them."""
    return kept_are_spoken_of(situation)


BUILTIN = Builtin(TOOL, has_reason)
