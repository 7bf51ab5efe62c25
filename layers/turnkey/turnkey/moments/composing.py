"""What phrases come to together: the moments that a day, a time and a length of time may mean."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple, cast
from zoneinfo import ZoneInfo

from turnkey.moments.clocks import Clock, Part, has_unread_number, said_clocks, said_parts, says
from turnkey.moments.days import Days, said_days
from turnkey.moments.grammar import Found, Grammar
from turnkey.moments.lengths import Length, later, lengths
from turnkey.moments.values import Assumed, Why
from turnkey.moments.walls import on_the_wall

_USUAL = timedelta(hours=9)
_DAY = timedelta(days=1)
_NOON = Clock((timedelta(hours=12),))
_WEEK = timedelta(days=7)


class Option(NamedTuple):
    """One moment that may be meant."""

    at: datetime
    assumed: tuple[Assumed, ...] = ()


class Said(NamedTuple):
    """Everything about a time in a text. `before` is how much earlier than the rest ("an hour before"); `unread` where
    a number beside a day may be its time, said in a way that no phrase knows."""

    days: Days | None
    clocks: tuple[Clock, ...]
    parts: tuple[Part, ...]
    lengths: tuple[Length, ...]
    before: Length | None
    recurring: bool
    over: bool
    unread: bool


def said(rules: Grammar, text: str, found: list[Found], now: datetime) -> Said:
    """What the phrases say. Raises OverflowError or ValueError for days that no calendar has."""
    spans = {
        kind: [one for hit in found if hit.kind == kind for one in lengths(hit, rules)] for kind in ("after", "before")
    }
    clocks = said_clocks(found, text, rules)
    days = said_days(found, now.date(), rules)
    if not clocks:
        named = {"midnight": _midnight(days, now.date()), "noon": _NOON}
        clocks = [clock for part, clock in named.items() if says(part, found, rules)]
    if any(hit.kind == "same_time" for hit in found) and not clocks:
        clocks = [Clock((timedelta(hours=now.hour, minutes=now.minute),))]
    return Said(
        days=days,
        clocks=tuple(clocks),
        parts=said_parts(found, rules),
        lengths=tuple(dict.fromkeys(spans["after"])),
        before=spans["before"][0] if spans["before"] else None,
        recurring=any(hit.kind == "recurring" for hit in found),
        over=any(hit.kind == "over" for hit in found),
        unread=has_unread_number(found, text),
    )


def options(what: Said, now: datetime) -> tuple[Option, ...] | Why:
    """The moments that may be meant, in the zone of `now`; those that are over are among them."""
    if what.recurring:
        return "recurring"
    exact = [Option(_exactly(now, one)) for one in what.lengths if not one.of_days]
    days = _with_lengths(what, now)
    timed = [] if days is None and not what.clocks and not what.parts else list(_timed(what, days, now))
    kept = [_of_length(now, one) for one in what.lengths if one.of_days and not timed]
    all_of_them = (*exact, *(timed if not exact or what.clocks else ()), *kept)
    if not all_of_them:
        return "past" if what.over or what.before else "no_time"
    return tuple(_earlier(one, what.before) for one in all_of_them)


def _midnight(days: Days | None, today: date) -> Clock:
    """Tonight's is the end of today; that of another day is its beginning or its end."""
    at_the_end = days is None or days.options == (today,)
    return Clock((_DAY,)) if at_the_end else Clock((timedelta(0), _DAY), open=True)


def _with_lengths(what: Said, now: datetime) -> Days | None:
    """ "In three days at nine": the day of a length, where a time of day is said beside it. "Friday in a week"."""
    lengths = [one for one in what.lengths if one.of_days]
    if not lengths or not (what.days or what.clocks or what.parts):
        return what.days
    if what.days:
        return _so_much_on(what.days, lengths[0], now)
    return Days(tuple(sorted({later(now, one).date() for one in lengths})))


def _so_much_on(days: Days, by: Length, now: datetime) -> Days:
    """A length of time after a day; "Friday in a week" may be the Friday of that week too."""
    start = datetime.combine(now.date(), time())
    shifted = {later(datetime.combine(day, time()), by).date() for day in days.options}
    if days.today_too:
        there = later(start, by).date()
        monday = there - timedelta(there.weekday())
        shifted |= {monday + timedelta(day.weekday()) for day in days.options}
    return Days(tuple(sorted(shifted)), days.assumed)


