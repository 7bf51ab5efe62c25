"""When a schedule is due: EventBridge Scheduler's rate(), cron() and at(), checked as strictly as the service does it.

https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import product
from typing import Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from local.calendar_fields import DAYS_OF_WEEK, MONTHS, InvalidField, days_of_month, days_of_week, numbers

_CALL = re.compile(r"(rate|cron|at)\((.*)\)")
_RATE = re.compile(r"([1-9][0-9]*) (minute|hour|day)s?")
_LAST_YEAR = 2199


class InvalidSchedule(ValueError):
    """The expression is none that EventBridge Scheduler takes; the message says why."""


class Expression(Protocol):
    """When a schedule is due. Moments are aware."""

    def first(self, created: datetime) -> datetime | None:
        """The first time at which a schedule that exists since `created` is due; None: never."""
        ...

    def after(self, moment: datetime) -> datetime | None:
        """The next time after one at which it was due; None: never again."""
        ...


@dataclass(frozen=True)
class Rate:
    """At once, and then in equal steps: without a start date the service begins when the schedule is created."""

    step: timedelta

    def first(self, created: datetime) -> datetime:
        return created

    def after(self, moment: datetime) -> datetime:
        return moment + self.step


@dataclass(frozen=True)
class At:
    """Once. One that was over when the schedule was made fires at once."""

    moment: datetime

    def first(self, created: datetime) -> datetime:
        return self.moment

    def after(self, moment: datetime) -> None:
        return None


@dataclass(frozen=True)
class Cron:
    """At minutes and hours of days of a calendar, in a time zone. A time that the clocks leave out is left out; one
    that they repeat counts once."""

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    months: frozenset[int]
    years: frozenset[int]
    is_day: Callable[[date], bool]
    zone: ZoneInfo

    def first(self, created: datetime) -> datetime | None:
        return self.after(created)

    def after(self, moment: datetime) -> datetime | None:
        start = moment.astimezone(self.zone).date()
        return next((due for day in self._days(start) for due in self._times(day) if due > moment), None)

    def _days(self, start: date) -> Iterator[date]:
        day = start
        while day.year <= _LAST_YEAR:
            if day.year not in self.years or day.month not in self.months:
                day = (day.replace(day=1) + timedelta(days=32)).replace(day=1)
                continue
            if self.is_day(day):
                yield day
            day += timedelta(days=1)

    def _times(self, day: date) -> Iterator[datetime]:
        for hour, minute in product(self.hours, self.minutes):
            wall = datetime.combine(day, time(hour, minute))
            due = wall.replace(tzinfo=self.zone).astimezone(UTC)
            if due.astimezone(self.zone).replace(tzinfo=None) == wall:
                yield due


def parse(expression: str, time_zone: str = "UTC", *, once: bool = False) -> Expression:
    """Raises InvalidSchedule. at() is for schedules that are made at run time (`once`), not for a template's."""
    found = _CALL.fullmatch(expression)
    if found is None or (found[1] == "at") != once:
        raise InvalidSchedule(f"{expression!r}: write rate(15 minutes), or cron(0 8 ? * MON-FRI *)")
    try:
        zone = ZoneInfo(time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InvalidSchedule(f"{time_zone!r} is no IANA time zone: use one such as Europe/Berlin") from error
    try:
        if found[1] == "at":
            return _at(found[2], zone)
        return _rate(found[2]) if found[1] == "rate" else _cron(found[2], zone)
    except InvalidField as error:
        raise InvalidSchedule(f"{expression!r}: {error}") from error


def _at(content: str, zone: ZoneInfo) -> At:
    try:
        moment = datetime.strptime(content, "%Y-%m-%dT%H:%M:%S").replace(tzinfo=zone).astimezone(UTC)
    except ValueError as error:
        raise InvalidField("a one-time schedule is at(yyyy-mm-ddThh:mm:ss)") from error
    return At(moment)


def _rate(content: str) -> Rate:
    found = _RATE.fullmatch(content)
    if found is None:
        raise InvalidField("a rate is a whole number above zero and minutes, hours or days")
    try:
        return Rate(timedelta(**{f"{found[2]}s": int(found[1])}))
    except OverflowError as error:
        raise InvalidField(f"{found[1]} {found[2]}s are too many") from error


def _cron(content: str, zone: ZoneInfo) -> Cron:
    fields = content.split()
    if len(fields) != 6:
        raise InvalidField(
            f"cron has six fields (minutes hours day-of-month month day-of-week year), not {len(fields)}"
        )
    minutes, hours, day, month, weekday, year = fields
    if (day == "?") == (weekday == "?"):
        raise InvalidField("one of day-of-month and day-of-week must be ?, the other must not")
    return Cron(
        minutes=tuple(sorted(numbers("minutes", minutes, 0, 59))),
        hours=tuple(sorted(numbers("hours", hours, 0, 23))),
        months=numbers("month", month, 1, 12, MONTHS),
        years=numbers("year", year, 1970, _LAST_YEAR),
        is_day=days_of_month(day) if weekday == "?" else days_of_week(weekday, DAYS_OF_WEEK),
        zone=zone,
    )
