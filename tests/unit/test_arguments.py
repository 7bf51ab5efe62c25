"""Filling arguments from facts by the schema: what the words give is filled, what they do not give stays open."""

from datetime import date
from typing import Any

import pytest

from tests.support.demo_tools import tools_of
from turnkey.deliverables.handed import Handed, HandedItem
from turnkey.reading.arguments import fill
from turnkey.reading.asked import Asked
from turnkey.reading.facts import Facts

TODAY = date(2026, 4, 20)  # a Monday
WHALES = Handed(
    tool="search_books",
    kind="items",
    arguments={"query": "whales", "limit": 2},
    items=(
        HandedItem(title="Moby-Dick", price="12.90 EUR", keys={"book_id": "B001"}),
        HandedItem(title="Leviathan", price="19.00 EUR", keys={"book_id": "B002"}),
    ),
    total=9,
)


def asked(message: str, subject: str = "", language: str = "en", **changes: Any) -> Asked:
    facts = Facts(kind=changes.pop("kind", "items"), subject=subject, **changes.pop("facts", {}))
    return Asked(message=message, customer=(message,), facts=facts, language=language, today=TODAY, **changes)


def filled(tool: str, what: Asked) -> dict[str, Any]:
    tenant = "bookshop" if tool in tools_of("bookshop") else "clinic"
    found = tools_of(tenant).get(tool)
    assert found
    return fill(found, what).arguments


@pytest.mark.parametrize(
    ("message", "language", "day"),
    [
        ("anything on friday?", "en", "2026-04-24"),
        ("am Freitag", "de", "2026-04-24"),
        ("vendredi", "fr", "2026-04-24"),
        ("el viernes", "es", "2026-04-24"),
        ("na sexta-feira", "pt", "2026-04-24"),
        ("venerdì", "it", "2026-04-24"),
        ("в пятницу", "ru", "2026-04-24"),
        ("星期五", "zh", "2026-04-24"),
        ("金曜日", "ja", "2026-04-24"),
        ("금요일", "ko", "2026-04-24"),
        ("يوم الجمعة", "ar", "2026-04-24"),
        ("cuma günü", "tr", "2026-04-24"),
        ("tomorrow at 10", "en", "2026-04-21"),
        ("the day after tomorrow", "en", "2026-04-22"),
        ("on Friday next week", "en", "2026-05-01"),
        ("am 4.5. um 15:30 Uhr", "de", "2026-05-04"),
    ],
)
def test_a_day_is_filled_in_as_a_date(message: str, language: str, day: str) -> None:
    assert filled("get_opening_hours", asked(message, language=language, kind="lookup"))["day"] == day


@pytest.mark.parametrize("message", ["I may come with 5 kids", "a book from 1990", "the second one", "under 10 euros"])
def test_what_only_looks_like_a_day_is_none(message: str) -> None:
    assert "date" not in filled("find_slots", asked(message))


@pytest.mark.parametrize(
    ("message", "language", "price"),
    [
        ("anything under 10 euros?", "en", 10),
        ("not more than twelve euros each", "en", 12),
        ("unter 15 €", "de", 15),
        ("moins de 20,50 euros", "fr", 20.5),
        ("menos de 12 euros", "es", 12),
        ("до 15 евро", "ru", 15),
        ("20欧元以下", "zh", 20),
        ("15 euro altında", "tr", 15),
    ],
)
def test_a_limit_on_the_price_is_filled_in(message: str, language: str, price: float) -> None:
    assert filled("search_books", asked(message, "cooking", language))["max_price"] == price


def test_cheaper_than_what_was_shown_is_just_below_the_cheapest() -> None:
    what = asked("something cheaper?", handed=WHALES, elliptical=True, said_before="Moby-Dick, 12.90 EUR")
    assert filled("search_books", what)["max_price"] == 12.89


def test_others_go_on_behind_what_was_shown() -> None:
    what = asked("any others?", "whales", handed=WHALES, elliptical=True, facts={"fresh": True})
    assert filled("search_books", what) == {"query": "whales", "limit": 2, "offset": 2}


