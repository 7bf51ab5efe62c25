"""Times of day in a text: 10:00, 10 am, 10.30 Uhr, 14h30, 下午3点半, 오후 3시. Minutes since midnight."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from turnkey.reply.checks.spans import ALONE
from turnkey.reply.checks.vocabulary import Vocabulary

_HALF_DAY = 12 * 60


class Moment(NamedTuple):
    """A time as written, and the minutes of the day it may mean (3:00 may be in the afternoon)."""

    start: int
    end: int
    minutes: frozenset[int]


class _Patterns(NamedTuple):
    time: re.Pattern[str]
    span: re.Pattern[str]
    am: re.Pattern[str]
    pm: re.Pattern[str]


def moments(folded: str, words: Vocabulary) -> Iterator[Moment]:
    """Times of day in folded text, both ends of a span such as 9–18 Uhr among them."""
    patterns = _patterns(words)
    last = 0
    for found in patterns.time.finditer(folded):
        half = _half(found, patterns)
        opening = _opened(folded[last : found.start()], patterns.span)
        if opening:
            place, hour = opening
            yield Moment(last + place, found.start(), _minutes(hour, 0, ""))
        hours, minutes = _figures(found)
        if 0 <= hours <= 24 and minutes < 60:
            yield Moment(*found.span(), _minutes(hours, minutes, half))
        last = found.end()


def bare_hours(folded: str, words: Vocabulary) -> Iterator[int]:
    """Minutes meant by spans of bare hours, as instructions write them: open 9-18, from 9 to 6."""
    for found in _bare_span(words).finditer(folded):
        for hour in (int(found[1]), int(found[2])):
            if hour <= 24:
                yield from _minutes(hour, 0, "")


def _figures(found: re.Match[str]) -> tuple[int, int]:
    groups = {name: value for name, value in found.groupdict().items() if value}
    hours = next(int(value) for name, value in groups.items() if name.startswith("h"))
    half = "半" in found.group() or "반" in found.group() or "mezza" in found.group() or "media" in found.group()
    return hours, next((int(value) for name, value in groups.items() if name.startswith("m")), 30 if half else 0)


def _half(found: re.Match[str], patterns: _Patterns) -> str:
    """am, pm or nothing, from the word before or behind."""
    around = f"{found['lead'] or ''} {found['tail'] or ''}"
    if patterns.pm.search(around):
        return "pm"
    return "am" if patterns.am.search(around) else ""


def _minutes(hours: int, minutes: int, half: str) -> frozenset[int]:
    at = hours * 60 + minutes
    if half == "pm" and hours < 12:
        return frozenset({at + _HALF_DAY})
    if half == "am":
        return frozenset({at % _HALF_DAY})
    return frozenset({at, at + _HALF_DAY}) if 0 < hours <= 12 and not half else frozenset({at})


def _opened(before: str, span: re.Pattern[str]) -> tuple[int, int] | None:
    """The bare hour that a span opens with, right before a time: the 9 of 9–18 Uhr."""
    found = span.search(before)
    return (found.start(1), int(found[1])) if found and int(found[1]) <= 24 else None


_HOUR, _MINUTE = r"(?P<h{}>2[0-4]|[01]?\d)(?!\d)", r"(?P<m{}>[0-5]\d)"


@cache
def _patterns(words: Vocabulary) -> _Patterns:
    am, pm, to = words.one_of("am"), words.one_of("pm"), words.one_of("to")
    forms = [rf"{ALONE}(?<!\+){_HOUR}:{_MINUTE}(?::[0-5]\d)?(?!\d|:\d)"]
    forms += [rf"{ALONE}{_HOUR}(?:[.:]{_MINUTE})?(?= ?(?:{am}|{pm}))"]
    forms += [form.replace("{h}", rf"{ALONE}{_HOUR}").replace("{m}", _MINUTE) for form in words.clock]
    return _Patterns(
        re.compile(rf"(?:(?P<lead>{am}|{pm}) ?)?(?:{_numbered(forms)})(?: ?(?P<tail>{am}|{pm}))?"),
        re.compile(rf"{ALONE}(\d{{1,2}}) ?(?:-|~|{to}) ?$"),
        re.compile(am),
        re.compile(pm),
    )


def _numbered(forms: list[str]) -> str:
    """The forms as alternatives, with group names of their own."""
    return "|".join(
        form.replace("<h{}>", f"<h{number}>").replace("<m{}>", f"<m{number}>") for number, form in enumerate(forms)
    )


@cache
def _bare_span(words: Vocabulary) -> re.Pattern[str]:
    to = f"(?:-|~|{words.one_of('to')}) ?(?:las? |às |le |alle )?"
    return re.compile(rf"{ALONE}(\d{{1,2}}) ?{to}(\d{{1,2}})(?![\d:/-]|[.,]\d)")
