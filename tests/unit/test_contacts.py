"""What is kept of a customer stands in their own messages, is valid, and replaces what was there without losing it."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from turnkey.asks import wants
from turnkey.contacts import checking
from turnkey.contacts.contact import Contact, Customer, Given, forgotten, kept
from turnkey.contacts.note import Note
from turnkey.contacts.notes import erasing, told
from turnkey.contacts.regions import regions
from turnkey.contacts.saying import Saying, own_texts, senders

CASES: list[dict[str, Any]] = [
    json.loads(line) for line in Path("tests/cases/contacts.jsonl").read_text(encoding="utf-8").splitlines()
]
LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "ru", "zh", "ja", "ko", "ar", "tr")
NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
ANN = Customer(connection="web", conversation="c-1", sender="u-1")


def of_case(case: dict[str, Any]) -> tuple[str, ...]:
    return regions(
        sender=case.get("sender", "u-1"),
        conversation="c-1",
        manifest=case.get("region", ""),
        time_zone=case.get("zone", "UTC"),
        language=case["language"],
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['field']}-{case['language']}-{case['given']}")
def test_a_value_is_kept_as_it_should_be_or_refused_for_its_reason(case: dict[str, Any]) -> None:
    checked = checking.check({case["field"]: case["given"]}, [case["text"]], of_case(case))
    refused = checked.refused.get(case["field"])
    if "refused" in case:
        assert refused
        assert refused.why == case["refused"]
    else:
        assert not refused
        assert checked.given[case["field"]].value == case["kept"]


def test_the_cases_cover_what_they_are_to_cover() -> None:
    assert {case["language"] for case in CASES} == set(LANGUAGES)
    assert len({of_case(case)[0] for case in CASES if case["field"] == "phone" and "zone" in case}) >= 15
    assert sum("refused" in case for case in CASES) >= 15


def test_a_number_is_kept_with_what_the_customer_wrote() -> None:
    checked = checking.check({"phone": "+4915123456789"}, ["tel. 0151/234 567 89 ext. 5"], ("DE",))
    assert checked.given["phone"] == Given(value="+4915123456789", written="0151/234 567 89 ext. 5")


SENTENCES = (
    "My number is {}, thanks",
    "Meine Nummer: {}.",
    "我的电话是{}谢谢",
    "電話は{}です",
    "제 번호는 {}이에요",
    "numaram {}'dir",
)


@pytest.mark.parametrize("kind", [0, 1], ids=["fixed", "mobile"])
def test_a_number_of_any_country_is_kept_and_none_is_found_inside_a_longer_one(kind: int) -> None:
    import phonenumbers

    forms = phonenumbers.PhoneNumberFormat
    for place, region in enumerate(sorted(phonenumbers.SUPPORTED_REGIONS)):
        example = phonenumbers.example_number_for_type(region, kind)
        if not example:
            continue
        whole = phonenumbers.format_number(example, forms.E164)
        for form in (forms.NATIONAL, forms.INTERNATIONAL):
            written = phonenumbers.format_number(example, form)
            text = SENTENCES[place % len(SENTENCES)].format(written)
            for given_as in (whole, written):
                checked = checking.check({"phone": given_as}, [text], (region,))
                assert checked.given["phone"].value == whole, (region, text, given_as)
        for text in (f"code 9{whole[1:]}7", f"ref AB{whole[1:]}", f"{whole[1:]}@s.example"):
            assert checking.check({"phone": whole}, [text], (region,)).refused, (region, text)


def test_a_reason_tells_what_to_do_and_repeats_no_value() -> None:
    checked = checking.check({"phone": "+49 151 23456789", "email": "ann@x"}, ["ann@x"], ("DE",))
    reasons = checked.reasons()
    assert "ask the customer" in reasons["phone"]
    assert "Ask the customer" in reasons["email"]
    assert "23456789" not in str(reasons)


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ({"sender": "+8613812345678", "time_zone": "Europe/Berlin"}, ("CN", "DE")),
        ({"conversation": "4915123456789@s.whatsapp.net"}, ("DE",)),
        ({"conversation": "4915123456789"}, ("DE",)),
        ({"sender": "7123456789"}, ()),
        ({"sender": "-100123456789012"}, ()),
        ({"manifest": "CH", "time_zone": "Europe/Berlin", "language": "fr"}, ("CH", "DE", "FR")),
        ({"time_zone": "UTC", "language": "zh-Hant"}, ("TW",)),
        ({"language": "pt-PT"}, ("PT",)),
        ({"time_zone": "Asia/Calcutta", "language": "xx"}, ("IN",)),
    ],
)
def test_the_region_comes_from_what_is_nearest_to_the_customer(
    known: dict[str, str], expected: tuple[str, ...]
) -> None:
    assert regions(**known) == expected


def test_only_the_senders_own_words_count_the_newest_first() -> None:
    messages = (Saying("u-1", "a"), Saying("u-2", "b"), Saying("u-1", "c"))
    assert own_texts("u-1", messages, (Saying("u-1", "before"), Saying("u-3", "x"))) == ("c", "a", "before")
    assert senders(messages) == ("u-1", "u-2")


def given(**values: str) -> dict[str, Given]:
    return {field: Given(value=value) for field, value in values.items()}


def test_new_values_are_added_and_changed_ones_keep_what_was_before() -> None:
    first = kept(Contact(id=ANN.id, customer=ANN), given(phone="+1", name="Ann"), NOW, "t1/c0")
    later = NOW + timedelta(days=1)
    second = kept(first, given(phone="+2", name="Ann", email="a@x.de"), later, "t2/c0")
    assert {field: one.value for field, one in second.values.items()} == {
        "phone": "+2",
        "name": "Ann",
        "email": "a@x.de",
    }
    [before] = second.earlier
    assert (before.field, before.value, before.at, before.call, before.until) == ("phone", "+1", NOW, "t1/c0", later)
    assert second.values["name"].at == NOW
    assert kept(second, given(phone="+1"), later, "t1/c0") == second


def test_the_same_address_in_other_letters_is_no_change() -> None:
    first = kept(Contact(id=ANN.id, customer=ANN), given(email="Ann@x.de"), NOW, "a")
    assert kept(first, given(email="ann@x.de"), NOW, "b").earlier == ()


def test_a_field_goes_with_its_past() -> None:
    contact = kept(Contact(id=ANN.id, customer=ANN), given(phone="+1", name="Ann"), NOW, "a")
    contact = forgotten(kept(contact, given(phone="+2"), NOW, "b"), ("phone",), "c")
    assert list(contact.values) == ["name"]
    assert contact.earlier == ()
    assert "+1" not in contact.model_dump_json()


def test_a_contact_is_found_by_what_it_has_or_had_in_any_spelling() -> None:
    contact = Contact(id=ANN.id, customer=ANN)
    contact = kept(contact, {"phone": Given(value="+4930123", written="030 / 123")}, NOW, "a")
    contact = kept(contact, given(phone="+4940999", email="Ann@x.de"), NOW, "b")
    assert all(contact.has("phone", one) for one in ("+4930123", "030123", "+49 40 999"))
    assert contact.has("email", "ann@X.de")
    assert not contact.has("phone", "+49301")


def test_a_customers_id_tells_nothing_and_holds_connections_apart() -> None:
    others = [
        Customer(connection="shop", conversation="c-1", sender="u-1"),
        Customer(connection="web", conversation="c-1", sender="u-2"),
        Customer(connection="web", conversation="u-1"),
    ]
    assert len({ANN.id, *(one.id for one in others)}) == 4
    assert Customer(connection="web", conversation="c-9", sender="u-1").id == ANN.id
    assert "u-1" not in ANN.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_note_says_to_write_has_the_data_erased(language: str) -> None:
    text = told([Note(contact="x", kept=("name", "phone"))], language, "")
    assert erasing(language) in text
    if language != "en":
        assert text != told([Note(contact="x", kept=("name", "phone"))], "en", "")
    quoted = erasing(language).translate(str.maketrans("„“”«»「」", '"""""""')).split('"')[1]
    assert wants("forget", quoted)


def test_the_tenants_own_words_stand_for_the_platforms_and_erasing_is_told_all_the_same() -> None:
    note = [Note(contact="x", kept=("phone",))]
    assert told(note, "de-AT", {"de": "Nur für Rückrufe."}) == f"Nur für Rückrufe. {erasing('de')}"
    assert told(note, "fr", {"de": "Nur für Rückrufe."}).startswith("Enregistré")
    assert told(note, "xx", "Own.") == f"Own. {erasing('en')}"


def test_who_knows_already_is_told_nothing_and_half_a_call_is_owned_up_to() -> None:
    assert told([Note(kept=("phone",))], "en", "") == ""
    assert told([Note(refused=("phone",)), Note(kept=("name",))], "en", "") == "Not noted: phone number."
    assert told([Note(refused=("phone",)), Note(kept=("phone",))], "en", "") == ""
    assert told([Note(refused=("phone",))], "en", "") == ""
