"""What the platform itself says: in twelve languages, never more than is known, plural-safe."""

import json
import re
from pathlib import Path

import pytest

from turnkey.reply import phrases
from turnkey.reply.checks.wording import LANGUAGES
from turnkey.reply.delivery import check
from turnkey.reply.ledger import Fact, Ledger
from turnkey.reply.titles import named

FILES = Path("layers/turnkey/turnkey/reply/data/phrases")
SECRETS = ("B012", "Anna")


def every_sentence(language: str) -> list[str]:
    return [
        phrases.shown_items(language, 5, 12),
        phrases.shown_items(language, 1, 12),
        phrases.shown_items(language, 3, 3),
        phrases.nothing_found(language),
        phrases.nothing_found(language, "whales"),
        phrases.chart_ready(language, "Sales"),
        phrases.chart_ready(language, ""),
        phrases.not_done(language),
        phrases.outcome_unknown(language),
        phrases.need(language, ("A", "B")),
        phrases.need(language, ()),
        phrases.found_facts(language),
        phrases.done(language),
        phrases.partial(language),
        phrases.could_not_look(language),
        phrases.looking(language, ""),
        phrases.looking(language, "Search books"),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_sentence_of_its_own(language: str) -> None:
    said = every_sentence(language)
    assert all(said)
    assert not any(re.search(r"[{}]", sentence) for sentence in said)
    if language != "en":
        assert not set(said) & set(every_sentence("en"))


def test_every_file_has_the_same_sentences_and_places_for_values() -> None:
    files = [json.loads((FILES / f"{language}.json").read_text(encoding="utf-8")) for language in LANGUAGES]
    for key, english in files[0].items():
        if isinstance(english, str):
            places = {tuple(sorted(re.findall(r"\{\w+\}", file[key].replace("{number}", "{month}")))) for file in files}
            assert len(places) == 1, key
    assert all(set(file["objects"]) == set(files[0]["objects"]) for file in files)
    assert all(len(file["months"]) == 12 for file in files)


@pytest.mark.parametrize("language", LANGUAGES)
def test_counts_and_subjects_stand_in_the_sentence(language: str) -> None:
    assert {"5", "12"} <= set(re.findall(r"\d+", phrases.shown_items(language, 5, 12)))
    assert "鯨" in phrases.nothing_found(language, "鯨")
    assert "Umsatz" in phrases.chart_ready(language, "Umsatz")
    assert "Name" in phrases.need(language, ("Name", "Date"))


def test_no_cards_are_never_announced() -> None:
    assert phrases.shown_items("en", 0, 0) == phrases.nothing_found("en")
    assert phrases.shown_items("de", 0, 7) == phrases.nothing_found("de")


def test_all_of_them_need_no_count() -> None:
    assert not re.search(r"\d", phrases.shown_items("en", 3, 3))


def test_a_language_outside_the_twelve_is_answered_in_english() -> None:
    assert phrases.not_done("pl") == phrases.not_done("en") == phrases.not_done("")
    assert phrases.not_done("pt-BR") == phrases.not_done("pt")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_platform_s_own_sentences_pass_its_own_check(language: str) -> None:
    failed = Fact(tool="look", kind="lookup", status="error", text="down")
    for sentence in (
        phrases.not_done(language),
        phrases.nothing_found(language, "whales"),
        phrases.could_not_look(language),
    ):
        assert check(sentence, "items", Ledger(results=(failed,), said="whales"), language) == ()


@pytest.mark.parametrize(
    ("title", "meant"),
    [
        ("Search books", ("search", "book")),
        ("search_books", ("search", "book")),
        ("findFreeSlots", ("search", "slot")),
        ("Get a book", ("get", "book")),
        ("Check stock", ("check", "stock")),
        ("Book an appointment", ("book", "appointment")),
        ("Order status", ("check", "order")),
        ("Place an order", ("order", "order")),
        ("Make a booking", ("book", "booking")),
        ("Cancel an order", ("cancel", "order")),
        ("Draw a chart", ("draw", "chart")),
        ("Set a reminder", ("set", "reminder")),
        ("Opening hours", ("check", "hours")),
        ("Hold for pickup", ("hold", "")),
        ("Frobnicate", ("", "")),
        ("", ("", "")),
        ("Bücher suchen", ("search", "book")),
        ("Rendez-vous annuler", ("cancel", "appointment")),
        ("Cancelar pedido", ("cancel", "order")),
        ("Отменить заказ", ("cancel", "order")),
        ("在庫確認", ("check", "stock")),
        ("予約検索", ("search", "appointment")),
        ("查询订单", ("check", "order")),
        ("예약 취소", ("cancel", "appointment")),
        ("البحث عن الكتب", ("search", "book")),
        ("Kitap ara", ("search", "book")),
    ],
)
def test_a_title_tells_what_is_being_done(title: str, meant: tuple[str, str]) -> None:
    assert named(title) == meant


def test_the_status_line_is_in_the_customer_s_language_whatever_the_title_is_in() -> None:
    assert phrases.looking("de", "Search books") == "Ich suche Bücher…"
    assert phrases.looking("en", "Bücher suchen") == "Searching books…"
    assert phrases.looking("ja", "Book an appointment") == "予約の手続きをしています…"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_status_line_never_repeats_what_it_does_not_know(language: str) -> None:
    for title in ("Search B012 for Anna", "Frobnicate B012 Anna"):
        assert not any(secret in phrases.looking(language, title) for secret in SECRETS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_verb_goes_with_every_thing(language: str) -> None:
    words = phrases.phrases(language)
    for verb, sentence in words["verbs"].items():
        for forms in words["objects"].values():
            said = sentence.format(**forms)
            assert said.endswith("…"), (verb, said)
            assert len(said) < 80
