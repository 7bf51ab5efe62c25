"""Dates as people and systems write them, at the precision they have: a year, a month, a day, an hour."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from functools import cache
from typing import Any, NamedTuple

from turnkey.deliverables.charts.vocabulary import LANGUAGES, phrase
from turnkey.deliverables.charts.words import fold

_TIME = r"(?:(?:T|,?\s+)(?P<hour>\d{1,2}):\d{2}.{0,24})?"
_ORDINAL = r"(?:st|nd|rd|th|er|º|ª|\.)?"
_WEEKDAY = r"(?:[^\W\d_]{2,12}\.?,?\s+)?"
_NAME = r"(?P<name>[^\W\d_]{3,12})\.?"
_DATES = tuple(
    re.compile(pattern + _TIME)
    for pattern in (
        r"(?P<year>-?\d{4})-(?P<month>\d{1,2})(?:-(?P<day>\d{1,2}))?",
        r"(?P<year>\d{4})(?P<mark>[/.])\s?(?P<month>\d{1,2})(?:(?P=mark)\s?(?P<day>\d{1,2})\.?)?",
        r"(?P<year>\d{4})\s?[年년]\s?(?:(?P<month>\d{1,2})\s?[月월]\s?(?:(?P<day>\d{1,2})\s?[日일])?)?",
        r"(?P<first>\d{1,2})(?P<mark>[/.-])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4})",
        rf"{_WEEKDAY}(?P<day>\d{{1,2}}){_ORDINAL}\s+(?:de\s+)?{_NAME},?\s+(?:de\s+)?(?P<year>\d{{4}})",
        rf"{_WEEKDAY}{_NAME}\s+(?P<day>\d{{1,2}}){_ORDINAL},?\s+(?P<year>\d{{4}})",
        rf"{_NAME},?\s+(?:de\s+)?(?P<year>\d{{4}})",
    )
)
_YEAR = re.compile(r"-?\d{1,4}(?:\.0)?")
_EPOCH = re.compile(r"\d{10}(?:\.\d+)?|\d{13}")
_LONGEST = 48
_MILLISECONDS = 10**12
_FIRST_YEAR, _LAST_YEAR = -3000, 2200
_MONTHS = 12
_NAME_LENGTH = 3


class Moment(NamedTuple):
    """A point in time; what is not known of it is 0, the hour -1. Years before 1 are negative or 0."""

    year: int
    month: int = 0
    day: int = 0
    hour: int = -1


def read_moments(values: Iterable[Any], timely: bool) -> list[Moment | None]:
    """A column's values as dates, None for what is none. Read together, since 03/04/2024 alone may be either.

    `timely`: the field's name speaks of time, so that bare years and seconds since 1970 count too."""
    column = [(value, _match(value)) for value in values]
    day_first = _day_first(found for _, found in column if found)
    return [_moment(found, day_first) if found else _bare(value) if timely else None for value, found in column]


def _match(value: Any) -> re.Match[str] | None:
    text = value.strip() if isinstance(value, str) and len(value) <= _LONGEST else ""
    if not text or not any(character.isdigit() for character in text):
        return None
    return next((found for pattern in _DATES if (found := pattern.fullmatch(text))), None)


def _day_first(matches: Iterator[re.Match[str]]) -> bool:
    """Whether 03/04 is the third of April: yes, as in most of the world, unless a value proves otherwise."""
    pairs = [found for found in matches if "second" in found.re.groupindex]
    swapped = sum(int(found["second"]) > _MONTHS for found in pairs)
    proven = sum(int(found["first"]) > _MONTHS for found in pairs)
    return swapped <= proven


def _moment(found: re.Match[str], day_first: bool) -> Moment | None:
    parts = found.groupdict()
    month, day = parts.get("month"), parts.get("day")
    if parts.get("second"):
        month, day = (parts["second"], parts["first"]) if day_first else (parts["first"], parts["second"])
    if parts.get("name"):
        month = str(_named(parts["name"]))
    return _checked(int(parts["year"]), int(month or 0), int(day or 0), int(parts.get("hour") or -1), bool(month))


def _checked(year: int, month: int, day: int, hour: int, has_month: bool) -> Moment | None:
    if has_month and not 1 <= month <= _MONTHS:
        return None
    if day and (year < 1 or not _exists(year, month, day)):
        return None
    return Moment(year, month, day, hour)


def _exists(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _bare(value: Any) -> Moment | None:
    """A year, or seconds or milliseconds since 1970."""
    text = str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
    if _EPOCH.fullmatch(text):
        seconds = float(text) / (1000 if float(text) >= _MILLISECONDS else 1)
        moment = datetime.fromtimestamp(seconds, UTC)
        return Moment(moment.year, moment.month, moment.day, moment.hour)
    if _YEAR.fullmatch(text) and _FIRST_YEAR <= float(text) <= _LAST_YEAR:
        return Moment(int(float(text)))
    return None


def _named(name: str) -> int:
    """The month that the name begins with the abbreviation of, in whatever language and case; 0 for none."""
    folded = fold(name)
    known = sorted(_month_names().items(), key=lambda pair: -len(pair[0]))
    return next((month for short, month in known if folded.startswith(short)), 0)


@cache
def _month_names() -> dict[str, int]:
    """Folded abbreviations of all languages -> 1 to 12."""
    names = {"мая": 5}
    for language in LANGUAGES:
        for number, name in enumerate(phrase("months", language).split(), start=1):
            short = fold(name).rstrip(".")
            if len(short) >= _NAME_LENGTH and not short[0].isdigit():
                names[short] = number
    return names
