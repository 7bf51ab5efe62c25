"""From facts to a plan: one tool or none, with the look-up before it where it needs an id or data."""

import json
from datetime import date
from typing import Any

import pytest

from tests.support.demo_tools import called, tools_of
from turnkey.deliverables.handed import Handed, HandedItem
from turnkey.reading.asked import Asked
from turnkey.reading.completing import complete
from turnkey.reading.facts import Facts, Kind
from turnkey.reading.pending import resume
from turnkey.reading.plan import Drawn, Linked, Plan
from turnkey.reading.planning import plan
from turnkey.tools import Tool, Toolset
from turnkey.tools.builtins import TOOLS

SHOP, CLINIC = tools_of("bookshop"), tools_of("clinic")
ONE_SHOWN = Handed(
    tool="search_books",
    kind="items",
    arguments={"query": "emma"},
    items=(HandedItem(title="Emma", keys={"book_id": "B007"}),),
    total=1,
)


def asked(message: str, kind: Kind, subject: str = "", **changes: Any) -> Asked:
    facts = Facts(kind=kind, subject=subject, quantity=changes.pop("quantity", None), fresh=changes.pop("fresh", False))
    return Asked(message=message, customer=(message,), facts=facts, language="en", today=date(2026, 4, 20), **changes)


def made(what: Asked, tools: Toolset, *others: Kind) -> Plan:
    found = plan(what, tools, others)
    assert found
    return found


@pytest.mark.parametrize(
    ("message", "kind", "subject", "tools", "goal"),
    [
        ("show me books about whales", "items", "whales", SHOP, "search_books"),
        ("is B002 in stock?", "lookup", "B002", SHOP, "check_stock"),
        ("which shelf is B115 on?", "lookup", "B115", SHOP, "check_stock"),
        ("how much is a flu shot?", "lookup", "flu shot", CLINIC, "get_price"),
        ("are you open on saturday?", "lookup", "", CLINIC, "get_opening_hours"),
        ("what's the phone number of the harbour branch?", "lookup", "harbour branch", CLINIC, "get_opening_hours"),
        ("what have you got in German?", "lookup", "German", SHOP, "search_books"),
        ("show me all the paediatricians", "items", "paediatricians", CLINIC, "list_doctors"),
        ("any dentist appointments on saturday?", "items", "dentist appointments", CLINIC, "find_slots"),
        ("I'd like to see a skin doctor. When could I come?", "items", "skin doctor", CLINIC, "find_slots"),
        ("send me the consent form", "items", "consent form", CLINIC, "list_documents"),
        ("cancel my appointment A1001", "action", "A1001", CLINIC, "cancel_appointment"),
        ("reserve B002 for Anna Smith", "action", "B002", SHOP, "hold_for_pickup"),
    ],
)
def test_the_one_tool_is_found_by_what_it_is_for(
    message: str, kind: Kind, subject: str, tools: Toolset, goal: str
) -> None:
    assert made(asked(message, kind, subject), tools).goal == goal


@pytest.mark.parametrize(
    ("message", "kind", "subject", "tools"),
    [
        ("book me a flight to Rome", "action", "flight to Rome", CLINIC),
        ("book a table for four", "action", "table", CLINIC),
        ("order me a pizza", "action", "pizza", SHOP),
        ("what does a hotel room cost?", "lookup", "hotel room", CLINIC),
        ("do it again", "action", "", SHOP),
    ],
)
def test_what_no_tool_is_for_gets_no_plan(message: str, kind: Kind, subject: str, tools: Toolset) -> None:
    assert plan(asked(message, kind, subject), tools) is None


def test_two_tools_that_fit_alike_get_no_plan() -> None:
    books = SHOP.get("search_books")
    assert books
    twins = Toolset((books, books.model_copy(update={"name": "search_books_too"})))
    assert plan(asked("show me books about whales", "items", "whales"), twins) is None


def test_a_tenants_own_words_decide() -> None:
    books = SHOP.get("search_books")
    assert books
    shelf = books.model_copy(update={"name": "search_shelf", "title": "", "words": ("Regal",)})
    tools = Toolset((books, shelf))
    assert made(asked("was steht im Regal", "items", "Regal"), tools).goal == "search_shelf"


