"""When the clinic's branches are open."""

import datetime as dt

from local.clinic.data import Branch, Files
from local.clinic.days import Calendar, weekday_of
from local.clinic.models import ClinicError, OpeningHours
from local.matching import field, find, indexed

_WEEK = 7


class UnknownBranch(ClinicError):
    """The clinic has no such branch."""


class Hours:
    """The opening hours of every branch, with the holidays, which come every year."""

    def __init__(self, files: Files, calendar: Calendar) -> None:
        self._files = files
        self._calendar = calendar
        self._branches = [
            indexed(branch, (field(1, branch.branch, branch.address, branch.words),), (branch.branch,))
            for branch in files.branches
        ]

    def table(self, day: str, branch: str) -> OpeningHours:
        """The hours of one day, or of seven days from today for no day. Raises UnknownDay, UnknownBranch."""
        today = self._calendar.today
        days = [self._calendar.read(day, today)] if day.strip() else [today + dt.timedelta(n) for n in range(_WEEK)]
        place = self._branch(branch)
        hours = {f"{weekday_of(date).capitalize()} {date}": self._line(place.branch, date) for date in days}
        return OpeningHours(branch=place.branch, address=place.address, phone=place.phone, hours=hours)

    def periods(self, branch: str, date: dt.date) -> list[tuple[dt.time, dt.time]]:
        """When `branch` opens and closes on that date, in order; empty on a holiday."""
        if self._holiday(date):
            return []
        return [
            (period.opens, period.closes)
            for period in self._files.opening_hours
            if period.branch == branch and period.weekday == weekday_of(date)
        ]

    def _line(self, branch: str, date: dt.date) -> str:
        periods = self.periods(branch, date)
        if periods:
            return ", ".join(f"{opens:%H:%M}-{closes:%H:%M}" for opens, closes in periods)
        holiday = self._holiday(date)
        return f"closed ({holiday})" if holiday else "closed"

    def _holiday(self, date: dt.date) -> str:
        return next((row.name for row in self._files.holidays if row.month_day == f"{date:%m-%d}"), "")

    def _branch(self, text: str) -> Branch:
        found = find(text, self._branches).items if text.strip() else [self._files.branches[0]]
        if not found:
            names = ", ".join(branch.branch for branch in self._files.branches)
            raise UnknownBranch(f"The clinic has no branch {text!r}. Its branches are {names}.")
        return found[0]
