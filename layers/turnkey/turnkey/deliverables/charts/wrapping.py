"""Labels in the room they have: how wide text will be, where it breaks, and its direction."""

import re
import unicodedata

from turnkey.deliverables.rows.slim import clean

ELLIPSIS = "…"
_WIDE = 1.0
_NARROW = {**dict.fromkeys("il.,:;'|!ıјії()[] ", 0.28), **dict.fromkeys("mwMWшщюжмШЩЮЖМ@%", 0.88)}
_CAPITAL, _LETTER = 0.66, 0.56
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_EMBED, _POP = "\u202b", "\u202c"


def width(text: str) -> float:
    """About how wide the text is, in widths of a Chinese character (its font size)."""
    return sum(_width(character) for character in text)


def _width(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return _WIDE
    return _NARROW.get(character) or (_CAPITAL if character.isupper() else _LETTER)


def wrap(text: str, room: float, lines: int = 1) -> list[str]:
    """The text in at most `lines` lines of width `room`, cut with … where it is longer."""
    left = " ".join(clean(text).split())
    found: list[str] = []
    while left and len(found) < lines - 1:
        line = left[: _fitting(left, room)]
        found.append(line.rstrip())
        left = left[len(line) :].lstrip()
    return [*found, cut(left, room)] if left or not found else found


def cut(text: str, room: float) -> str:
    if width(text) <= room:
        return text
    kept = 0
    while kept < len(text) and width(text[: kept + 1]) + _WIDE <= room:
        kept += 1
    return f"{text[:kept].rstrip()}{ELLIPSIS}"


def _fitting(text: str, room: float) -> int:
    """How many characters go on a line: to the end of a word, or between Chinese or Japanese characters; anywhere
    within a word that is longer than the line."""
    place = 0
    while place < len(text) and width(text[: place + 1].rstrip()) <= room:
        place += 1
    if place == len(text):
        return place
    break_at = next((at for at in range(place, 0, -1) if _may_break(text, at)), 0)
    return break_at or max(1, place)


def _may_break(text: str, at: int) -> bool:
    before, after = text[at - 1], text[at]
    wide = unicodedata.east_asian_width(before) == "W" and not unicodedata.name(before, "").startswith("HANGUL")
    return before in " -/–" or after == " " or (wide and unicodedata.category(after)[0] != "P")


def directed(line: str) -> str:
    """A line of Arabic or Hebrew marked as one that runs from right to left, whatever stands around it."""
    return f"{_EMBED}{line}{_POP}" if _RIGHT_TO_LEFT.search(line) else line


def is_right_to_left(language: str) -> bool:
    return language.split("-")[0].lower() in ("ar", "he", "fa", "ur")
