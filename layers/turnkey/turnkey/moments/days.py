"""The days that phrases name."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

from turnkey.moments.grammar import Found, Grammar
from turnkey.moments.values import Assumed

_SATURDAY = 5
_FRIDAY = 4
_WEEKS = {"this_week": 0, "next_week": 1, "week_after_next": 2}
_IN_A_WEEK = {"this_weekday": 0, "weekday_next_week": 1, "weekday_after_next": 2}
_WEEKDAYS = frozenset({"weekday", "coming_weekday", "next_weekday", "weekday_and_week", *_IN_A_WEEK})
_MONTHS = {"this_month": 0, "next_month": 1}
_MONTHS_SEARCHED = 60


class Days(NamedTuple):
    """What the words may mean, soonest first; `today_too` where the options are coming days and today may be meant as
    well if its time is ahead."""

    options: tuple[date, ...]
    assumed: tuple[Assumed, ...] = ()
    today_too: bool = False


Reader = Callable[[Found, date, Grammar], Days]


def said_days(found: list[Found], today: date, grammar: Grammar) -> Days | None:
    """The days that the phrases name together; None where they name none."""
    hits = [hit for hit in found if hit.kind in _READERS]
    if not hits:
        return None
    if len(hits) == 1 and hits[0].kind in _WEEKS and any(hit.kind == "same_time" for hit in found):
        return Days((today + timedelta(7 * _WEEKS[hits[0].kind]),))
    joined = _of_a_week(hits, today, grammar) or _of_a_month(hits, today, grammar)
    return joined or _all_of([_READERS[hit.kind](hit, today, grammar) for hit in hits])


def shifted(day: date, months: int) -> date:
    """So many months on: the same day of the month, or its last where it is shorter. Raises OverflowError past 9999."""
    index = day.year * 12 + day.month - 1 + months
    if index // 12 > 9999:
        raise OverflowError("years end at 9999")
    last = _last_of(index // 12, index % 12 + 1)
    return last.replace(day=min(day.day, last.day))


def _of_a_week(hits: list[Found], today: date, grammar: Grammar) -> Days | None:
    """ "Friday next week": the weekday of the one, in the week of the other."""
    weeks = {_WEEKS[hit.kind] for hit in hits if hit.kind in _WEEKS}
    weekdays = {_weekday(hit, grammar) for hit in hits if hit.kind in _WEEKDAYS}
    if len(weeks) != 1 or not weekdays or len(hits) > len(weeks) + len(weekdays):
        return None
    return _all_of([_in_week(weekday, weeks.copy().pop(), today, grammar) for weekday in weekdays])


def _of_a_month(hits: list[Found], today: date, grammar: Grammar) -> Days | None:
    """ "The 5th of next month"; "Friday the 13th": the next one that is both."""
    numbers = {int(hit.said["d"]) for hit in hits if hit.kind == "dom"}
    others = [hit for hit in hits if hit.kind != "dom"]
    if len(numbers) != 1 or len(others) != 1:
        return None
    number = numbers.pop()
    if others[0].kind in _MONTHS:
        first = shifted(today.replace(day=1), _MONTHS[others[0].kind])
        last = _last_of(first.year, first.month)
        return Days((last.replace(day=min(number, last.day)),))
    if others[0].kind in _WEEKDAYS:
        weekday = _weekday(others[0], grammar)
        return Days(tuple(day for day in _numbered(number, today) if day.weekday() == weekday)[:1])
    return None


def _all_of(said: list[Days]) -> Days:
    """One value of several; a weekday beside a date that it falls on says nothing new."""
    exact = {day for one in said if not one.today_too for day in one.options}
    coming = {day for one in said if one.today_too for day in one.options}
    agreeing = {day for day in exact if day.weekday() in {one.weekday() for one in coming}}
    if agreeing:
        return Days(tuple(sorted(agreeing)), _assumed(said))
    return Days(tuple(sorted(exact | coming)), _assumed(said), today_too=len(coming) == 1 and not exact)


def _assumed(said: list[Days]) -> tuple[Assumed, ...]:
    return tuple(dict.fromkeys(one for days in said for one in days.assumed))


def _weekday(hit: Found, grammar: Grammar) -> int:
    return grammar.meaning("weekday", hit.said["weekday"])


def _in_week(weekday: int, weeks: int, today: date, grammar: Grammar) -> Days:
    """In the week so many weeks on, for each day that weeks may begin with."""
    begins = ((today - timedelta((today.weekday() - start) % 7), start) for start in grammar.week_starts)
    options = {begin + timedelta(7 * weeks + (weekday - start) % 7) for begin, start in begins}
    ahead = {day for day in options if day >= today} or options
    return Days(tuple(sorted(ahead)))


def _coming(weekday: int, today: date) -> date:
    return today + timedelta((weekday - today.weekday() - 1) % 7 + 1)


def _bare(hit: Found, today: date, grammar: Grammar) -> Days:
    return Days((_coming(_weekday(hit, grammar), today),), today_too=True)


def _next_weekday(hit: Found, today: date, grammar: Grammar) -> Days:
    """ "Next Friday", said when one is still to come in this week: that one or the one after."""
    coming = _coming(_weekday(hit, grammar), today)
    later = _in_week(_weekday(hit, grammar), 1, today, grammar).options
    return Days(tuple(sorted({coming, *later})))


def _this_or_coming(hit: Found, today: date, grammar: Grammar) -> Days:
    weekday = _weekday(hit, grammar)
    return Days((today if weekday == today.weekday() else _coming(weekday, today),))


def _offset(hit: Found, today: date, grammar: Grammar) -> Days:
    return Days((today + timedelta(grammar.meaning("day", hit.said["day"])),))


def _weekend(today: date, weeks: int) -> Days:
    """Saturday; of this weekend its Sunday where Saturday has come."""
    saturday = today - timedelta(today.weekday()) + timedelta(_SATURDAY + 7 * weeks)
    return Days((max(saturday, today),), ("day",))


def _week(hit: Found, today: date, grammar: Grammar) -> Days:
    monday = today - timedelta(today.weekday()) + timedelta(7 * _WEEKS[hit.kind])
    return Days((max(monday, today),), ("day",))


def _end_of_week(hit: Found, today: date, grammar: Grammar) -> Days:
    weeks = 1 if "next" in hit.kind else 0
    friday = today - timedelta(today.weekday()) + timedelta(_FRIDAY + 7 * weeks)
    return Days((max(friday, today),), ("day",))


def _last_of(year: int, month: int) -> date:
    return date(year + month // 12, month % 12 + 1, 1) - timedelta(1) if (year, month) != (9999, 12) else date.max


def _end_of_month(today: date, months: int) -> Days:
    first = shifted(today.replace(day=1), months)
    return Days((_last_of(first.year, first.month),))


def _end_of(hit: Found, today: date, grammar: Grammar) -> Days:
    month = grammar.meaning("month", hit.said["month"])
    year = int(hit.said["y"]) if "y" in hit.said else today.year + (month < today.month)
    return Days((_last_of(year, month),))


def _first_of(hit: Found, today: date, grammar: Grammar) -> Days:
    month = grammar.meaning("month", hit.said["month"])
    year = int(hit.said["y"]) if "y" in hit.said else today.year + (month <= today.month)
    return Days((date(year, month, 1),), ("day",))


def _date(hit: Found, today: date, grammar: Grammar) -> Days:
    month = int(hit.said["mo"]) if "mo" in hit.said else grammar.meaning("month", hit.said["month"])
    return _dated(int(hit.said["d"]), month, _year(hit), today)


def _year(hit: Found) -> int | None:
    return int(hit.said["y"]) % 100 + 2000 if "y" in hit.said else None


def _dated(number: int, month: int, year: int | None, today: date) -> Days:
    """The date; without a year the next one, from today on. None that is no date (the 31st of June)."""
    for candidate in (year,) if year else range(today.year, today.year + 9):
        try:
            day = date(candidate, month, number)
        except ValueError:
            continue
        if year or day >= today:
            return Days((day,), ("year",) if not year and day.year != today.year and month < today.month else ())
    return Days(())


def _numeric(hit: Found, today: date, grammar: Grammar) -> Days:
    """3/4: by the language's order; where it has none, whatever is a date. A point is never American."""
    first, second = int(hit.said["a"]), int(hit.said["b"])
    order = "dmy" if hit.said["sep"] == "." else grammar.order
    pairs = {"dmy": [(first, second)], "mdy": [(second, first)]}.get(order, [(first, second), (second, first)])
    if not any(month <= 12 for _, month in pairs):
        pairs = [(second, first)]
    said = [_dated(number, month, _year(hit), today) for number, month in pairs if month <= 12]
    return _all_of(said)


