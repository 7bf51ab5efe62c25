"""A time zone that customers say is theirs."""

import re
from functools import cache

from turnkey.moments.named import NamedZone, named_zone
from turnkey.moments.places import PlacePhrase, zone_data
from turnkey.reading.language import languages
from turnkey.reading.script import fold

_MOST = 600
_BEFORE, _AFTER = 24, 14
"""Characters around the name of a zone in which "time zone" belongs to it."""
_SAID = re.compile(r"\w")
_NOTHING = 2
"""Letters that are no word of their own: a preposition that hangs on to the zone's name."""


def wish(text: str, language: str) -> str:
    """The IANA zone that the customer says they are in ("I'm in Tokyo", "my time zone is CET", "我在东京"); "" where
    they say none: a place that is spoken of, shipped to or asked about is not theirs."""
    text = text[:_MOST]
    folded = fold(text)
    for code in dict.fromkeys((language.split("-")[0], *languages(text, default=("en",)), "en")):
        if code in zone_data()["here"] and (here := _here(folded, code)):
            return here
    named = named_zone(text)
    return named.zone if named and _is_mine(named) else ""


def _here(folded: str, language: str) -> str:
    """The zone of the place where they say they are, now and not later."""
    for phrase in _statements(language):
        for place in phrase.find(folded):
            if not _later().match(folded, place.end) and not _others().search(folded[: place.start]):
                return place.zone
    return ""


def _is_mine(named: NamedZone) -> bool:
    """Whether the zone is said to be theirs: by "time zone" or "I am on" beside it, or because nothing else is said."""
    before, after = fold(named.text[: named.start]), fold(named.text[named.end :])
    if len(_SAID.findall(_polite().sub("", f"{before} {after}"))) <= _NOTHING:
        return True
    words, mine, yours = _signs()
    near = f"{before[-_BEFORE:]}|{after[:_AFTER]}"
    return bool(words.search(near) or mine.search(before)) and not yours.search(before[-2 * _BEFORE :])


@cache
def _signs() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    data = zone_data()
    return (
        re.compile(fold(data["zone_words"])),
        re.compile(rf"(?:{fold(data['mine'])})$"),
        re.compile(fold(data["yours"])),
    )


@cache
def _polite() -> re.Pattern[str]:
    return re.compile(fold(zone_data()["polite"]))


@cache
def _others() -> re.Pattern[str]:
    """ "My friend is": what stands before a place where someone else is."""
    return re.compile(fold(zone_data()["others"]))


@cache
def _later() -> re.Pattern[str]:
    return re.compile(fold(zone_data()["later"]))


@cache
def _statements(language: str) -> tuple[PlacePhrase, ...]:
    return tuple(PlacePhrase.of(phrase) for phrase in zone_data()["here"][language])
