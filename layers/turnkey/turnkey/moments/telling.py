"""A moment, told to the customer."""

from datetime import datetime
from zoneinfo import ZoneInfo


def told(at: datetime, zone: str, language: str, now: datetime, home: str = "") -> str:
    """The moment in words that mean one thing: weekday, date (with the year where it is not this year's), time, in the
    customer's zone. `home` is the tenant's zone: where the customer's is another, the zone is said too."""
    local = at.astimezone(ZoneInfo(zone))
    return f"{local:%A, %d %B %Y, %H:%M}" + (f" ({zone})" if home and home != zone else "")
