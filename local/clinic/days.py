"""Days as people write them: 2026-04-24, tomorrow, Friday, 金曜日, "next week on Monday"."""

import datetime as dt
import re
from collections.abc import Mapping

from local.clinic.models import ClinicError
from local.words import fold, is_cjk

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_AHEAD = {"today": 0, "tomorrow": 1, "day after tomorrow": 2}
_NEXT_WEEK = "next week"
_ISO = re.compile(r"\d{4}-\d\d-\d\d")


class UnknownDay(ClinicError):
    """No day can be read from the text."""


class Calendar:
    """Days counted from `today`; `day_words` gives each day its words in many languages, parted by |."""

    def __init__(self, today: dt.date, day_words: Mapping[str, str]) -> None:
        self.today = today
        self._words = [(day, _word_pattern(word)) for day, words in day_words.items() for word in words.split("|")]

    def read(self, text: str, earliest: dt.date) -> dt.date:
        """The day `text` means, a weekday being the first from `earliest` on. Raises UnknownDay."""
        iso = _ISO.search(text)
        if iso:
            return _from_iso(iso[0])
        meant = self._meant(text)
        weekday = next((WEEKDAYS.index(day) for day in meant if day in WEEKDAYS), None)
        if _NEXT_WEEK in meant:
            return self._next_monday() + dt.timedelta(weekday or 0)
        if weekday is not None:
            return earliest + dt.timedelta((weekday - earliest.weekday()) % 7)
        ahead = [_AHEAD[day] for day in meant]
        if not ahead:
            raise UnknownDay(f"No day can be read from {text!r}. Write it as YYYY-MM-DD, such as {earliest}.")
        return self.today + dt.timedelta(ahead[0])

    def _meant(self, text: str) -> list[str]:
        left, found = fold(text), list[str]()
        for day, pattern in self._words:
            if pattern.search(left):
                found.append(day)
                # "Tomorrow" must not be found again in "day after tomorrow", which stands first in the file; but
                # 下周五 is both next week and Friday.
                left = left if day == _NEXT_WEEK else pattern.sub(" ", left)
        return found

    def _next_monday(self) -> dt.date:
        return self.today + dt.timedelta(7 - self.today.weekday())


def weekday_of(day: dt.date) -> str:
    """Its English name, in lower case."""
    return WEEKDAYS[day.weekday()]


def _word_pattern(word: str) -> re.Pattern[str]:
    folded = re.escape(fold(word))
    return re.compile(folded if is_cjk(word) else rf"(?<!\w){folded}(?!\w)")


def _from_iso(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError as wrong:
        raise UnknownDay(f"{text} is no day of the calendar. Write it as YYYY-MM-DD.") from wrong
