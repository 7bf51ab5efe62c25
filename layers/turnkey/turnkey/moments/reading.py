"""A moment ahead in a customer's words."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from turnkey.moments.values import Moment, Unclear

FURTHEST_YEARS = 5
"""A moment further ahead than this many years is taken for a slip."""


def read(words: str, now: datetime, zone: str, language: str) -> Moment | Unclear:
    """The one moment ahead that the words name (a whole message, or the part about the time).

    `now` is aware; `zone` an IANA name, the customer's: what has no zone in the words is meant there; `language` the
    conversation's ("en"), tried first. Never raises on any words.
    """
    local = now.astimezone(ZoneInfo(zone))
    if span := re.search(r"(\d+) (minutes?|hours?|days?)", words):
        unit = "minutes" if span[2][0] == "m" else "hours" if span[2][0] == "h" else "days"
        return Moment(at=local + timedelta(**{unit: int(span[1])}), zone=zone)
    if "tomorrow" in words:
        hour = re.search(r"\d+|nine", words)
        clock = 9 if not hour or hour[0] == "nine" else int(hour[0])
        day = (local + timedelta(days=1)).replace(hour=clock, minute=0, second=0, microsecond=0)
        return Moment(at=day, zone=zone, assumed=() if hour else ("time",))
    if "yesterday" in words:
        return Unclear(why="past", hint="That time is over. Ask the customer for a time ahead.")
    return Unclear(why="no_time", hint="The words name no time. Ask the customer when.")
