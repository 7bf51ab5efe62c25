"""What the platform says itself, and when a reply of the model's does not tell what was found."""

import json
from datetime import datetime
from typing import Any

import pytest

from turnkey.deliverables import Card, Cards, Chart
from turnkey.reading.directive import compose
from turnkey.reading.facts import Facts, Kind
from turnkey.reading.plan import Plan
from turnkey.reply.checking import is_delivered, wrong_with
from turnkey.reply.ledger import Fact, Ledger
from turnkey.reply.own_words import own_words
from turnkey.tenancy.settings import Agent
from turnkey.tools import ToolKind
from turnkey.turn.bookkeeping import handed_over, ledger_of, spare, to_go_back_to
from turnkey.turn.journal import ModelAnswer, ToolCall, ToolResult
from turnkey.turn.record import TurnRecord

CARDS = Cards(cards=(Card(title="Emma", keys={"book_id": "B007"}),), total=12)
CHART = Chart(title="Books by language", png="k.png", svg="k.svg", alt="en: 3, de: 2", rows=5, total=5)
HELD = json.dumps({"hold_number": "H0001", "title": "Emma", "copies": 1, "total_eur": 8.9})


def fact(kind: ToolKind, text: str, status: str = "ok", **changes: Any) -> Fact:
    return Fact.model_validate({"tool": "a_tool", "kind": kind, "status": status, "text": text} | changes)


def plan(kind: Kind, *missing: str, message: str = "hold Emma") -> Plan:
    return Plan(
        facts=Facts(kind=kind, subject="Emma"),
        directive=compose("hold_for_pickup", {"book_id": "B007"}, missing),
        goal="hold_for_pickup",
        message=message,
    )


def test_cards_and_charts_are_introduced_in_the_customers_language() -> None:
    assert "12" in own_words("items", Ledger(handed=(CARDS,)), "de", None)
    assert own_words("chart", Ledger(handed=(CHART,)), "ja", None) != own_words(
        "chart", Ledger(handed=(CHART,)), "en", None
    )
    assert CHART.alt in own_words("chart", Ledger(handed=(CHART,)), "en", None)


def test_a_count_is_told_even_where_everything_is_shown() -> None:
    one = Ledger(handed=(CARDS.model_copy(update={"total": 1}),))
    assert "1" in own_words("items", one, "en", plan("items", message="how many novels do you have?"))


def test_done_is_said_of_what_was_done_and_only_of_that() -> None:
    assert "H0001" in own_words("action", Ledger(results=(fact("action", HELD),)), "en", None)
    refused = fact("action", json.dumps({"success": False, "error": "The slot is taken"}))
    assert "Done" not in own_words("action", Ledger(results=(refused,)), "en", None)
    both = Ledger(results=(fact("action", HELD), fact("lookup", "down", "error")))
    assert "H0001" in own_words("action", both, "en", None)


@pytest.mark.parametrize(
    ("ledger", "said"),
    [
        (Ledger(results=(fact("items", '{"books": [], "total": 0}'),)), "nothing"),
        (Ledger(results=(fact("lookup", "server down", "error"),)), "could not look"),
        (Ledger(results=(fact("action", "refused", "error"),)), "could not be done"),
        (Ledger(results=(fact("action", "", "unknown"),)), "cannot tell"),
        (Ledger(), "could not be done"),
    ],
)
def test_what_did_not_work_is_told_honestly(ledger: Ledger, said: str) -> None:
    assert said in own_words("action", ledger, "en", None)


def test_what_is_missing_is_asked_for_by_its_name() -> None:
    assert "name" in own_words("action", Ledger(), "en", plan("action", "customer_name")).lower()


@pytest.mark.parametrize(
    "reply",
    [
        "The customer now sees: 5 of 9 items as cards",
        "Facts found: none",
        "Anna, a renowned detective, has been working here for a decade.",
        "Certainly, I will be happy to help you with that.",
    ],
)
def test_a_reply_that_tells_nothing_of_the_result_is_none(reply: str) -> None:
    ledger = Ledger(results=(fact("action", HELD),), said="hold Emma for Anna")
    assert wrong_with(reply, "action", ledger, "en", asked="hold Emma for Anna")


@pytest.mark.parametrize(
    "reply",
    [
        "Done, Anna: one copy of Emma is on hold for you under H0001.",
        "I have set Emma aside for you. Your hold number is H0001, to pay: 8.90 EUR.",
    ],
)
def test_a_reply_that_tells_it_stands(reply: str) -> None:
    ledger = Ledger(results=(fact("action", HELD),), said="hold Emma for Anna")
    assert not wrong_with(reply, "action", ledger, "en", asked="hold Emma for Anna")


def test_a_question_for_what_is_open_is_no_fault() -> None:
    assert not wrong_with("Under which name shall I hold it?", "action", Ledger(), "en", open_question=True)
    assert wrong_with("It is all arranged now.", "action", Ledger(), "en", open_question=True)


def test_a_reply_in_another_language_is_a_fault() -> None:
    found = wrong_with("Leider haben wir dazu gerade keine Bücher im Laden.", "answer", Ledger(), "en")
    assert [one.kind for one in found] == ["language"]


def result(kind: ToolKind, text: str, number: int = 0, **changes: Any) -> ToolResult:
    call = ToolCall(id=f"call_{number}_0", name=changes.pop("name", "search_books"), arguments={"query": "emma"})
    return ToolResult.model_validate({"call": call, "tool_kind": kind, "status": "ok", "text": text} | changes)


def record(now: datetime, made: Plan | None = None) -> TurnRecord:
    return TurnRecord(turn=1, agent="clerk", messages=(), plan=made, opened_at=now, deadline=now)


def test_only_what_was_meant_is_handed_over(now: datetime) -> None:
    found = [ModelAnswer(text=""), result("items", "[]", deliverable=CARDS)]
    assert handed_over(record(now), found) == ()
    assert spare(found) == (CARDS,)
    meant = plan("items").model_copy(update={"goal": "search_books"})
    assert handed_over(record(now, meant), found) == (CARDS,)
    shown = [result("items", "shown", name="show_items", deliverable=CARDS)]
    assert handed_over(record(now), shown) == (CARDS,)
    failed = [result("items", "[]", deliverable=CARDS, status="error")]
    assert handed_over(record(now, meant), failed) == ()


def test_a_later_turn_can_go_back_to_what_was_shown_and_to_what_was_looked_up() -> None:
    shown = to_go_back_to([result("items", "[]", deliverable=CARDS)], (CARDS,))
    assert shown
    assert shown.items[0].keys == {"book_id": "B007"}
    one = to_go_back_to([result("lookup", '{"book_id": "B007", "title": "Emma", "copies": 3}')], ())
    assert one
    assert one.items[0].title == "Emma"
    assert to_go_back_to([], ()) is None


def test_the_ledger_knows_what_was_said_and_what_came_back(now: datetime) -> None:
    ledger = ledger_of(record(now), Agent(name="clerk", instructions="We open at 9."), [result("action", HELD)], ())
    assert ledger.has_acted()
    assert ledger.grounds("we open at 9")
    assert is_delivered("action", ledger)
    assert not is_delivered("chart", ledger)
