"""Days and clock times in a customer's words, in the twelve languages. `dateparser` is imported for days alone."""

import re
from datetime import date, datetime, time, timedelta
from typing import Any, cast

from turnkey.reading.words import concepts

_AFTERNOON = (
    "pm",
    "p.m.",
    "p.m",
    "nachmittags",
    "abends",
    "soir",
    "de la tarde",
    "da tarde",
    "pomeriggio",
    "вечера",
    "дня",
    "下午",
    "晚上",
    "午後",
    "오후",
    "مساء",
    "öğleden sonra",
)
_HOUR = r"(?P<hour>[01]?\d|2[0-3])"
_CLOCKS = (
    re.compile(
        rf"(?<![\d.,/-]){_HOUR}(?::|\.|h)(?P<minute>[0-5]\d)(?![.,/-]|\d)\s*(?P<half>[ap]\.?m\.?)?(?:\s*uhr)?", re.I
    ),
    re.compile(rf"(?<![\d.,/-]){_HOUR}\s*(?P<half>[ap]\.?m\b\.?)", re.I),
    re.compile(
        rf"(?:(?P<before>上午|下午|晚上|午前|午後|오전|오후)\s*)?{_HOUR}\s*(?:点|點|時(?!間)|시(?!간))(?P<rest>半|반)?"
    ),
    re.compile(rf"(?<![\d.,/-]){_HOUR}\s*(?:uhr|o'?clock|heures?|h|час(?:ов|а)?)\b", re.I),
    re.compile(
        rf"\b(?:at|um|gegen|à|a las|a la|às|as|alle|ore|в|к|saat|الساعة|from|ab)\s+{_HOUR}\b"
        r"(?![.,/:-]\d|\s*(?:eur|€|%))",
        re.I,
    ),
    re.compile(rf"(?<![\d.,/-]){_HOUR}['’](?:da|de|ta|te|a|e)\b"),
)
_NUMERIC = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./-]\d{1,2}(?:[./-]\d{2,4})?|\d+\s*[月월]\s*\d+\s*[日일]")


_WEEK = 3
"""Days around today that a word for a whole week cannot mean."""
_WEEKDAYS = frozenset(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])
_NOW = frozenset(
    [
        "now",
        "ora",
        "jetzt",
        "maintenant",
        "ahora",
        "agora",
        "сейчас",
        "现在",
        "今",
        "지금",
        "الآن",
        "şimdi",
        "an",
        "am",
        "at",
        "ore",
    ]
)
_TWO_AHEAD = re.compile(r"(?i)(?:the )?day after tomorrow")
_YEAR_ALONE = re.compile(r"\D*(?:19|20)\d\d\D*")


def clock_times(text: str) -> tuple[time, ...]:
    """The clock times the text names, in its order. A bare "at 3" may mean the afternoon: both are given."""
    return tuple(moment for match in _clock_matches(text) for moment in _moments(match, text))


def without_clock(text: str) -> str:
    """The text with its clock times taken out: what is left names the day."""
    for match in reversed(_clock_matches(text)):
        text = f"{text[: match.start()]} {text[match.end() :]}"
    return text


def day(text: str, language: str, today: date) -> date | None:
    """The one day the text names, from today on; None where it names none, or several."""
    import dateparser.search

    bare = _TWO_AHEAD.sub("in 2 days", without_clock(text))
    settings: Any = {
        "PREFER_DATES_FROM": "future",
        "RELATIVE_BASE": datetime.combine(today, time(12)),
        "DATE_ORDER": "MDY" if language == "en" and not re.search(r"\d\.\d", bare) else "DMY",
        "RETURN_AS_TIMEZONE_AWARE": False,
    }
    languages = [language] if language else None
    try:
        found = cast(Any, dateparser.search.search_dates)(bare, languages=languages, settings=settings)  # pyright: ignore
    except Exception:  # an unknown language, or input that the library chokes on: then no day is known
        return None
    named = [(words, _ahead(moment.date(), today)) for words, moment in found or () if _names_a_day(words)]
    named = [(words, one) for words, one in named if not _is_this_week(words, one, today)]
    days = {one for _, one in named}
    if len(days) == 2:
        return _of_a_week(named)
    return days.pop() if len(days) == 1 else None


def _is_this_week(words: str, found: date, today: date) -> bool:
    """ "This week" names no day."""
    return "week" in concepts(words) and not concepts(words) & _WEEKDAYS and abs((found - today).days) < _WEEK


def _of_a_week(named: list[tuple[str, date]]) -> date | None:
    """ "Friday next week": the weekday of the one, in the week of the other."""
    weeks = [one for words, one in named if "week" in concepts(words)]
    weekdays = [one for words, one in named if concepts(words) & _WEEKDAYS]
    if len(weeks) != 1 or len(weekdays) != 1:
        return None
    return weeks[0] - timedelta(days=weeks[0].weekday()) + timedelta(days=weekdays[0].weekday())


def _ahead(found: date, today: date) -> date:
    """A weekday that the library puts into the past is the coming one."""
    return found + timedelta(days=7) if today - timedelta(days=7) <= found < today else found


def _names_a_day(words: str) -> bool:
    """A lone number, or a short word that only looks like a month ("may 5 cats"), is no day."""
    if _NUMERIC.search(words):
        return True
    letters = re.sub(r"[\W\d_]+", "", words)
    if letters.lower() in _NOW:
        return False
    if _YEAR_ALONE.fullmatch(words) and len(letters) <= 6:
        return False
    return bool(letters) and not re.fullmatch(r"(?i)(?:and|or|in|on|a|the)*(?:may|mar|sun|sat|second|sec|mon)", letters)


def _clock_matches(text: str) -> list[re.Match[str]]:
    found: list[re.Match[str]] = []
    for pattern in _CLOCKS:
        for match in pattern.finditer(text):
            if not any(match.start() < other.end() and other.start() < match.end() for other in found):
                found.append(match)
    return sorted(found, key=lambda match: match.start())


def _moments(match: re.Match[str], text: str) -> tuple[time, ...]:
    groups = match.groupdict()
    hour, minute = int(groups["hour"]), int(groups.get("minute") or 0) or (30 if groups.get("rest") else 0)
    half = (groups.get("half") or groups.get("before") or "").lower()
    if half.startswith("a") or half in ("上午", "午前", "오전"):
        return (time(hour % 12, minute),)
    if half or (hour < 12 and any(word in text.lower() for word in _AFTERNOON)):
        return (time(hour % 12 + 12, minute),)
    if hour < 8 and not groups.get("minute"):
        return time(hour, minute), time(hour + 12, minute)
    return (time(hour, minute),)