def _exactly(now: datetime, by: Length) -> datetime:
    """Counted in absolute time, whatever the clocks do meanwhile."""
    zone = now.tzinfo
    return (now.astimezone(UTC) + timedelta(minutes=by.minutes)).astimezone(zone)


def _of_length(now: datetime, by: Length) -> Option:
    wall = later(now.replace(tzinfo=None), by)
    at, assumed = on_the_wall(wall, _zone(now))
    return Option(at, assumed)


def _zone(now: datetime) -> ZoneInfo:
    return cast(ZoneInfo, now.tzinfo)


def _earlier(one: Option, by: Length | None) -> Option:
    if not by:
        return one
    day = later(one.at.replace(tzinfo=None), Length(-by.months, -by.days))
    return Option(_exactly(day.replace(tzinfo=one.at.tzinfo), Length(minutes=-by.minutes)), one.assumed)


def _timed(what: Said, days: Days | None, now: datetime) -> Iterator[Option]:
    """Each day with each time of day that is said."""
    if what.clocks:
        for clock in what.clocks:
            yield from _clocked(clock, days, now)
    elif what.parts:
        for part in what.parts:
            yield from _parted(part, days, now)
    elif days and not what.unread:
        yield from _usual(days, now)


def _clocked(clock: Clock, days: Days | None, now: datetime) -> Iterator[Option]:
    today = now.date()
    if days is None:
        yield from _at(today, clock, (), now) or _at(today + _DAY, clock, ("day",), now)
        return
    for day in _with_today(days, today):
        yield from _at(day, clock, days.assumed, now) or _past(day, clock, now)


def _with_today(days: Days, today: date) -> tuple[date, ...]:
    """ "Monday at nine", on a Monday: it may be today."""
    return (today, *days.options) if days.today_too and days.options == (today + _WEEK,) else days.options


def _past(day: date, clock: Clock, now: datetime) -> list[Option]:
    """A time that is over, so that the customer is told."""
    return [Option(on_the_wall(_wall(day, clock.readings[0]), _zone(now))[0])]


def _at(day: date, clock: Clock, assumed: tuple[Assumed, ...], now: datetime) -> list[Option]:
    """The readings that are ahead on that day: the likeliest, or all where the customer has to say."""
    made = [on_the_wall(_wall(day, reading), _zone(now)) for reading in clock.readings]
    ahead = [(at, notes) for at, notes in made if at.astimezone(UTC) > now.astimezone(UTC)]
    taken = ahead if clock.open else ahead[:1]
    return [Option(at, (*assumed, *_half(clock, at), *notes)) for at, notes in taken]


def _half(clock: Clock, at: datetime) -> tuple[Assumed, ...]:
    """ "At three" was taken for the afternoon."""
    return ("half",) if clock.assumed and at.hour > 12 else ()


def _wall(day: date, reading: timedelta) -> datetime:
    return datetime.combine(day, time()) + reading


def _parted(part: Part, days: Days | None, now: datetime) -> Iterator[Option]:
    """ "Tomorrow evening" at its usual hour; one that has begun is in an hour, while it lasts."""
    today = now.date()
    for day in _with_today(days, today) if days else (today,):
        begun = day == today and _wall(day, part.at) <= now.replace(tzinfo=None)
        soon = _exactly(now, Length(minutes=60)).replace(second=0)
        still = soon.replace(tzinfo=None) < _wall(day, part.over)
        if begun and still and (days or part.waits):
            yield Option(soon, ("time",))
        elif begun and not days:
            yield _on(today + _DAY, part.at, ("day", "time"), now)
        else:
            yield _on(day, part.at, (*(days.assumed if days else ()), "time"), now)


def _on(day: date, reading: timedelta, assumed: tuple[Assumed, ...], now: datetime) -> Option:
    at, notes = on_the_wall(_wall(day, reading), _zone(now))
    return Option(at, (*assumed, *notes))


def _usual(days: Days, now: datetime) -> Iterator[Option]:
    """A day without a time: at the usual hour. Today's may be over: then nothing is known of the time, unless the words
    were for several days, of which tomorrow is the next."""
    for day in days.options:
        late = day == now.date() and _wall(day, _USUAL) <= now.replace(tzinfo=None)
        if late and "day" in days.assumed and day.weekday() < 6:
            yield _on(day + _DAY, _USUAL, (*days.assumed, "time"), now)
        elif not late:
            yield _on(day, _USUAL, (*days.assumed, "time"), now)
