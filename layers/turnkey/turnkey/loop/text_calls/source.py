"""The answer being read, the tools that guide the reading, and the bound on its work."""

import re
from collections.abc import Iterable, Iterator

from turnkey.loop.text_calls.marks import MARK, Mark, mark
from turnkey.loop.text_calls.values import Exhausted, ShownTool
from turnkey.mcp import schemas
from turnkey.tools import JsonObject

_SPACE = re.compile(r"\s*+")
_PREFIXES = ("functions.", "function.", "tools.", "default_api.")
_ATTEMPT = 16
"""What a failed attempt costs, besides the characters that it read."""
_GRACE = 20_000
_BROKEN = 150
_STRIPPED = 60
_LOOK = 12
MOST_CALLS = 128
"""Calls taken from one answer; a model that writes more has lost its way."""


class Source:
    """`marks` is `text` with the look-alikes `｜` and `▁` written as `|` and `_`: same length, same places."""

    def __init__(self, text: str, tools: Iterable[ShownTool]) -> None:
        self.text = text
        self.marks = text.replace("｜", "|").replace("▁", "_")
        self.end = len(text)
        self.tools: dict[str, JsonObject] = {tool.name: tool.parameters for tool in tools}
        self.unclosed: set[str] = set()
        """Marks that are known to have no closer any more: nobody looks for one again."""
        self.reasoned = False
        """Whether reasoning with both its marks was met."""
        self.acted = False
        """Whether words marked a call, as in ReAct: such words are then no prose."""
        self.cut_until = 0
        """The end of the last cut."""
        self.unfinished = -1
        """Where JSON began that the text ends in."""
        self._calls = 0
        self._credit = len(text) + _GRACE

    def charge(self, start: int, end: int) -> None:
        """Pays for a reading that came to nothing. Readings that succeed are never read again and cost nothing, so
        all work is linear. Raises Exhausted."""
        self._pay(_ATTEMPT + end - start)

    def charge_broken(self) -> None:
        """Pays for a mark, or a fence, with no call behind it. Raises Exhausted."""
        self._pay(_BROKEN)

    def charge_stripped(self) -> None:
        """Pays for a mark that is only taken out, or a line that was no call. Raises Exhausted."""
        self._pay(_STRIPPED)

    def charge_look(self) -> None:
        """Pays for a look at a line that begins no call. Raises Exhausted."""
        self._pay(_LOOK)

    def _pay(self, cost: int) -> None:
        self._credit -= cost
        if self._credit < 0:
            raise Exhausted

    def count(self, calls: int) -> None:
        """Raises Exhausted past MOST_CALLS."""
        self._calls += calls
        if self._calls > MOST_CALLS:
            raise Exhausted

    def space(self, place: int) -> int:
        """The first place from here on that is no white space."""
        found = _SPACE.match(self.text, place)
        return found.end() if found else place

    def behind_cut(self, place: int) -> bool:
        """Whether nothing but white space stands between the last cut and a place."""
        return self.cut_until > 0 and self.space(self.cut_until) >= place

    def mark_at(self, place: int) -> Mark | None:
        found = MARK.match(self.marks, place)
        return mark(found) if found else None

    def marks_from(self, place: int, end: int | None = None) -> Iterator[Mark]:
        return (mark(found) for found in MARK.finditer(self.marks, place, self.end if end is None else end))

    def known(self, name: str) -> str:
        """The shown tool of this name, with or without the prefix of a namespace; nothing else comes close enough."""
        name = name.strip()
        if name in self.tools:
            return name
        for prefix in _PREFIXES:
            if name.startswith(prefix) and name.removeprefix(prefix) in self.tools:
                return name.removeprefix(prefix)
        return ""

    def parameters(self, name: str) -> dict[str, JsonObject]:
        return schemas.properties(self.tools.get(name, {}))

    def over(self, text: str) -> "Source":
        """The same tools over another text."""
        other = Source(text, ())
        other.tools = self.tools
        return other
