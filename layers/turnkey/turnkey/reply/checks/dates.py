"""Dates in a text: 2026-12-04, 4.12.2026, 4 December, December 4th, 12月4日, 4 декабря."""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from functools import cache
from typing import NamedTuple

from turnkey.reply.checks.spans import ALONE, blanked
from turnkey.reply.checks.vocabulary import Vocabulary

_YEAR_FIRST = re.compile(
    r"(?<!\d)(?P<y>\d{4})(?:[-/]|\. ?|年 ?|년 ?)(?P<m>\d{1,2})(?:[-/]|\. ?|月 ?|월 ?)(?P<d>\d{1,2})(?!\d)(?:日|일|号)?"
)
_COMPACT = re.compile(r"(?<!\d)(?P<y>20\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>[0-3]\d)(?!\d)")
_BARE_CJK = re.compile(r"(?<!\d)(?P<m>\d{1,2})(?:月|월) ?(?P<d>\d{1,2})(?:日|일|号|號)")
_NUMERIC = re.compile(rf"{ALONE}(?P<a>\d{{1,2}})(?P<s>[./-])(?P<b>\d{{1,2}})(?P=s)(?P<y>\d{{4}}|\d{{2}})(?![\d-])")
_NO_YEAR = re.compile(rf"{ALONE}(?P<a>\d{{1,2}})\.(?P<b>\d{{1,2}})\.(?!\d)")
_SLASHED = re.compile(rf"{ALONE}(?P<a>\d{{1,2}})/(?P<b>\d{{1,2}})(?![\d/])")
_AROUND = 16
# Between a weekday and its date: "Friday, the 4th", "Freitag, dem 4."; behind the date marks alone.
_LINK, _MARKS = re.compile(r"[\s,.(]*(?:[^\W\d]{1,4}\s)?"), re.compile(r"[\s,.(]*")


class When(NamedTuple):
    """A date as written. `days` are the (month, day) it may mean; `weekday` is 0 for Monday, None where not given."""

    start: int
    end: int
    year: int | None
    days: frozenset[tuple[int, int]]
    weekday: int | None


def dates(folded: str, words: Vocabulary, *, slashed: bool = False) -> Iterator[When]:
    """Dates in folded text. `slashed` also takes 4/12 for one, as a ledger may hold it."""
    left = folded
    patterns = (_YEAR_FIRST, _COMPACT, _BARE_CJK, *_named(words), _NUMERIC, _NO_YEAR, *([_SLASHED] if slashed else []))
    for pattern in patterns:
        taken = [(found, days) for found in pattern.finditer(left) if (days := _days(found, words))]
        left = blanked(left, (found.span() for found, _ in taken))
        for found, days in taken:
            yield When(*found.span(), _year(found), days, _weekday(folded, *found.span(), words))


def agrees(when: When, known: Iterable[When]) -> bool:
    """Whether a date stands in the ledger, with the weekday that its year gives it."""
    for one in known:
        years_agree = when.year is None or one.year is None or when.year == one.year
        if years_agree and when.days & one.days and _right_weekday(when, one):
            return True
    return False


def _right_weekday(when: When, known: When) -> bool:
    year = when.year or known.year
    if when.weekday is None or year is None:
        return True
    return any(_weekday_of(year, month, day) == when.weekday for month, day in when.days & known.days)


def _weekday_of(year: int, month: int, day: int) -> int | None:
    try:
        return date(year, month, day).weekday()
    except ValueError:
        return None


@cache
def _named(words: Vocabulary) -> tuple[re.Pattern[str], ...]:
    month, join = f"(?P<name>{words.any_month})", f"(?:{words.one_of('join')}|)"
    year = r"(?:,? ?(?:de |del |of )?(?P<y>\d{4}))?"
    day = rf"{ALONE}(?P<d>\d{{1,2}})"
    return (
        re.compile(rf"{day}{join} ?(?:de )?{month}(?![a-zà-ÿа-я])\.?{year}(?!\d)"),
        re.compile(rf"(?<![a-zà-ÿа-я]){month}\.? {day}(?:st|nd|rd|th)?(?![\d:.,]?\d){year}"),
    )


def _days(found: re.Match[str], words: Vocabulary) -> frozenset[tuple[int, int]]:
    groups = found.groupdict()
    if "name" in groups:
        name = groups["name"]
        months = [place for place, month in enumerate(words.months, 1) if month.fullmatch(name)]
        pairs = [(month, int(groups["d"])) for month in months]
    elif "a" in groups:
        first, second = int(groups["a"]), int(groups["b"])
        pairs = [(second, first), (first, second)]
    else:
        pairs = [(int(groups["m"]), int(groups["d"]))]
    return frozenset((month, day) for month, day in pairs if 1 <= month <= 12 and 1 <= day <= 31)


def _year(found: re.Match[str]) -> int | None:
    year = found.groupdict().get("y")
    if not year:
        return None
    return int(year) + (2000 if len(year) == 2 else 0)


def _weekday(folded: str, start: int, end: int, words: Vocabulary) -> int | None:
    """The weekday named right before or behind the date, with no more than an article between."""
    lead, tail = folded[max(0, start - _AROUND) : start], folded[end : end + _AROUND]
    for place, day in enumerate(words.weekdays):
        if any(_LINK.fullmatch(lead, found.end()) for found in day.finditer(lead)):
            return place
        if any(_MARKS.fullmatch(tail, 0, found.start()) for found in day.finditer(tail)):
            return place
    return None
