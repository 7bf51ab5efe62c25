"""The time zones that this machine knows."""

from functools import cache
from zoneinfo import available_timezones


@cache
def _names() -> frozenset[str]:
    return frozenset(available_timezones())


def is_zone(name: str) -> bool:
    """Whether it is the name of an IANA time zone."""
    return name in _names()
