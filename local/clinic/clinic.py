"""The clinic's rules in one place: who works here, what it costs, when it is open, what can be booked."""

import datetime as dt

from local.clinic.data import Files, load_files
from local.clinic.days import Calendar
from local.clinic.diary import HORIZON, Diary
from local.clinic.directory import ANY, Directory
from local.clinic.hours import Hours
from local.clinic.models import ClinicError, SlotList


class NoSuchDay(ClinicError):
    """The day is over, or too far ahead to book."""


class Clinic:
    """One clinic as of `today`: slots begin tomorrow. Its diary lives in memory."""

    def __init__(self, files: Files, today: dt.date) -> None:
        self.today = today
        self._calendar = Calendar(today, files.day_words)
        self.directory = Directory(files)
        self.hours = Hours(files, self._calendar)
        self.diary = Diary(files, self.hours, today)

    def find_slots(
        self, specialty: str = ANY, doctor: str = ANY, date: str = "", days: int = 7, limit: int = 5
    ) -> SlotList:
        """The earliest free slots in `days` days from `date` on, an empty one being tomorrow.

        Raises UnknownSpecialty, UnknownDoctor, UnknownDay, NoSuchDay.
        """
        names = [one.name for one in self.directory.doctors(specialty, doctor)]
        return self.diary.free(names, self._first_day(date), days, limit)

    def _first_day(self, text: str) -> dt.date:
        today = self._calendar.today
        tomorrow, last = today + dt.timedelta(1), today + dt.timedelta(HORIZON)
        day = self._calendar.read(text, tomorrow) if text.strip() else tomorrow
        if not tomorrow <= day <= last:
            raise NoSuchDay(f"{day} cannot be booked here. Slots are from {tomorrow} to {last}; for today, call us.")
        return day


def load_clinic(today: dt.date) -> Clinic:
    """A fresh clinic with the appointments of appointments.csv."""
    return Clinic(load_files(), today)
