"""Periods that dates fall into: hours to centuries, as suits the span. A period is a number, the next is one more."""

from collections.abc import Sequence
from datetime import date
from typing import Literal

from turnkey.deliverables.charts.dates import Moment
from turnkey.deliverables.charts.vocabulary import phrase

Unit = Literal["hour", "day", "week", "month", "year", "decade", "century"]
UNITS: tuple[Unit, ...] = ("hour", "day", "week", "month", "year", "decade", "century")
_MOST: dict[Unit, int] = {"hour": 24, "day": 31, "week": 20, "month": 36, "year": 40, "decade": 40, "century": 60}
"""More periods than these are too many points to read."""
_MOST_ASKED = 120
_HOURS, _DAYS, _MONTHS = 24, 7, 12
_YEARS: dict[Unit, int] = {"year": 1, "decade": 10, "century": 100}


def choose_unit(moments: Sequence[Moment], asked: Unit | None = None) -> Unit:
    """The finest unit that all moments are precise enough for and that makes few enough points; `asked` for is taken
    where it is possible at all."""
    finest = max(UNITS.index(_precision(moment)) for moment in moments)
    possible: list[Unit] = [unit for unit in _MOST if UNITS.index(unit) >= finest]
    most = {unit: _MOST_ASKED if unit == asked else _MOST[unit] for unit in possible}
    fitting: list[Unit] = [unit for unit in possible if _count(moments, unit) <= most[unit]]
    if not fitting:
        return "century"
    return fitting[fitting.index(asked)] if asked in fitting else fitting[0]


def period(moment: Moment, unit: Unit) -> int:
    """The number of the period that the moment falls into. The moment must be as precise as the unit."""
    if unit in _YEARS:
        return moment.year // _YEARS[unit]
    if unit == "month":
        return moment.year * _MONTHS + moment.month - 1
    days = date(moment.year, moment.month, moment.day).toordinal()
    if unit == "week":
        return (days - 1) // _DAYS
    return days if unit == "day" else days * _HOURS + moment.hour


def label(number: int, unit: Unit, language: str) -> str:
    """The period in the customer's language: "14:00", "3 Mar", "Mar 2024", "1984", "1980–89"."""
    if unit in _YEARS:
        return _years(number, _YEARS[unit])
    if unit == "month":
        return phrase("month", language, month=_month(number % _MONTHS, language), year=str(number // _MONTHS))
    if unit == "hour":
        return f"{_day(date.fromordinal(number // _HOURS), language)} {number % _HOURS:02d}:00"
    return _day(date.fromordinal(number * _DAYS + 1 if unit == "week" else number), language)


def _years(number: int, years: int) -> str:
    first = number * years
    if years == 1:
        return str(first)
    last = first + years - 1
    return f"{first}–{str(last)[-2:]}" if first > 0 and years == _YEARS["decade"] else f"{first}–{last}"


def _day(day: date, language: str) -> str:
    return phrase("day", language, day=str(day.day), month=_month(day.month - 1, language))


def _month(place: int, language: str) -> str:
    return phrase("months", language).split()[place]


def _precision(moment: Moment) -> Unit:
    if not moment.month:
        return "year"
    if not moment.day:
        return "month"
    return "hour" if moment.hour >= 0 else "day"


def _count(moments: Sequence[Moment], unit: Unit) -> int:
    numbers = [period(moment, unit) for moment in moments]
    return max(numbers) - min(numbers) + 1
