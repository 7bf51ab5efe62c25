"""The tools shown in one turn."""

from collections.abc import Iterable, Iterator

from turnkey.tools.tool import Tool


class Toolset:
    """Tools by model-facing name, in a stable order."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools = {tool.name: tool for tool in tools}

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
