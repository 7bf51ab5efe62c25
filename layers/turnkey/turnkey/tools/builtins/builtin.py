"""What a built-in tool is: its definition, its rule, and where it runs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from turnkey.tools.builtins.situation import Situation
from turnkey.tools.tool import Tool

Place = Literal["tool_loop", "draw", "assist", "browse"]
"""The function that makes the tool's calls: the loop's own, or one that carries what it needs."""


def _as_it_is(tool: Tool, _: Situation) -> Tool:
    return tool


@dataclass(frozen=True)
class Builtin:
    """`has_reason` says whether a turn is to show the tool. Without a reason, nothing of it is in the turn's prompt."""

    tool: Tool
    has_reason: Callable[[Situation], bool]
    place: Place = "assist"
    shown: Callable[[Tool, Situation], Tool] = _as_it_is
    """The tool as this turn shows it, where its definition depends on the conversation."""

    @property
    def name(self) -> str:
        return self.tool.name
