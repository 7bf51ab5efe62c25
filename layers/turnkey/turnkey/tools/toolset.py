"""The tools shown in one turn."""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, TypeVar

from turnkey.tools.tool import Tool

_Made = TypeVar("_Made")


class Toolset:
    """Tools by model-facing name, in a stable order."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._derived: dict[Callable[[Any], Any], Any] = {}

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def __contains__(self, name: str) -> bool:
        return name in self._tools

    def get(self, name: str) -> Tool | None:
        return self._tools.get(name)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._tools)

    def only(self, names: Iterable[str]) -> "Toolset":
        """The named ones among these, in the order of these."""
        wanted = set(names)
        return Toolset(tool for tool in self if tool.name in wanted)

    def without(self, names: Collection[str]) -> "Toolset":
        """The others; these themselves where none of them is named."""
        if not any(name in self._tools for name in names):
            return self
        return Toolset(tool for tool in self if tool.name not in names)

    def derived(self, make: Callable[["Toolset"], _Made]) -> _Made:
        """What `make` makes of these tools. Made once, and kept with them, so that 500 tools cost a turn no more than
        five once their Toolset is warm. `make` is a function of a module, the same one every time."""
        if make not in self._derived:
            self._derived[make] = make(self)
        return self._derived[make]
