"""Time zones of telephone numbers."""

import re
from typing import TYPE_CHECKING

from turnkey.contacts.regions import of_zone
from turnkey.moments.known import is_zone

if TYPE_CHECKING:
    from phonenumbers import PhoneNumber

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
    """The zone of a sender's or conversation's id that is a telephone number with its country code; "" where it is
    none, or of no place. Of several zones of its area, or of the country of a mobile number, it is `likely` if that is
    among them, else the one with most people."""
    number = _number("".join(address.split()))
    if number is None:
        return ""
    zones = _zones(number)
    if likely in zones or _may_be_there(number, likely, zones):
        return likely
    return next((zone for zone in _MOST_PEOPLE if zone in zones), "".join(zones[:1]))


def _number(address: str) -> "PhoneNumber | None":
    import phonenumbers

    found = _NUMBER.fullmatch(address)
    if not found or not (found["plus"] or found["server"] or len(found["digits"]) >= _SHORTEST_BARE):
        return None
    try:
        number = phonenumbers.parse(f"+{_MEXICAN_MOBILE.sub('52', found['digits'])}")
    except phonenumbers.NumberParseException:
        return None
    likely = phonenumbers.is_possible_number(number) if found["plus"] else phonenumbers.is_valid_number(number)
    return number if likely else None


def _zones(number: "PhoneNumber") -> tuple[str, ...]:
    """The zones of the number's area; of a mobile number, of its country's greatest part."""
    from phonenumbers.timezone import time_zones_for_geographical_number

    zones = time_zones_for_geographical_number(number)
    return tuple(zone for zone in zones if is_zone(zone)) if len(zones) <= _MOST_ZONES else ()


def _may_be_there(number: "PhoneNumber", zone: str, zones: tuple[str, ...]) -> bool:
    """A number that is of no area may be anywhere in its country."""
    import phonenumbers
    from phonenumbers.timezone import time_zones_for_number

    region = phonenumbers.region_code_for_number(number)
    return bool(zones) and set(time_zones_for_number(number)) != set(zones) and bool(region) and of_zone(zone) == region
