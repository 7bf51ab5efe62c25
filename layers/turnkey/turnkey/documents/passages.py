"""Finding the one place in a document that a passage means."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from turnkey.documents import cleaning, folds
from turnkey.documents.folds import Span
from turnkey.documents.outcome import Refused
from turnkey.documents.places import is_between

_NEAR = 3
"""Near matches told at most."""
_NEAR_CHARACTERS = 160
_ALIKE = 0.6
_UNITS = 3_000
"""Lines and sentences looked at for near matches."""
_COMPARED = 300
_SEPARATOR = re.compile(r"(?<=[.!?。！？；;։؟।])\s*|[\r\n]+")


def find(text: str, passage: str) -> tuple[Span, ...]:
    """Everywhere that the passage stands, overlapping ones too: as it is, else with line ends and the composing of
    letters left out of account."""
    for wanted in dict.fromkeys((passage, cleaning.kept(passage), cleaning.unbroken(passage))):
        if wanted and (found := tuple(_as_it_is(text, wanted)) or tuple(_unseen_differences(text, wanted))):
            return found
    return ()


def one(text: str, passage: str) -> Span | Refused:
    """The one place. Refused with the number of places and what would help."""
    if not passage.strip():
        return Refused(why="The passage is empty: give the exact text that stands in the document.")
    found = find(text, passage)
    if len(found) == 1:
        return found[0]
    return _several(text, found) if found else _none(text, passage)


def line_of(text: str, place: int) -> int:
    """The number of the line, counted from 1."""
    return cleaning.unified(text[:place]).count("\n") + 1


def _as_it_is(text: str, wanted: str) -> Iterator[Span]:
    place = text.find(wanted)
    while place >= 0:
        end = place + len(wanted)
        if is_between(text, place) and is_between(text, end):
            yield place, end
        place = text.find(wanted, place + 1)


def _unseen_differences(text: str, wanted: str) -> Iterator[Span]:
    for start, end in folds.exactly(text).find(folds.exactly(wanted).text):
        if is_between(text, start) and is_between(text, end):
            yield start, end


def _several(text: str, found: tuple[Span, ...]) -> Refused:
    lines = ", ".join(str(line_of(text, start)) for start, _ in found[:10])
    more = " and others" if len(found) > 10 else ""
    return Refused(
        why=f"The passage stands {len(found)} times in the document (lines {lines}{more}), so nothing was changed. "
        "Give a longer passage, with the words around it, that stands there once."
    )


def _none(text: str, passage: str) -> Refused:
    near = tuple(_near(text, passage))
    if not near:
        told = "Nothing like it was found: read the document again." if text.strip() else "The document is empty."
    else:
        told = "The document has:\n" + "\n".join(f"line {number}: {shown}" for number, shown in near)
    return Refused(
        why="The passage stands 0 times in the document, so nothing was changed. Copy it exactly, with every sign and "
        f"blank. {told}"
    )


def _near(text: str, passage: str) -> list[tuple[int, str]]:
    """(line, what stands there) of what was probably meant, the best first."""
    rough = folds.roughly(passage.strip()).text
    same = list(folds.roughly(text).find(rough))[:_NEAR]
    if same:
        return [(line_of(text, start), _short(text[start:end])) for start, end in same]
    return [(line_of(text, place), _short(unit)) for _, place, unit in _alike(text, passage)]


def _alike(text: str, passage: str) -> list[tuple[float, int, str]]:
    wanted = " ".join(passage.split())[:_COMPARED].casefold()
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    found: list[tuple[float, int, str]] = []
    for place, unit in _units(text):
        matcher.set_seq1(" ".join(unit.split())[:_COMPARED].casefold())
        if matcher.real_quick_ratio() >= _ALIKE and matcher.quick_ratio() >= _ALIKE:
            found.append((matcher.ratio(), -place, unit))
    best = sorted((one for one in found if one[0] >= _ALIKE), reverse=True)[:_NEAR]
    return [(ratio, -place, unit) for ratio, place, unit in best]


def _units(text: str) -> Iterator[tuple[int, str]]:
    """Lines, and sentences within them, with their places."""
    place = count = 0
    for found in _SEPARATOR.finditer(text):
        unit = text[place : found.start()]
        if unit.strip():
            yield place, unit.strip()
            count += 1
        place = found.end()
        if count >= _UNITS:
            return
    if text[place:].strip():
        yield place, text[place:].strip()


def _short(text: str) -> str:
    shown = cleaning.shown(text)
    return shown if len(shown) <= _NEAR_CHARACTERS else f"{shown[:_NEAR_CHARACTERS]}…"
