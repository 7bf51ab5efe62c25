"""Cities and countries by their names in twelve languages, and the time zones they keep (data/places.json).

A city that the table lacks is known by the English name that the time zone database gives it.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import available_timezones

from turnkey.reading.script import fold

_DATA = Path(__file__).parent / "data"
_NO_PLACES = ("Etc", "US", "SystemV", "posix", "right", "Canada", "Mexico", "Brazil", "Chile")
_RUSSIAN_ENDING = r"[а-я]{0,3}"


@cache
def zone_data() -> dict[str, Any]:
    """What data/zones.json holds: abbreviations, names of zones, and the phrases for one's own place."""
    return json.loads((_DATA / "zones.json").read_text(encoding="utf-8"))


@cache
def _rows() -> dict[str, list[list[str]]]:
    """Zones, and for each the names of its places by language; the first place stands for the zone."""
    rows: dict[str, list[str]] = json.loads((_DATA / "places.json").read_text(encoding="utf-8"))
    return {zone: [_filled(row.split("|")) for row in places] for zone, places in rows.items()}


def _filled(names: list[str]) -> list[str]:
    return [name or names[0] for name in names]


def place_name(zone: str, language: str) -> str:
    """The city that a zone is named for, in the language where it is known, else in English; "" for UTC and the like."""
    order: list[str] = zone_data()["order"]
    if zone in _rows():
        return _rows()[zone][0][order.index(language) if language in order else 0]
    return "" if not _is_city(zone) else zone.rsplit("/", 1)[-1].replace("_", " ")


@cache
def places() -> dict[str, str]:
    """Zones by the folded names of their places; those in Russian without their endings."""
    english = {fold(place_name(zone, "en")): zone for zone in sorted(available_timezones()) if _is_city(zone)}
    russian: int = zone_data()["order"].index("ru")
    return english | {
        (_stem(fold(name)) if index == russian else fold(name)): zone
        for zone, rows in _rows().items()
        for row in rows
        for index, name in enumerate(row)
    }


def _is_city(zone: str) -> bool:
    return "/" in zone and zone.split("/")[0] not in _NO_PLACES


def _stem(name: str) -> str:
    """ "в Москве": a Russian name's endings change."""
    return " ".join(re.sub("[аяыьи]$", "", word) if len(word) > 3 else word for word in name.split(" "))


@cache
def place_pattern() -> str:
    """Finds any place in folded text; what it found is for `zone_of_place`."""
    names = sorted(places(), key=len, reverse=True)
    return f"(?P<place>{'|'.join(_loose(name) for name in names)})"


def _loose(name: str) -> str:
    return " ".join(f"{re.escape(word)}{_RUSSIAN_ENDING if re.search('[а-я]', word) else ''}" for word in name.split(" "))


def zone_of_place(said: str) -> str:
    """The zone of a place as `place_pattern` found it."""
    if said in places():
        return places()[said]
    words = said.split(" ")
    stems = (stem for stem in places() if _is_stem(stem.split(" "), words))
    return places()[max(stems, key=len)]


def _is_stem(stem: list[str], words: list[str]) -> bool:
    pairs = zip(stem, words, strict=False)
    return len(stem) == len(words) and all(0 <= len(word) - len(one) <= 3 and word.startswith(one) for one, word in pairs)
