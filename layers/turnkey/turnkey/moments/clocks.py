"""The clock times that phrases name, and the parts of a day."""

import re
from collections.abc import Iterable
from datetime import timedelta
from typing import NamedTuple

from turnkey.moments.grammar import Found, Grammar

PARTS = {
    "am": 9,
    "dawn": 6,
    "morning": 9,
    "afternoon": 15,
    "pm": 15,
    "evening": 19,
    "evening_pm": 19,
    "night": 21,
}
"""The hour taken for a part of the day that is said alone."""
_ENDS = {"am": 12, "dawn": 8, "morning": 12, "afternoon": 18}
"""The hour when a part of the day is over; midnight for the others."""
_LATER = ("evening", "evening_pm", "night")
_AFTERNOONS = range(1, 6)
_TRULY_OPEN = 6
_HOUR = re.compile(r"(?<!\d)(?:2[0-4]|[01]?\d)(?!\d)")
_BESIDE = range(6)
"""Characters between: room for a preposition."""
_EVENING_BEGINS, _NIGHT_ENDS = 4, 6
_LONE = re.compile(r"(?P<h>2[0-4]|1\d|0?\d)")


class Clock(NamedTuple):
    """A clock time: `readings` are times since the day's midnight, the likeliest first; `open` where the customer has
    to say which; `assumed` where a rule took the first."""

    readings: tuple[timedelta, ...]
    open: bool = False
    assumed: bool = False


class Part(NamedTuple):
    """A part of the day said alone: its hour, when it is over, and whether it is still meant, without a day, when
    it has begun: in the afternoon, "in the morning" is tomorrow's."""

    at: timedelta
    over: timedelta
    waits: bool


def said_clocks(found: list[Found], text: str, grammar: Grammar) -> list[Clock]:
    """The clock times of the phrases, each as its part of the day has it; those said twice once."""
    hits = [hit for hit in found if "h" in hit.said]
    hits += [other for hit in hits if (other := _alternative(hit, text, grammar))]
    hits = hits or _lone(found, text)
    return list(dict.fromkeys(_clock(hit, _part_of(hit, found, grammar), grammar) for hit in hits))


def says(part: str, found: Iterable[Found], grammar: Grammar) -> bool:
    """Whether that part of the day is said: noon, or midnight, which is a time of its own."""
    return any(_meaning(hit, grammar) == part for hit in found if hit.kind == "part")


def said_parts(found: Iterable[Found], grammar: Grammar) -> tuple[Part, ...]:
    """The parts of a day that are said, without a clock time; "Friday afternoon or evening" has two."""
    names = dict.fromkeys(_meaning(hit, grammar) for hit in found if hit.kind == "part")
    return tuple(
        Part(timedelta(hours=PARTS[name]), timedelta(hours=_ENDS.get(name, 24)), name in _LATER)
        for name in names
        if name in PARTS
    )


def has_unread_number(found: list[Found], text: str) -> bool:
    """Whether a number that may be an hour stands beside a day, and belongs to no phrase."""
    numbers = [match for match in _HOUR.finditer(text) if not any(hit.start < match.end() <= hit.end for hit in found)]
    return any(
        -match.end() + hit.start in _BESIDE or match.start() - hit.end in _BESIDE for match in numbers for hit in found
    )


def _meaning(hit: Found, grammar: Grammar) -> str:
    return grammar.meaning("part", hit.said["part"])


def _alternative(hit: Found, text: str, grammar: Grammar) -> Found | None:
    """ "At 3 or 4": the second one."""
    other = grammar.either.match(text, hit.end)
    return Found(hit.kind, {"h": other["h"]}, *other.span()) if other else None


def _lone(found: list[Found], text: str) -> list[Found]:
    """ "Tomorrow 9": a number by itself beside a day or a part of it."""
    for hit in found:
        behind = re.compile(rf"[\s,]*{_LONE.pattern}(?=\s*(?:$|[,.!?;]))").match(text, hit.end)
        ahead = re.search(rf"^\s*{_LONE.pattern}[\s,]*$", text[: hit.start])
        if one := behind or ahead:
            return [Found("said", {"h": one["h"]}, *one.span())]
    return []


def _part_of(hit: Found, found: list[Found], grammar: Grammar) -> str:
    """The part of the day that belongs to a clock time: its own am or pm, else the nearest."""
    if "ap" in hit.said:
        return grammar.meaning("ap", hit.said["ap"])
    if "part" in hit.said:
        return _meaning(hit, grammar)
    parts = [other for other in found if other.kind == "part"]
    nearest = min(parts, key=lambda part: max(hit.start - part.end, part.start - hit.end), default=None)
    return _meaning(nearest, grammar) if nearest else ""


def _clock(hit: Found, part: str, grammar: Grammar) -> Clock:
    hour, minute = int(hit.said["h"]), int(hit.said.get("m", 0))
    sure = hour > 12 or hour == 0 or hit.said["h"].startswith("0") or _is_24h(hit, grammar)
    one = (_in_part(hour, part),) if part else (hour,)
    readings = one if part or sure else _both(hour)
    back = {"clock_to": -minute, "half_to": -30, "half_past": 30, "quarter_of": -45}.get(hit.kind, minute)
    return Clock(
        tuple(timedelta(hours=reading, minutes=back) for reading in readings),
        open=len(readings) > 1 and hour == _TRULY_OPEN,
        assumed=len(readings) > 1,
    )


def _is_24h(hit: Found, grammar: Grammar) -> bool:
    """Where times are written in 24 hours, 3:30 is at night; a bare hour is said as people say it."""
    return grammar.digits_are_24h and (
        (hit.kind == "clock" and "m" in hit.said) or (hit.kind == "clock_24" and int(hit.said["h"]) >= _TRULY_OPEN)
    )


def _both(hour: int) -> tuple[int, int]:
    """Both halves of the day, the one that people are awake in first: 3 is 15, 9 is 9, 12 is noon."""
    if hour == 12:
        return 12, 24
    return (hour + 12, hour) if hour in _AFTERNOONS else (hour, hour + 12)


def _in_part(hour: int, part: str) -> int:
    """The hour in that part of the day; 24 and more are in the night that follows the day."""
    if hour > 12 or hour == 0:
        return hour
    if part in ("am", "dawn"):
        return hour + 12 if part == "dawn" and hour in (9, 10, 11) else hour % 12
    if part == "morning":
        return hour
    if part == "noon":
        return hour if hour > 9 else hour + 12
    if part in ("pm", "afternoon", "evening_pm"):
        return hour % 12 + 12
    return _after_dark(hour, part)


def _after_dark(hour: int, part: str) -> int:
    """ "Tonight at two" is after midnight; "at twelve" is midnight."""
    if hour == 12 or part == "midnight":
        return 24 + hour % 12
    return hour + 24 if hour < (_NIGHT_ENDS if part == "night" else _EVENING_BEGINS) else hour + 12
