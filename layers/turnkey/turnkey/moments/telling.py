"""A moment, told to the customer."""

import json
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from turnkey.moments.places import place_name

_NOON = 12


def told(at: datetime, zone: str, language: str, now: datetime, home: str = "") -> str:
    """The moment in words that mean one thing: weekday, date (with the year where it is not this one), time, in `zone`.

    `home` is the tenant's zone: where the customer's is another, theirs is said too, as it is where clocks show the
    time twice. English for a language that has no table.
    """
    here = ZoneInfo(zone)
    local = at.astimezone(here)
    table = _tables().get(language.split("-")[0], _tables()["en"])
    form = table["near" if local.year == now.astimezone(here).year else "far"]
    twice = local.utcoffset() != local.replace(fold=1 - local.fold).utcoffset()
    said = form.format(**_parts(local, table))
    return f"{said} ({_zone(local, zone, language)})" if twice or (home and home != zone) else said


@cache
def _tables() -> dict[str, dict[str, Any]]:
    return json.loads((Path(__file__).parent / "data" / "telling.json").read_text(encoding="utf-8"))


def _parts(local: datetime, table: dict[str, Any]) -> dict[str, Any]:
    return {
        "weekday": table["weekdays"][local.weekday()],
        "day": local.day,
        "month": table["months"][local.month - 1] if table["months"] else "",
        "number": local.month,
        "year": local.year,
        "hour": f"{local.hour:02}",
        "minute": f"{local.minute:02}",
        "h12": local.hour % _NOON or _NOON,
        "half": table["halves"][local.hour >= _NOON] if table["halves"] else "",
    }


def _zone(local: datetime, zone: str, language: str) -> str:
    """Its city, and how far it is from UTC at that time: "Tokyo, UTC+9"."""
    city = place_name(zone, language)
    offset = int((local.utcoffset() or local - local).total_seconds() // 60)
    hours, minutes = divmod(abs(offset), 60)
    distance = f"UTC{'+' if offset >= 0 else '-'}{hours}{f':{minutes:02}' if minutes else ''}" if offset else "UTC"
    return f"{city}, {distance}" if city else distance
