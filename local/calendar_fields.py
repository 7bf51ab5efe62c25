"""The fields of a cron() expression: lists, ranges, steps, and the days that only a calendar knows (L, W, #)."""

import re
from calendar import monthrange
from collections.abc import Callable, Mapping
from datetime import date, timedelta

_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
MONTHS = {name: number for number, name in enumerate(_MONTHS, start=1)}
_DAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
DAYS_OF_WEEK = {name: number for number, name in enumerate(_DAYS, start=1)}

IsDay = Callable[[date], bool]
_WEEKDAY = re.compile(r"(\d\d?)W")
_LAST_OF = re.compile(r"(\w+)L")
_NTH = re.compile(r"(\w+)#([1-5])")


class InvalidField(ValueError):
    """A field that does not mean anything; the message says which and why."""


def numbers(field: str, text: str, low: int, high: int, names: Mapping[str, int] | None = None) -> frozenset[int]:
    """The numbers that a field such as `*`, `0,30`, `1-5`, `0/15` or `MON-FRI` stands for. Raises InvalidField."""
    found: set[int] = set()
    for entry in text.split(","):
        found |= _entry(field, entry, low, high, names or {})
    return frozenset(found)


def _entry(field: str, entry: str, low: int, high: int, names: Mapping[str, int]) -> set[int]:
    span, slash, step_text = entry.partition("/")
    step = _number(field, step_text, 1, high) if slash else 1
    if span == "*":
        return set(range(low, high + 1, step))
    first_text, dash, last_text = span.partition("-")
    first = _number(field, first_text, low, high, names)
    last = _number(field, last_text, low, high, names) if dash else high if slash else first
    if last < first:
        raise InvalidField(f"{field}: {entry} runs backwards")
    return set(range(first, last + 1, step))


def _number(field: str, text: str, low: int, high: int, names: Mapping[str, int] | None = None) -> int:
    value = (names or {}).get(text.upper())
    if value is None:
        value = int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else -1
    if not low <= value <= high:
        known = f" or {', '.join(names)}" if names else ""
        raise InvalidField(f"{field}: {text!r} is none of {low} to {high}{known}")
    return value


def days_of_month(text: str) -> IsDay:
    """Days by their number, `L` (the last), `LW` (the last weekday) and `15W` (the weekday nearest to the 15th)."""
    if text == "L":
        return lambda day: day == _last(day)
    if text == "LW":
        return lambda day: day == _nearest_weekday(_last(day))
    if nearest := _WEEKDAY.fullmatch(text):
        number = _number("day-of-month", nearest[1], 1, 31)
        return lambda day: number <= _last(day).day and day == _nearest_weekday(day.replace(day=number))
    days = numbers("day-of-month", text, 1, 31)
    return lambda day: day.day in days


def days_of_week(text: str, names: Mapping[str, int]) -> IsDay:
    """Days by their name or number (Sunday is 1), `FRIL` (the month's last Friday), `L` (Saturday) and `TUE#2` (the
    month's second Tuesday)."""
    if last := _LAST_OF.fullmatch(text):
        wanted = _number("day-of-week", last[1], 1, 7, names)
        return lambda day: _weekday(day) == wanted and (day + timedelta(days=7)).month != day.month
    if nth := _NTH.fullmatch(text):
        wanted, place = _number("day-of-week", nth[1], 1, 7, names), int(nth[2])
        return lambda day: _weekday(day) == wanted and (day.day - 1) // 7 + 1 == place
    days = frozenset({7}) if text == "L" else numbers("day-of-week", text, 1, 7, names)
    return lambda day: _weekday(day) in days


def _weekday(day: date) -> int:
    return day.isoweekday() % 7 + 1


def _last(day: date) -> date:
    return day.replace(day=monthrange(day.year, day.month)[1])


def _nearest_weekday(day: date) -> date:
    """`day`, or the Friday before or the Monday after it, whichever is nearer and in the same month."""
    if day.isoweekday() == 6:
        return day - timedelta(days=1) if day.day > 1 else day + timedelta(days=2)
    if day.isoweekday() == 7:
        return day + timedelta(days=1) if day != _last(day) else day - timedelta(days=2)
    return day
