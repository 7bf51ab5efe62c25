"""What is quoted: code fences, inline code, quotation marks. Marks in it are text."""

import re
from bisect import bisect_left
from collections import deque
from functools import cached_property
from typing import NamedTuple

_RUNS = re.compile(r"`+")
_SIMPLE = re.compile(r"`[^`\n]{1,400}`(?!`)")
_FENCE_LINE = re.compile(r"^[ \t]*+(?P<fence>`{3,}|~{3,})[ \t]*+(?=$|<[|｜/])", re.MULTILINE)
_OPENER = re.compile(r"(?P<fence>`{3,}+|~{3,}+)(?P<info>[^\n`]*+)(?:\n|(?=[{\[]))")
_LONGEST_INLINE = 4_000
_NEAR = 400
_PAIRS = {"“": "”", "„": "“”", "«": "»", "「": "」", "『": "』", "‘": "’", "‹": "›"}
_ANY = re.compile(f"[\"'{''.join(_PAIRS)}]")
_OPEN_QUOTE = re.compile(r"(?:^|[\s(\[:])([\"'])(?=\S)")
_CLOSE_QUOTE = re.compile(r"[^\n]{0,400}?([\"'])(?=[\s.,;:!?)\]]|$)")


class Fence(NamedTuple):
    """A fence at `start`..`end` with what stands in it, and whether it is closed."""

    start: int
    end: int
    inner: int
    inner_end: int
    info: str
    closed: bool


class Code:
    """The code in one text."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _fence_lines(self) -> list[tuple[int, int, str]]:
        return [(found.start(), found.end(), found["fence"]) for found in _FENCE_LINE.finditer(self._text)]

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _, _ in self._fence_lines]

    @cached_property
    def _runs(self) -> dict[int, list[int]]:
        runs: dict[int, list[int]] = {}
        for found in _RUNS.finditer(self._text):
            runs.setdefault(found.end() - found.start(), []).append(found.start())
        return runs

    def fence(self, place: int) -> Fence | None:
        """The fence that opens here; one that is never closed holds the rest of the text."""
        opener = _OPENER.match(self._text, place)
        if opener is None:
            return None
        fence: str = opener["fence"]
        for number in range(bisect_left(self._starts, opener.end() - 1), len(self._starts)):
            start, end, closing = self._fence_lines[number]
            if start >= opener.end() and closing.startswith(fence):
                return Fence(place, end, opener.end(), start, opener["info"].strip(), True)
        cut = len(self._text.rstrip("`")) if fence.startswith("`") else len(self._text)
        return Fence(place, len(self._text), opener.end(), max(opener.end(), cut), opener["info"].strip(), False)

    def inline(self, place: int) -> int:
        """The end of the inline code that opens here, or of the backticks if nothing closes them in this paragraph."""
        simple = _SIMPLE.match(self._text, place)
        if simple:
            return simple.end()
        run = _RUNS.match(self._text, place)
        if run is None:
            return place + 1
        same = self._runs.get(run.end() - run.start(), [])
        number = bisect_left(same, run.end())
        if number == len(same) or same[number] - place > _LONGEST_INLINE:
            return run.end()
        return run.end() if "\n\n" in self._text[place : same[number]] else same[number] + len(run.group())


def quoted(text: str, start: int, end: int, floor: int = 0) -> bool:
    """Whether a stretch stands between quotation marks, on one line with both of them, the first behind `floor`."""
    low = max(start - _NEAR, floor)
    before = text[max(low, text.rfind("\n", low, start) + 1) : start]
    if not _ANY.search(before):
        return False
    after = text[end : end + _NEAR].split("\n", 1)[0]
    if not after:
        return False
    for opening, closings in _PAIRS.items():
        if opening in before and any(closing in after for closing in closings):
            inside = before[before.rfind(opening) + 1 :]
            if not any(closing in inside for closing in closings):
                return True
    return _plainly_quoted(before, after)


def _plainly_quoted(before: str, after: str) -> bool:
    """The same for marks that open and close alike."""
    if before[-1] in "\"'" and after[0] == before[-1]:
        return True
    opening = deque(_OPEN_QUOTE.finditer(before), maxlen=1)
    if not opening:
        return False
    return _closed(opening[0], before, after)


def _closed(opening: re.Match[str], before: str, after: str) -> bool:
    if before.count(opening[1], opening.end()) or opening[1] == "'":
        return False
    closing = _CLOSE_QUOTE.match(after)
    return closing is not None and closing[1] == opening[1] and after.count(closing[1]) == 1
