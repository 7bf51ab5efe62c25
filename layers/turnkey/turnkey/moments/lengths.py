"""Lengths of time: "two and a half hours", "a week and two days"."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from turnkey.moments.days import shifted
from turnkey.moments.grammar import Found, Grammar

_MINUTES = {"second": 1 / 60, "minute": 1.0, "hour": 60.0}
_DAYS = {"day": 1, "week": 7}
_MONTHS = {"month": 1, "year": 12}


class Length(NamedTuple):
    """Months and days are counted on the calendar, minutes on the clock."""

    months: int = 0
    days: int = 0
    minutes: float = 0

    @property
    def of_days(self) -> bool:
        return bool(self.months or self.days)


def lengths(hit: Found, grammar: Grammar) -> Iterator[Length]:
    """Those that a phrase names: "in 2 or 3 days" two."""
    span = hit.said["span"]
    yield length(span, grammar)
    if "low" in hit.said:
        yield length(
            grammar.length.sub(lambda match: match[0].replace(match["n"], hit.said["low"], 1), span, 1), grammar
        )


def length(span: str, grammar: Grammar) -> Length:
    """The length that amounts and units add up to. Half a day is twelve hours, half a month fifteen days."""
    total = Length()
    for match in grammar.length.finditer(span):
        total = _plus(total, float(match["n"].replace(",", ".")), grammar.meaning("unit", match["unit"]))
    return total


def later(now: datetime, by: Length) -> datetime:
    """So much later: minutes exactly, days on the calendar at the same time of day. Raises OverflowError past 9999."""
    day = shifted(now.date(), by.months) + timedelta(by.days)
    return (now.replace(year=day.year, month=day.month, day=day.day) if by.of_days else now) + timedelta(
        minutes=by.minutes
    )


def _plus(total: Length, amount: float, unit: str) -> Length:
    if unit in _MINUTES:
        return total._replace(minutes=total.minutes + amount * _MINUTES[unit])
    if unit in _DAYS:
        whole = int(amount * _DAYS[unit])
        return total._replace(days=total.days + whole, minutes=total.minutes + (amount * _DAYS[unit] - whole) * 24 * 60)
    whole = int(amount * _MONTHS[unit])
    rest = int((amount * _MONTHS[unit] - whole) * 30)
    return total._replace(months=total.months + whole, days=total.days + rest)
