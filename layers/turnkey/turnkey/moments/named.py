"""Time zones named in words: "3pm Tokyo time", "UTC+3", "PST"."""

import re
from functools import cache
from typing import NamedTuple

from turnkey.moments.known import is_zone
from turnkey.moments.places import PlacePhrase, zone_data
from turnkey.reading.script import fold

_OFFSET = re.compile(
    r"(?<![a-z])(?:utc|gmt)\s*(?:(?P<sign>[+\-−–])\s*(?P<hours>1[0-4]|0?\d)(?::?(?P<minutes>[0-5]\d))?)?(?![a-z\d])",
    re.I,
)
_ISO_OFFSET = re.compile(r"(?<=\d)(?:Z|(?P<sign>[+-])(?P<hours>\d\d):?(?P<minutes>\d\d))(?![\w:])")
_ISO_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?")
_BROKEN = {"+3:30": "Asia/Tehran", "+4:30": "Asia/Kabul", "+5:30": "Asia/Kolkata", "+5:45": "Asia/Kathmandu",
           "+6:30": "Asia/Yangon", "+8:45": "Australia/Eucla", "+9:30": "Australia/Darwin", "-3:30": "America/St_Johns",
           "-9:30": "Pacific/Marquesas"}  # fmt: skip
_FURTHEST_WEST = 12
_DATABASE = re.compile(r"[A-Z][A-Za-z]+(?:/[A-Z][\w+-]+){1,2}", re.ASCII)
_SHORT = re.compile(r"(?<=\d)\s?$|[ap]\.?m\.?\s?$", re.I)
_CUES = re.compile(
    r"time|zeit|heure|hora|ora|saati|tsi|по |врем|мск|توقيت|时间|時間|標準時|시간|표준시"
    r"|us (?:pacific|eastern|central|mountain)"
)


class NamedZone(NamedTuple):
    """A zone, and where it is named in `text`, which is what was given or that folded."""

    text: str
    start: int
    end: int
    zone: str

    @property
    def rest(self) -> str:
        """The text without it."""
        return f"{self.text[: self.start]} {self.text[self.end :]}"


def named_zone(text: str, near: str = "") -> NamedZone | None:
    """The first zone that the text names; none where it names none. An abbreviation that several zones have ("CST") is
    that of `near` where it is one of them."""
    found = _written_out(text) or _offset(text) or _abbreviated(text, near)
    if found or not _CUES.search(folded := fold(text)):
        return found
    if name := _names()[0].search(folded):
        return NamedZone(folded, *name.span(), _names()[1][name[0]])
    found_places = (place for phrase in _place_times() for place in phrase.find(folded))
    place = next(found_places, None)
    return NamedZone(folded, place.start, place.end, place.zone) if place else None


def _written_out(text: str) -> NamedZone | None:
    """As the time zone database has it."""
    match = next((one for one in _DATABASE.finditer(text) if is_zone(one[0])), None)
    return NamedZone(text, *match.span(), match[0]) if match else None


def _offset(text: str) -> NamedZone | None:
    stamp = _ISO_TIME.search(text)
    match = _ISO_OFFSET.match(text, stamp.end()) if stamp else _OFFSET.search(text)
    if not match:
        return None
    zone = fixed(match["sign"] or "+", int(match["hours"] or 0), int(match["minutes"] or 0))
    return NamedZone(text, *match.span(), zone) if zone else None


def fixed(sign: str, hours: int, minutes: int) -> str:
    """The zone that is always so far from UTC; of one with half an hour the best known; "" where there is none."""
    ahead = sign == "+"
    if minutes:
        return _BROKEN.get(f"{'+' if ahead else '-'}{hours}:{minutes:02}", "")
    if not hours:
        return "UTC"
    # The database's names count the other way round.
    return f"Etc/GMT{'-' if ahead else '+'}{hours}" if ahead or hours <= _FURTHEST_WEST else ""


def _abbreviated(text: str, near: str) -> NamedZone | None:
    table: dict[str, str] = zone_data()["abbreviations"]
    for match in re.finditer(r"(?<![A-Za-zА-я])(?:[A-Z]{2,4}|МСК|мск)(?![A-Za-zА-я])", text):
        zones = table.get(match[0], "").split()
        if zones and (len(match[0]) > 2 or _SHORT.search(text[: match.start()])):
            return NamedZone(text, *match.span(), near if near in zones else zones[0])
    return None


@cache
def _names() -> tuple[re.Pattern[str], dict[str, str]]:
    names = {fold(name): zone for zone, many in zone_data()["names"].items() for name in many.split("|")}
    longest = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<![a-zа-я])(?:{'|'.join(map(re.escape, longest))})(?![a-zа-я])"), names


@cache
def _place_times() -> tuple[PlacePhrase, ...]:
    """ "Tokyo time" in each of the languages."""
    return tuple(PlacePhrase.of(phrase) for many in zone_data()["times"].values() for phrase in many)
