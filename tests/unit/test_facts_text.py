"""A result as the platform tells it: labels and values in the customer's language, nothing technical."""

import json
from typing import Any

import pytest

from turnkey.reply.checks.wording import LANGUAGES
from turnkey.reply.facts_text import labels, lines
from turnkey.reply.labels import label, state

HOLD = {
    "hold_number": "H1042",
    "book_id": "B012",
    "title": "Emma",
    "customer_name": "Anna Weber",
    "copies": 1,
    "total_eur": 12.9,
}


def told(result: Any, language: str = "en", limit: int = 8) -> list[str]:
    return lines(json.dumps(result, ensure_ascii=False), language, limit).splitlines()


def test_an_object_is_told_a_value_a_line() -> None:
    assert told(HOLD) == ["Booking number: H1042", "Title: Emma", "Name: Anna Weber", "Copies: 1", "Total: €12.90"]


def test_labels_and_values_have_the_language_s_own_form() -> None:
    assert told(HOLD, "de")[-1] == "Gesamtbetrag: 12,90\u00a0€"
    assert told({"start": "2026-12-04T10:00:00"}, "de") == ["Beginn: 4. Dezember 2026, 10:00 Uhr"]
    assert told({"date": "2026-12-04"}, "ja") == ["日付：2026年12月4日"]
    assert told({"date": "2026-12-04"}, "ru") == ["Дата: 4 декабря 2026 г."]
    assert told({"price": 1234.5, "currency": "EUR"}, "fr") == ["Prix : 1\u202f234,50\u00a0€"]
    assert told({"price": "12.90 CHF"}, "de") == ["Preis: 12,90\u00a0CHF"]
    assert told({"available": True}, "es") == ["Disponible: sí"]
    assert told({"status": "sold_out"}, "it") == ["Stato: non disponibile"]


def test_yen_have_no_hundredths() -> None:
    assert told({"price": 1200, "currency": "JPY"}, "ja") == ["価格：¥1,200"]


def test_cents_are_told_as_amounts() -> None:
    assert told({"price_cents": 1290, "currency": "EUR"}) == ["Price: €12.90"]


def test_a_time_in_utc_says_so() -> None:
    assert told({"start": "2026-12-04T10:00:00Z"}) == ["Start: 4 December 2026, 10:00 UTC"]
    assert told({"start": "2026-12-04T10:00:00+01:00"}) == ["Start: 4 December 2026, 10:00"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_usual_fields_have_a_label_in_every_language(language: str) -> None:
    fields = [
        "title",
        "author",
        "price",
        "copies",
        "stock",
        "shelf",
        "date",
        "time",
        "doctor",
        "opening_hours",
        "address",
        "phone",
        "status",
        "number",
        "name",
        "total_eur",
        "order_number",
        "hold_number",
        "description",
        "language",
        "year",
        "room",
        "guests",
        "delivery_date",
        "due_date",
        "email",
        "location",
    ]
    named = [label(field, language) for field in fields]
    assert all(named)
    if language != "en":
        assert sum(own == english for own, english in zip(named, (label(f, "en") for f in fields), strict=True)) <= 5


def test_a_status_has_a_word_in_every_language() -> None:
    words = {state("confirmed", language) for language in LANGUAGES}
    assert all(words)
    assert len(words) > 8


def test_an_unusual_field_is_humanised() -> None:
    assert told({"rainProbability": 0.4, "wind_speed": 12}) == ["Rain probability: 0.4", "Wind speed: 12"]


@pytest.mark.parametrize(
    "hidden",
    [
        {"book_id": "B012"},
        {"uuid": "550e8400-e29b-41d4-a716-446655440000"},
        {"reference": "550e8400-e29b-41d4-a716-446655440000"},
        {"image_url": "https://x.example/a.png"},
        {"created_at": "2026-01-01T00:00:00Z"},
        {"_links": {"self": "/x"}},
        {"note": ""},
        {"items": []},
        {"author": None},
        {"etag": "abc"},
        {"success": True},
        {"hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"},
    ],
)
def test_ids_empty_and_technical_values_are_left_out(hidden: dict[str, Any]) -> None:
    assert told({"title": "Emma", **hidden}) == ["Title: Emma"]


def test_what_the_customer_must_say_is_no_technical_id() -> None:
    assert told({"appointment_id": "A-7731"}) == ["Booking number: A-7731"]


def test_a_list_is_told_an_item_a_line_without_its_length() -> None:
    result = {
        "total": 2,
        "books": [{"title": "Emma", "author": "Jane Austen", "price_eur": 12.9}, {"title": "Ulysses"}],
    }
    assert told(result) == ["– Emma, Jane Austen, €12.90", "– Ulysses"]


def test_nested_values_stand_in_one_line() -> None:
    result = {
        "order": {"status": "shipped", "address": {"city": "Berlin", "street": "Lindenstr. 5"}, "notes": ["a", "b"]}
    }
    assert told(result) == ["Status: on its way", "Address: Lindenstr. 5, Berlin", "Note: a, b"]


def test_items_take_the_currency_of_what_they_are_in() -> None:
    assert told({"currency": "EUR", "items": [{"title": "Emma", "price": 12.9}]}) == ["– Emma, €12.90"]


def test_more_than_the_limit_is_cut_and_said_to_be() -> None:
    rows = [{"title": f"Book {number}"} for number in range(9)]
    assert told(rows, limit=3) == ["– Book 0", "– Book 1", "– Book 2", "There is more than is shown here."]
    assert told(rows, "de", limit=1)[-1] == "Es gibt noch mehr, als hier zu sehen ist."


def test_a_long_list_within_a_line_says_how_many_more() -> None:
    assert told({"opening_hours": list("abcdef")}) == ["Opening hours: a, b, c, d, and 2 more"]


def test_a_long_text_is_cut_with_a_notice() -> None:
    (line,) = told({"description": "word " * 200})
    assert line.endswith("… (shortened)")
    assert len(line) < 330


def test_a_view_s_notice_becomes_a_sentence_for_the_customer() -> None:
    view = '{"books":[{"title":"Emma"}]}\n[PARTIAL: 1 of 300 items. Next start: 1 (read_more, handle r1).]'
    assert lines(view, "en", 8).splitlines() == ["– Emma", "There is more than is shown here."]


def test_a_cut_off_object_is_told_as_far_as_it_can_be_read() -> None:
    assert lines('{"title": "Emma", "copies": 3, "text": "and so', "en", 8) == "Title: Emma\nCopies: 3"


def test_plain_text_is_told_as_it_is_without_its_marks() -> None:
    assert lines("# Hours\n\n**Mon–Fri** 9–18<br>", "en", 8) == "Hours\nMon–Fri 9–18"


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "null", "Traceback (most recent call last): x", "SELECT a FROM b", "true"]
)
def test_what_no_customer_should_read_is_not_told(text: str) -> None:
    assert lines(text, "en", 8) == ""


def test_labels_of_what_is_missing_stand_inside_a_sentence() -> None:
    assert labels(("customer_name", "book_id", "pickup_date"), "en") == ("name", "book", "until")
    assert labels(("date",), "de") == ("Datum",)
    assert labels(("customer_name",), "ja") == ("お名前",)
