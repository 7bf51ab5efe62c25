"""A time zone that customers say is theirs."""

import re
from functools import cache

from turnkey.moments.named import NamedZone, named_zone
from turnkey.moments.places import place_pattern, zone_data, zone_of_place
from turnkey.reading.language import languages
from turnkey.reading.script import fold

_MOST = 600
_BEFORE, _AFTER = 24, 14
"""Characters around the name of a zone in which "time zone" belongs to it."""
_LETTERS = re.compile(r"[^\W\d_]")


def wish(text: str, language: str) -> str:
    """The IANA zone that the customer says they are in ("I'm in Tokyo", "my time zone is CET", "我在东京"); "" where they
    say none: a place that is spoken of, shipped to or asked about is not theirs."""
    text = text[:_MOST]
    folded = fold(text)
    for code in dict.fromkeys((language.split("-")[0], *languages(text, default=("en",)), "en")):
        if code in zone_data()["here"] and (here := _here(folded, code)):
            return here
    named = named_zone(text)
    return named.zone if named and _is_mine(named) else ""


def _here(folded: str, language: str) -> str:
    """The zone of the place where they say they are, now and not later."""
    for match in _statements(language).finditer(folded):
        if not _later().match(folded, match.end()):
            return zone_of_place(next(said for said in match.groups() if said))
    return ""


def _is_mine(named: NamedZone) -> bool:
    """Whether the zone is said to be theirs: by "time zone" or "I am on" beside it, or because nothing else is said."""
    before, after = fold(named.text[: named.start]), fold(named.text[named.end :])
    if not _LETTERS.search(before + after) and not re.search(r"\d", before + after):
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
def _later() -> re.Pattern[str]:
    return re.compile(fold(zone_data()["later"]))


@cache
def _statements(language: str) -> re.Pattern[str]:
    place = place_pattern().replace("?P<place>", "")
    bodies = (fold(phrase).replace("{place}", place) for phrase in zone_data()["here"][language])
    return re.compile(f"(?:{'|'.join(bodies)})" + ("" if language in ("zh", "ja", "ko", "tr") else r"(?!\w)"))