def test_a_look_up_by_title_searches_for_the_id_first() -> None:
    first = made(asked("is Dracula in stock?", "lookup", "Dracula"), SHOP)
    assert first.directive.tool == "search_books"
    assert isinstance(first.following, Linked)
    text = called("bookshop", "search_books", first.directive.arguments)
    following = complete(first, text, "r1", SHOP)
    assert following
    assert following.tool == "check_stock"
    assert "Dracula" in called("bookshop", "check_stock", following.arguments)


def test_an_action_is_taken_on_one_thing_that_is_plainly_meant_and_never_on_one_of_several() -> None:
    several = made(asked("hold a book about chess for Anna", "action", "chess"), SHOP)
    text = called("bookshop", "search_books", several.directive.arguments)
    assert complete(several, text, "r1", SHOP) is None
    one = made(asked("hold Dracula for Anna", "action", "Dracula"), SHOP)
    text = called("bookshop", "search_books", one.directive.arguments)
    following = complete(one, text, "r1", SHOP)
    assert following
    assert following.arguments["customer_name"] == "Anna"


def test_a_slot_is_booked_by_its_time() -> None:
    text = called("clinic", "find_slots", {"specialty": "dermatology", "limit": 50, "days": 7})
    slot = json.loads(text)["slots"][1]
    what = asked(f"book me the dermatologist at {slot['time']}, I'm Laura Brandt", "action", "dermatologist")
    following = complete(made(what, CLINIC), text, "r1", CLINIC)
    assert following
    assert following.arguments["patient_name"] == "Laura Brandt"
    assert f'"{slot["time"]}"' in json.dumps(
        [one for one in json.loads(text)["slots"] if one["slot_id"] == following.arguments["slot_id"]]
    )


def test_a_chart_takes_the_whole_list_first_and_then_its_own_rows() -> None:
    known = Toolset((*SHOP, *TOOLS))
    chart = made(asked("draw a chart of your chess books by level", "chart", "chess books"), SHOP)
    assert chart.directive.arguments["limit"] == 50
    assert isinstance(chart.following, Drawn)
    text = called("bookshop", "search_books", chart.directive.arguments)
    drawn = complete(chart, text, "r1", known)
    assert drawn
    assert drawn.arguments == {"handle": "r1", "group_by": "level", "measure": "count"}


def test_a_plan_that_acts_is_never_made_by_the_platform_itself() -> None:
    assert not made(asked("hold Dracula for Anna", "action", "Dracula"), SHOP).read_only
    assert made(asked("is Dracula in stock?", "lookup", "Dracula"), SHOP).read_only


def test_what_is_missing_for_an_action_is_named_and_its_answer_completes_it() -> None:
    waiting = made(asked("reserve it for me", "action", "Emma", handed=ONE_SHOWN, elliptical=True), SHOP)
    assert waiting.directive.missing == ("customer_name",)
    assert waiting.directive.arguments["book_id"] == "B007"
    for answer, name in (
        ("Under Magnus H.", "Magnus H"),
        ("Anna Smith", "Anna Smith"),
        ("my name is Li Wei", "Li Wei"),
    ):
        resumed = resume(waiting, asked(answer, "answer"), None, SHOP)
        assert resumed
        assert resumed.directive.arguments["customer_name"].startswith(name)
        assert resumed.directive.complete


@pytest.mark.parametrize("answer", ["never mind", "what does it cost?", "show me books about dogs instead", "12"])
def test_an_answer_that_gives_nothing_completes_nothing(answer: str) -> None:
    waiting = made(asked("reserve it for me", "action", "Emma", handed=ONE_SHOWN, elliptical=True), SHOP)
    assert resume(waiting, asked(answer, "answer"), None, SHOP) is None


def test_a_second_guess_never_acts_on_something_that_was_not_shown() -> None:
    guessed = plan(asked("the second one, I'm Anna Smith", "lookup", "second one"), SHOP, ("lookup", "action"))
    assert guessed is None


def test_a_lone_list_is_meant_even_without_any_of_its_words() -> None:
    tool = Tool(
        name="zx_7",
        server="s",
        original_name="zx_7",
        description="Lists things.",
        kind="items",
        parameters={"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
    )
    assert made(asked("anything on whales?", "items", "whales"), Toolset((tool,))).directive.arguments == {
        "query": "whales"
    }
