"""Numbers as people write them: 12,90 and 12.90, 1.234,5 and 1,234.5, ٣ and 3 are the same in any language."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

# On folded text: digits are ASCII, blanks are one kind. A blank groups only whole threes.
NUMBER = re.compile(r"(?<!\d)(?<!\d[.,])\d{1,3}(?:[ ']\d{3})+(?:[.,]\d+)?(?![\d])|\d+(?:[.,]\d+)*")
_MULTIPLES = (
    (re.compile(r" ?(?:万|萬|만)"), 10**4),
    (re.compile(r" ?(?:億|亿|억)"), 10**8),
    (re.compile(r" ?(?:thousand|tausend|тыс|bin\b|mil\b|mila\b|mille\b|ألف|الف|k\b|千)"), 10**3),
    (re.compile(r" ?(?:million|millionen|millones|milhões|milioni|mio\b|mln|млн|milyon|مليون)"), 10**6),
)
_MOST_DIGITS = 30


class Number(NamedTuple):
    """A number in a text: where it stands, and what it may mean (1.234 is two numbers until a language is known)."""

    start: int
    end: int
    readings: frozenset[Decimal]


def numbers(folded: str) -> Iterator[Number]:
    """All of them, in order. Linear."""
    for found in NUMBER.finditer(folded):
        if len(found.group()) <= _MOST_DIGITS:
            readings = _readings(found.group())
            yield Number(found.start(), found.end(), readings | _multiplied(readings, folded, found.end()))


def _multiplied(readings: frozenset[Decimal], folded: str, end: int) -> frozenset[Decimal]:
    """The same times ten thousand where a word says so."""
    times = next((times for word, times in _MULTIPLES if word.match(folded, end)), 0)
    return frozenset(reading * times for reading in readings) if times else frozenset()


def _readings(written: str) -> frozenset[Decimal]:
    bare = written.replace(" ", "").replace("'", "")
    marks = [mark for mark in bare if mark in ".,"]
    parts = re.split(r"[.,]", bare)
    if not marks:
        return frozenset({Decimal(bare)})
    grouped = all(len(part) == 3 for part in parts[1:]) and 0 < len(parts[0]) <= 3 and parts[0] != "0"
    if len(marks) == 1:
        decimal = Decimal(".".join(parts))
        return frozenset({decimal, Decimal("".join(parts))} if grouped and bare == written else {decimal})
    if len(set(marks)) == 2 and marks[-1] not in marks[:-1]:
        return frozenset({Decimal("".join(parts[:-1]) + "." + parts[-1])})
    # 1.234.567, or else a version, a date: then each part is a number of its own.
    return frozenset({Decimal("".join(parts))} if grouped else {Decimal(part) for part in parts})
