"""Built-in tools: one module each, with TOOL and a rule for when a turn has a reason to show it. What a tool does is in
`turnkey.doing`, but for those that only read the turn's own results."""

from collections.abc import Iterator

from turnkey.tools.builtins import (
    cancel_reminder,
    capture_contact,
    change_reminder,
    create_reminder,
    draw_chart,
    edit_document,
    find_tools,
    forget_contact,
    hand_to_person,
    invoke_skill,
    list_reminders,
    read_more,
    read_page,
    schedule_follow_up,
    search_web,
    show_items,
)
from turnkey.tools.builtins.builtin import Builtin, Place
from turnkey.tools.builtins.situation import Known, Said, Situation, SkillHead, Standing
from turnkey.tools.tool import Tool

__all__ = [
    "BUILTINS",
    "NAMES",
    "TOOLS",
    "Builtin",
    "Known",
    "Place",
    "Said",
    "Situation",
    "SkillHead",
    "Standing",
    "attached",
    "place_of",
]

BUILTINS = (
    read_more.BUILTIN,
    show_items.BUILTIN,
    draw_chart.BUILTIN,
    find_tools.BUILTIN,
    create_reminder.BUILTIN,
    schedule_follow_up.BUILTIN,
    list_reminders.BUILTIN,
    change_reminder.BUILTIN,
    cancel_reminder.BUILTIN,
    capture_contact.BUILTIN,
    forget_contact.BUILTIN,
    invoke_skill.BUILTIN,
    edit_document.BUILTIN,
    search_web.BUILTIN,
    read_page.BUILTIN,
    hand_to_person.BUILTIN,
)
TOOLS = tuple(builtin.tool for builtin in BUILTINS)
NAMES = tuple(tool.name for tool in TOOLS)
"""Names that no tenant's tool gets."""
_PLACES: dict[str, Place] = {builtin.name: builtin.place for builtin in BUILTINS}


def place_of(name: str) -> Place:
    """The function that makes the calls of a tool; those of a server are the loop's own."""
    return _PLACES.get(name, "tool_loop")


def attached(situation: Situation) -> Iterator[Tool]:
    """Those that the turn has a reason for, as it shows them. One that the turn has called stays, whatever is said
    meanwhile: endpoints want the definition of what the conversation has a call of."""
    called = {call.name for step in situation.steps if (call := getattr(step, "call", None)) and not call.problem}
    reasons = (builtin for builtin in BUILTINS if builtin.name in called or builtin.has_reason(situation))
    return (builtin.shown(builtin.tool, situation) for builtin in reasons)
