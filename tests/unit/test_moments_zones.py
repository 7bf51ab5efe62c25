"""The customer's time zone: what they say themselves beats their telephone number, that beats the tenant's."""

import json
from pathlib import Path
from typing import Any
from zoneinfo import available_timezones

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnkey.moments import is_zone, wish, zone_of
from turnkey.moments.places import place_name, zone_data

CASES = Path("tests/cases")
TWELVE = ("en", "de", "fr", "es", "it", "pt", "ru", "zh", "ja", "ko", "ar", "tr")
SETS = ("zone_wishes.jsonl", "zone_wishes_more.jsonl")


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", SETS)
def test_a_place_is_the_customers_only_where_they_say_so(name: str) -> None:
    """Books about Tokyo and parcels to Tokyo are no wish."""
    wrong = [
        (case["text"], got) for case in cases(name) if (got := wish(case["text"], case["language"])) != case["zone"]
    ]
    assert wrong == []


def test_a_wish_is_heard_in_another_language_than_the_conversations() -> None:
    assert wish("我在东京", "en") == "Asia/Tokyo"
    assert wish("I'm in Tokyo", "zh") == "Asia/Tokyo"


@pytest.mark.parametrize(
    ("sender", "zone"),
    [
        ("+4915112345678", "Europe/Berlin"),
        ("4915112345678", "Europe/Berlin"),
        ("whatsapp:+81 90 1234 5678", "Asia/Tokyo"),
        ("905321234567@s.whatsapp.net", "Europe/Istanbul"),
        ("+12125551234", "America/New_York"),
        ("+13105551234", "America/Los_Angeles"),
        ("5215512345678", "America/Mexico_City"),
        ("+5592987654321", "America/Manaus"),
        ("+447700900123", "Europe/London"),
        ("+8613800138000", "Asia/Shanghai"),
    ],
)
def test_a_telephone_number_tells_the_zone(sender: str, zone: str) -> None:
    assert zone_of(sender=sender, tenant_zone="Pacific/Fiji") == zone
    assert zone_of(conversation=sender, tenant_zone="Pacific/Fiji") == zone


@pytest.mark.parametrize(
    "sender", ["", "web-7f3a", "123456789", "5551234567", "U0123ABCD", "+18005551234", "+999123456789"]
)
def test_ids_that_are_no_number_of_a_place_leave_the_tenants_zone(sender: str) -> None:
    assert zone_of(sender=sender, tenant_zone="Asia/Seoul") == "Asia/Seoul"


@pytest.mark.parametrize(
    ("sender", "tenant", "zone"),
    [
        ("+79161234567", "Asia/Novosibirsk", "Asia/Novosibirsk"),
        ("+79161234567", "Europe/Berlin", "Europe/Moscow"),
        ("+351912345678", "Atlantic/Azores", "Atlantic/Azores"),
        ("+351912345678", "Europe/Paris", "Europe/Lisbon"),
        ("+61412345678", "Australia/Perth", "Australia/Perth"),
        ("+61412345678", "Asia/Tokyo", "Australia/Sydney"),
        ("+77011234567", "Europe/Moscow", "Asia/Almaty"),
    ],
)
def test_a_country_of_several_zones_has_the_tenants_else_that_of_most_people(
    sender: str, tenant: str, zone: str
) -> None:
    assert zone_of(sender=sender, tenant_zone=tenant) == zone


def test_a_wish_beats_the_number_and_the_number_the_tenant() -> None:
    assert zone_of(wished="Asia/Tokyo", sender="+4915112345678", tenant_zone="UTC") == "Asia/Tokyo"
    assert zone_of(wished="Not/AZone", sender="+4915112345678", tenant_zone="UTC") == "Europe/Berlin"
    assert zone_of(tenant_zone="Not/AZone") == "UTC"


def test_every_zone_of_the_tables_is_one() -> None:
    named = {zone for zones in zone_data()["abbreviations"].values() for zone in zones.split()} | set(
        zone_data()["names"]
    )
    places = json.loads(Path("layers/turnkey/turnkey/moments/data/places.json").read_text(encoding="utf-8"))
    assert (named | set(places)) - available_timezones() == set()


def test_places_are_named_in_the_customers_language() -> None:
    assert [place_name("Europe/Moscow", code) for code in ("en", "ru", "ja", "nl")] == [
        "Moscow",
        "Москва",
        "モスクワ",
        "Moscow",
    ]
    assert place_name("America/Port_of_Spain", "de") == "Port of Spain"
    assert place_name("Etc/GMT-3", "de") == ""


@settings(max_examples=200, deadline=None)
@given(
    text=st.one_of(st.text(max_size=80), st.sampled_from([case["text"] for name in SETS for case in cases(name)])),
    language=st.sampled_from((*TWELVE, "", "nl")),
    sender=st.text(alphabet="+0123456789@:. abc", max_size=20),
)
def test_no_text_and_no_sender_breaks_it(text: str, language: str, sender: str) -> None:
    wished = wish(text, language)
    assert wished == "" or is_zone(wished)
    assert is_zone(zone_of(wished=wished, sender=sender, tenant_zone="UTC"))
