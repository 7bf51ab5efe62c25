"""The country by which a telephone number without a country code is read.

In this order: the country of the number that the customer writes from, where the channel's id of the sender or of the
conversation is one; the region that the tenant's manifest names; that of the customer's time zone, which is the
tenant's unless they named another; the country in which their language is most at home.
"""

import json
import re
from functools import cache
from pathlib import Path

_DATA = Path(__file__).parent / "data" / "regions.json"
"""Zones by country: from zone.tab and the links of the time zone database, which is in the public domain."""
_LANGUAGES = {
    "en": "US",
    "de": "DE",
    "fr": "FR",
    "es": "ES",
    "pt": "BR",
    "it": "IT",
    "ru": "RU",
    "zh": "CN",
    "ja": "JP",
    "ko": "KR",
    "ar": "SA",
    "tr": "TR",
}
_SCRIPTS = {"Hant": "TW"}
# whatsapp:+49151…, +49 151 …, 49151…@s.whatsapp.net
_NUMBER = re.compile(r"(?:[a-z]{2,12}:)?(?P<plus>\+|00)?(?P<digits>\d{7,15})(?P<server>@[\w.-]+)?", re.IGNORECASE)
_SHORTEST_BARE = 11
"""Digits without a plus that can be a number: shorter ones are some channels' ids of people."""


def regions(
    *, sender: str = "", conversation: str = "", manifest: str = "", time_zone: str = "", language: str = ""
) -> tuple[str, ...]:
    """Two-letter codes, the one to be tried first in front; empty where nothing tells."""
    written = (of_number(sender), of_number(conversation))
    found = (*written, manifest, of_zone(time_zone), of_language(language))
    return tuple(dict.fromkeys(region for region in found if region))


def of_number(address: str) -> str:
    """The country of a sender's or conversation's id that is a telephone number with its country code, or nothing."""
    import phonenumbers

    found = _NUMBER.fullmatch("".join(address.split()))
    if not found or not (found["plus"] or found["server"] or len(found["digits"]) >= _SHORTEST_BARE):
        return ""
    try:
        number = phonenumbers.parse(f"+{found['digits']}")
    except phonenumbers.NumberParseException:
        return ""
    return (phonenumbers.region_code_for_number(number) or "") if phonenumbers.is_valid_number(number) else ""


def of_zone(time_zone: str) -> str:
    """The country that a time zone is named for, or nothing, as of UTC."""
    return _by_zone().get(time_zone, "")


def of_language(language: str) -> str:
    """That of a language tag: the one it names, or the one where most who write it are."""
    first, *others = language.replace("_", "-").split("-")
    named = next((part.upper() for part in others if part.upper() in known()), "")
    scripts = (_SCRIPTS.get(part.title(), "") for part in others)
    return named or next(filter(None, scripts), "") or _LANGUAGES.get(first.lower(), "")


def known() -> frozenset[str]:
    """Codes of all countries with a time zone."""
    return frozenset(_by_zone().values())


@cache
def _by_zone() -> dict[str, str]:
    zones: dict[str, str] = json.loads(_DATA.read_text(encoding="utf-8"))
    return {zone: region for region, names in zones.items() for zone in names.split()}
