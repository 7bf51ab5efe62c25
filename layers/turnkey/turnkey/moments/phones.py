"""Time zones of telephone numbers."""

import re

from turnkey.moments.known import is_zone

_NUMBER = re.compile(r"(?:[a-z]{2,12}:)?(?P<plus>\+|00)?(?P<digits>\d{7,15})(?P<server>@[\w.-]+)?", re.IGNORECASE)
_SHORTEST_BARE = 11
"""Digits without a plus that can be a number: shorter ones are some channels' ids of people."""
_MEXICAN_MOBILE = re.compile(r"521(?=\d{10}$)")
"""WhatsApp keeps the 1 that Mexico gave up in 2019."""
_MOST_ZONES = 20
"""A number of more zones belongs to no place: toll-free numbers of a continent."""
_MOST_PEOPLE = (
    "America/New_York",
    "America/Toronto",
    "America/Mexico_City",
    "America/Sao_Paulo",
    "America/Santiago",
    "America/Guayaquil",
    "Europe/Madrid",
    "Europe/Lisbon",
    "Europe/London",
    "Europe/Berlin",
    "Europe/Helsinki",
    "Europe/Moscow",
    "Europe/Kyiv",
    "Asia/Almaty",
    "Asia/Jakarta",
    "Asia/Shanghai",
    "Australia/Sydney",
    "Pacific/Auckland",
    "Pacific/Tahiti",
    "Africa/Kinshasa",
)
"""Of countries with several zones, the one with most people."""


def zone_of_number(address: str, likely: str) -> str:
    """The zone of a sender's or conversation's id that is a telephone number with its country code; "" where it is none,
    or of no place. Of several zones of its area it is `likely` if that is among them, else the one with most people."""
    zones = _zones("".join(address.split()))
    if not zones or len(zones) == 1:
        return "".join(zones)
    if likely in zones:
        return likely
    return next((zone for zone in _MOST_PEOPLE if zone in zones), zones[0])


def _zones(address: str) -> tuple[str, ...]:
    """The zones in which the number's area lies, or its whole country where it moves about."""
    import phonenumbers
    from phonenumbers.timezone import time_zones_for_geographical_number

    found = _NUMBER.fullmatch(address)
    if not found or not (found["plus"] or found["server"] or len(found["digits"]) >= _SHORTEST_BARE):
        return ()
    try:
        number = phonenumbers.parse(f"+{_MEXICAN_MOBILE.sub('52', found['digits'])}")
    except phonenumbers.NumberParseException:
        return ()
    likely = phonenumbers.is_possible_number(number) if found["plus"] else phonenumbers.is_valid_number(number)
    zones = tuple(time_zones_for_geographical_number(number)) if likely else ()
    return tuple(zone for zone in zones if is_zone(zone)) if len(zones) <= _MOST_ZONES else ()
