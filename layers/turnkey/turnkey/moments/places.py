"""Cities and countries by their names in twelve languages, and the time zones they keep (data/places.json).

A city that the table lacks is known by the English name that the time zone database gives it.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import available_timezones

from turnkey.reading.script import fold

_DATA = Path(__file__).parent / "data"
_NO_PLACES = ("Etc", "US", "SystemV", "posix", "right", "Canada", "Mexico", "Brazil", "Chile", "Antarctica")
_OTHER_WORDS = frozenset(
    {"Pacific/Easter", "Indian/Christmas", "America/North_Dakota/Center", "Pacific/Midway", "Indian/Reunion"}
)
"""Zones whose names mean something else first: "at Christmas time"."""
_LONGEST = 32
_ENDINGS = range(4)
"""Letters by which a Russian name may differ at its end."""
_CYRILLIC = re.compile("[а-я]$")
_ARTICLE = re.compile("^(?:le|la|el|il) ")
_LETTER = re.compile(r"[^\W\d_]")
_SPACELESS = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")


class Place(NamedTuple):
    """A place in a text, with the phrase around it, and its zone."""

    start: int
    end: int
    zone: str


class PlacePhrase(NamedTuple):
    """What stands before and after a place: "i'm in {place}"."""

    before: re.Pattern[str] | None
    after: re.Pattern[str]

    @classmethod
    def of(cls, phrase: str) -> "PlacePhrase":
        """From its words with "{place}" among them."""
        before, after = fold(phrase).split("{place}")
        return cls(re.compile(before) if before else None, re.compile(after))

    def find(self, text: str) -> Iterator[Place]:
        """The phrase with every place that is known in it; `text` is folded."""
        if self.before:
            yield from (place for match in self.before.finditer(text) if (place := self._ahead(text, match)))
        else:
            yield from (place for match in self.after.finditer(text) if (place := _behind(text, match)))

    def _ahead(self, text: str, match: re.Match[str]) -> Place | None:
        for end in range(min(len(text), match.end() + _LONGEST), match.end(), -1):
            zone = _zone(text[match.end() : end])
            after = self.after.match(text, end) if zone else None
            if after and _is_edge(text, after.end()):
                return Place(match.start(), after.end(), zone)
        return None


def _behind(text: str, match: re.Match[str]) -> Place | None:
    for start in range(max(0, match.start() - _LONGEST), match.start()):
        zone = _zone(text[start : match.start()])
        if zone and _is_edge(text, start):
            return Place(start, match.end(), zone)
    return None


def _is_edge(text: str, at: int) -> bool:
    """Whether no word goes on there; scripts without spaces have no such edges."""
    around = text[max(0, at - 1) : at + 1]
    return not (len(_LETTER.findall(around)) == 2 and not _SPACELESS.search(around))


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
    """The city that a zone is named for, in the language where it is known, else in English; "" for UTC."""
    order: list[str] = zone_data()["order"]
    if zone in _rows():
        return _rows()[zone][0][order.index(language) if language in order else 0]
    return zone.rsplit("/", 1)[-1].replace("_", " ") if _is_city(zone) else ""


@cache
def _places() -> dict[str, str]:
    """Zones by the folded names of their places, and of Russian ones by those without their ending."""
    english = {fold(place_name(zone, "en")): zone for zone in sorted(available_timezones()) if _is_city(zone)}
    named = {fold(name): zone for zone, rows in _rows().items() for row in rows for name in row}
    named |= {_ARTICLE.sub("", name): zone for name, zone in named.items()}
    return english | {_stem(name): zone for name, zone in named.items() if _CYRILLIC.search(name)} | named


def _is_city(zone: str) -> bool:
    return "/" in zone and zone.split("/")[0] not in _NO_PLACES and zone not in _OTHER_WORDS


def _stem(name: str) -> str:
    return re.sub("[аяыьи]$", "", name) if len(name) > 4 else name


def _zone(said: str) -> str:
    """The zone of a place, in any of its Russian cases; "" where there is no such place."""
    cuts = _ENDINGS if _CYRILLIC.search(said) else range(1)
    return next((zone for cut in cuts if (zone := _places().get(said[: len(said) - cut], ""))), "")
