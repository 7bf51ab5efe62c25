"""Cards from tool results: the tool's own values, by schema and names, or as the tenant maps them."""

import json
from typing import Any

import pytest

from tests.support.demo_tools import called, tools_of
from turnkey.deliverables.cards import cards_from
from turnkey.tools import CardFields, Tool


def tool(fields: CardFields | None = None) -> Tool:
    return Tool(
        name="list_things",
        server="s",
        original_name="list_things",
        description="Lists things.",
        parameters={},
        kind="items",
        fields=fields or CardFields(),
    )


def first(item: dict[str, Any], fields: CardFields | None = None) -> dict[str, Any]:
    cards = cards_from(json.dumps({"items": [item]}), tool(fields))
    assert cards
    return cards.cards[0].model_dump()


def test_a_real_search_gives_cards_with_all_that_a_card_has() -> None:
    books = tools_of("bookshop").get("search_books")
    assert books
    text = called("bookshop", "search_books", {"query": "whales", "limit": 3})
    cards = cards_from(text, books)
    assert cards
    assert len(cards.cards) == 3
    assert cards.total == json.loads(text)["total"]
    for card, book in zip(cards.cards, json.loads(text)["books"], strict=True):
        assert card.title == book["title"]
        assert card.subtitle == book["author"]
        assert card.price == f"{book['price_eur']:.2f} EUR"
        assert (card.link, card.image) == (book["link"], book["image"])
        assert card.keys["book_id"] == book["book_id"]


def test_free_appointments_have_a_title_and_the_id_that_booking_needs() -> None:
    slots = tools_of("clinic").get("find_slots")
    assert slots
    text = called("clinic", "find_slots", {"specialty": "dermatology"})
    cards = cards_from(text, slots)
    assert cards
    assert all(card.title and card.keys["slot_id"] for card in cards.cards)


@pytest.mark.parametrize(
    ("item", "card"),
    [
        ({"name": "Tent", "cost": 99.5, "currency": "USD"}, {"title": "Tent", "price": "99.50 USD"}),
        ({"productName": "Lamp", "unitPrice": 9}, {"title": "Lamp", "price": "9"}),
        ({"title": "A", "authors": ["B", "C"]}, {"title": "A", "subtitle": "B, C"}),
        ({"id": 7, "start": "2026-04-24T09:20", "doctor": "Dr. Lee"}, {"title": "2026-04-24T09:20"}),
        ({"title": "A", "url": "javascript:alert(1)"}, {"title": "A", "link": ""}),
        ({"title": "A", "image": "data:image/png;base64,AAAA"}, {"title": "A", "image": ""}),
        ({"title": "A\n\n  B", "price": None}, {"title": "A B", "price": ""}),
        ({"title": "A", "price": True}, {"title": "A", "price": ""}),
    ],
)
def test_fields_are_found_by_their_names(item: dict[str, Any], card: dict[str, str]) -> None:
    assert card.items() <= first(item).items()


def test_the_tenants_mapping_goes_first() -> None:
    mapping = CardFields(title="headline", subtitle="note", price="was")
    item = {"title": "x", "headline": "Real", "note": "n", "was": "5", "price": 1}
    assert {"title": "Real", "subtitle": "n", "price": "5"}.items() <= first(item, mapping).items()


@pytest.mark.parametrize("text", ['{"books": [], "total": 0}', "[]", "nothing found", '{"title": "alone"}', "", "{"])
def test_no_items_are_no_cards(text: str) -> None:
    assert cards_from(text, tool()) is None


def test_items_already_shown_are_left_out_and_no_longer_counted() -> None:
    text = json.dumps({"items": [{"id": "1", "title": "A"}, {"id": "2", "title": "B"}], "total": 2})
    cards = cards_from(text, tool(), without={"1"})
    assert cards
    assert [card.title for card in cards.cards] == ["B"]
    assert cards.total == 1
    assert cards_from(text, tool(), without={"1", "2"}) is None


def test_a_long_link_is_kept_whole_or_not_at_all() -> None:
    long = f"https://shop.test/{'a' * 500}"
    assert first({"title": "A", "link": long})["link"] == long
    assert first({"title": "A", "link": f"https://shop.test/{'a' * 5000}"})["link"] == ""
