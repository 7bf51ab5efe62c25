"""find_tools: more of the tenant's tools, where it has more than a turn shows. What it finds is shown from then on."""

from collections.abc import Collection, Sequence

from turnkey.tools.builtins.builtin import Builtin
from turnkey.tools.builtins.situation import Situation
from turnkey.tools.outcome import CallOutcome
from turnkey.tools.tool import Hints, JsonObject, Tool
from turnkey.tools.toolset import Toolset

TOOL = Tool(
    name="find_tools",
    server="",
    original_name="find_tools",
    title="Find tools",
    description=(
        "Find more tools when none of those shown here can do what is asked. Say in a few words what it should do. "
        "Tools that are found can be called in your next answer."
    ),
    parameters={
        "type": "object",
        "properties": {
            "query": {
                "type": "string",
                "minLength": 1,
                "maxLength": 200,
                "description": "What the tool should do, such as: change the address of a customer",
            }
        },
        "required": ["query"],
    },
    hints=Hints(read_only=True, destructive=False, idempotent=True),
    kind="lookup",
)
MOST = 8
"""Tools found by one call."""
_SHORT = 160
"""Characters of a description."""


def has_reason(situation: Situation) -> bool:
    """Whether the tenant has more tools than are shown."""
    return situation.hidden_tools > 0


def best(ranked: Sequence[str], shown: Collection[str]) -> tuple[str, ...]:
    """The best of those that are not shown yet."""
    return tuple(name for name in ranked if name not in shown)[:MOST]


def told(arguments: JsonObject, names: Sequence[str], known: Toolset) -> CallOutcome:
    """What the model is told of the tools that were found."""
    tools = [tool for name in names if (tool := known.get(name))]
    if not tools:
        asked = str(arguments["query"])
        text = f"None of the other tools has to do with “{asked}”. Try other words, or say that it cannot be done here."
        return CallOutcome(status="ok", text=text)
    lines = (f"- {tool.name}: {_line(tool)}" for tool in tools)
    return CallOutcome(status="ok", text="\n".join(("These tools can be called from now on:", *lines)))


def _line(tool: Tool) -> str:
    text = " ".join(tool.description.split())
    short = text if len(text) <= _SHORT else f"{text[: _SHORT - 1].rstrip()}…"
    return f"{tool.title}. {short}" if tool.title and tool.title != text else short


BUILTIN = Builtin(TOOL, has_reason, "tool_loop")