def test_a_condition_is_added_to_the_search_before() -> None:
    what = asked("and in German?", "whales", handed=WHALES, elliptical=True)
    assert filled("search_books", what) == {"query": "whales", "limit": 2, "language": "de"}


def test_a_new_subject_replaces_the_one_before() -> None:
    what = asked("what about sharks?", "sharks", handed=WHALES, elliptical=True)
    assert filled("search_books", what)["query"] == "sharks"


@pytest.mark.parametrize(
    ("message", "book"),
    [
        ("is the second one in stock?", "B002"),
        ("the last one please", "B002"),
        ("do you still have Moby-Dick?", "B001"),
        ("is B117 there?", "B117"),
    ],
)
def test_an_id_is_that_of_the_thing_that_is_meant(message: str, book: str) -> None:
    what = asked(message, kind="lookup", handed=WHALES, elliptical=True)
    assert filled("check_stock", what)["book_id"] == book


@pytest.mark.parametrize("message", ["is it in stock?", "the fifth one", "are B001 or B002 there?"])
def test_an_id_that_is_not_plain_stays_open(message: str) -> None:
    what = asked(message, kind="lookup", handed=WHALES, elliptical=True)
    found = tools_of("bookshop").get("check_stock")
    assert found
    assert fill(found, what).missing == ("book_id",)


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("hold B002, my name is Anna Smith", "Anna Smith"),
        ("B002 under the name O'Neil please", "O'Neil"),
        ("bitte B002 auf den Namen Jürgen Weiß", "Jürgen Weiß"),
        ("B002 au nom de Léa Martin", "Léa Martin"),
        ("B002, me llamo José", "José"),
        ("B002, mi chiamo Chiara Rossi", "Chiara Rossi"),
        ("отложите B002, меня зовут Анна Петрова", "Анна Петрова"),
        ("B002,我叫王小明", "王小明"),
        ("B002をお願いします。名前は田中です", "田中"),
        ("B002 부탁해요. 제 이름은 김민수입니다", "김민수"),
        ("B002 من فضلك، اسمي سارة", "سارة"),
        ("B002, adım Ayşe Yılmaz", "Ayşe Yılmaz"),
        ("keep B002 for my daughter Mia", "Mia"),
    ],
)
def test_a_name_is_the_one_that_is_given(message: str, name: str) -> None:
    assert filled("hold_for_pickup", asked(message, kind="action"))["customer_name"] == name


@pytest.mark.parametrize("message", ["hold B002 for Friday", "keep B002 for me", "hold B002 please", "I am in a hurry"])
def test_no_name_is_made_up(message: str) -> None:
    assert "customer_name" not in filled("hold_for_pickup", asked(message, kind="action"))


def test_an_enum_is_filled_by_its_word_or_its_meaning() -> None:
    assert filled("search_books", asked("easy books for a start", "books"))["level"] == "easy"
    assert "level" not in filled("search_books", asked("any books?", "books"))


def test_a_language_of_its_own_is_a_condition_and_one_in_the_subject_is_not() -> None:
    assert filled("search_books", asked("books about dogs in German", "dogs"))["language"] == "de"
    assert "language" not in filled("search_books", asked("which Russian novels are there?", "Russian novels"))


def test_a_doctor_is_taken_by_name_and_a_specialty_by_what_it_is() -> None:
    slots = filled("find_slots", asked("when can I see Dr. Haddad?", "Dr. Haddad"))
    assert slots["doctor"] == "Dr. Haddad"
    assert filled("find_slots", asked("a dentist appointment please", "dentist appointment"))["specialty"] == "dentist"


@pytest.mark.parametrize(
    "optional",
    [
        {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
        {"type": ["integer", "null"], "maximum": None},
        {"oneOf": [{"type": "null"}, {"type": "integer", "maximum": 20}]},
    ],
)
def test_an_argument_that_may_be_null_is_filled_as_what_it_is_otherwise(optional: dict[str, Any]) -> None:
    books = tools_of("bookshop").get("search_books")
    assert books
    parameters = {**books.parameters, "properties": {**books.parameters["properties"], "limit": optional}}
    what = asked("show me three books about whales", "whales", facts={"quantity": 3})
    assert fill(books.model_copy(update={"parameters": parameters}), what).arguments["limit"] == 3
