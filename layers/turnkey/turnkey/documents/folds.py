"""Texts in which the same thing is always written the same way, and where each piece of them came from."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from turnkey.documents.places import continues

Span = tuple[int, int]
Fold = Callable[[str], str]
_QUOTES = str.maketrans("‘’‚‛′`´“”„‟″«»‐‑‒–—―−", "'''''''\"\"\"\"\"\"\"-------")


@dataclass(frozen=True)
class Folded:
    """`starts[i]` is where in the original the piece begins that became `text[i]`; the last entry is its length."""

    text: str
    starts: tuple[int, ...]

    def find(self, wanted: str) -> Iterator[Span]:
        """Where it stands, overlapping ones too, as spans of the original; never a part of a piece."""
        place = self.text.find(wanted)
        while wanted and place >= 0:
            end = place + len(wanted)
            if self._is_edge(place) and self._is_edge(end):
                yield self.starts[place], self.starts[end]
            place = self.text.find(wanted, place + 1)

    def _is_edge(self, place: int) -> bool:
        return place == 0 or self.starts[place] != self.starts[place - 1]


def exactly(text: str) -> Folded:
    """Line ends as newlines, and letters composed: differences that nobody can see."""
    return _folded(text, lambda piece: "\n" if piece in ("\r", "\r\n") else unicodedata.normalize("NFC", piece))


def roughly(text: str) -> Folded:
    """Blanks, case, quotes and dashes do not matter either: for telling where a passage probably stands."""
    return _folded(text, _rough, blanks=True)


def _rough(piece: str) -> str:
    return " " if piece.isspace() else unicodedata.normalize("NFKC", piece).casefold().translate(_QUOTES)


def _folded(text: str, fold: Fold, *, blanks: bool = False) -> Folded:
    parts: list[str] = []
    starts: list[int] = []
    for start, piece in _pieces(text, blanks=blanks):
        part = fold(piece)
        parts.append(part)
        starts += [start] * len(part)
    return Folded("".join(parts), (*starts, len(text)))


def _pieces(text: str, *, blanks: bool) -> Iterator[tuple[int, str]]:
    """Characters as readers see them, a line end as one; with `blanks` a run of blanks as one."""
    if text.isascii():
        for found in re.finditer(r"\s+|." if blanks else r"\r\n|[\s\S]", text):
            yield found.start(), found[0]
        return
    start = 0
    for place in range(1, len(text) + 1):
        if place < len(text) and _is_one(text, place, blanks=blanks):
            continue
        yield start, text[start:place]
        start = place


def _is_one(text: str, place: int, *, blanks: bool) -> bool:
    before, behind = text[place - 1], text[place]
    return (before, behind) == ("\r", "\n") or continues(behind) or (blanks and before.isspace() and behind.isspace())