def _numbered(number: int, today: date) -> tuple[date, ...]:
    """The coming days of that number in their months; those that have none are left out."""
    firsts = (shifted(today.replace(day=1), months) for months in range(_MONTHS_SEARCHED))
    days = (first.replace(day=number) for first in firsts if number <= _last_of(first.year, first.month).day)
    return tuple(day for day in days if day >= today)


def _dom(hit: Found, today: date, grammar: Grammar) -> Days:
    return Days(_numbered(int(hit.said["d"]), today)[:1])


_READERS: dict[str, Reader] = {
    "day": _offset,
    "weekday": _bare,
    "coming_weekday": lambda hit, today, grammar: Days((_coming(_weekday(hit, grammar), today),)),
    "weekday_and_week": lambda hit, today, grammar: Days((_coming(_weekday(hit, grammar), today) + timedelta(7),)),
    "next_weekday": _next_weekday,
    "this_weekday": _this_or_coming,
    "weekday_next_week": lambda hit, today, grammar: _in_week(_weekday(hit, grammar), 1, today, grammar),
    "weekday_after_next": lambda hit, today, grammar: _in_week(_weekday(hit, grammar), 2, today, grammar),
    "this_week": _week,
    "next_week": _week,
    "week_after_next": _week,
    "weekend": lambda hit, today, grammar: _weekend(today, 0),
    "next_weekend": lambda hit, today, grammar: _weekend(today, 1),
    "weekend_after_next": lambda hit, today, grammar: _weekend(today, 2),
    "end_of_week": _end_of_week,
    "end_of_next_week": _end_of_week,
    "end_of_month": lambda hit, today, grammar: _end_of_month(today, 0),
    "end_of_next_month": lambda hit, today, grammar: _end_of_month(today, 1),
    "end_of_year": lambda hit, today, grammar: Days((date(today.year, 12, 31),)),
    "end_of": _end_of,
    "next_month": lambda hit, today, grammar: Days((shifted(today.replace(day=1), 1),), ("day",)),
    "next_year": lambda hit, today, grammar: Days((date(today.year + 1, 1, 1),), ("day",)),
    "month": _first_of,
    "date": _date,
    "iso": _date,
    "numeric": _numeric,
    "dom": _dom,
}
