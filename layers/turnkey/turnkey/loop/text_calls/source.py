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


class Source:
    """`marks` is `text` with the look-alikes `｜` and `▁` written as `|` and `_`: same length, same places."""

    def __init__(self, text: str, tools: Iterable[ShownTool]) -> None:
        self.text = text
        self.marks = text.replace("｜", "|").replace("▁", "_")
        self.end = len(text)
        self.tools: dict[str, JsonObject] = {tool.name: tool.parameters for tool in tools}
        self._credit = len(text) + _GRACE

    def charge(self, start: int, end: int) -> None:
        """Pays for a reading that came to nothing. Readings that succeed are never read again and cost nothing, so
        all work is linear. Raises Exhausted."""
        self._credit -= _ATTEMPT + end - start
        if self._credit < 0:
            raise Exhausted

    def space(self, place: int) -> int:
        """The first place from here on that is no white space."""
        found = _SPACE.match(self.text, place)
        return found.end() if found else place

    def mark_at(self, place: int) -> Mark | None:
        found = MARK.match(self.marks, place)
        return mark(found) if found else None

    def marks_from(self, place: int) -> Iterator[Mark]:
        return (mark(found) for found in MARK.finditer(self.marks, place))

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

    def within(self, start: int, end: int) -> "Source":
        """The same tools and credit over a stretch of the text."""
        inner = Source(self.text[start:end], ())
        inner.tools = self.tools
        return inner
