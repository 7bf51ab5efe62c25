"""invoke_skill: loads the instructions, and the tools, that the tenant has written down for a task."""

from turnkey.tools.builtins.builtin import Builtin
from turnkey.tools.builtins.situation import Situation
from turnkey.tools.tool import Hints, Tool

TOOL = Tool(
    name="invoke_skill",
    server="",
    original_name="invoke_skill",
    title="Use a skill",
    description=("Load the instructions for a task before you do it."),
    parameters={
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "The skill's name"},
        },
        "required": ["name"],
    },
    hints=Hints(read_only=True, destructive=False, idempotent=True),
    kind="lookup",
)


def has_reason(situation: Situation) -> bool:
    """Whether the agent has skills that are not loaded yet."""
    return bool(situation.known.skills)


BUILTIN = Builtin(TOOL, has_reason, "tool_loop")
