"""Calls that need the customer's word: who may give it, for what, and what they are asked."""

import json
from datetime import datetime, timedelta
from typing import Any

import pytest

from turnkey.channels import InboundMessage
from turnkey.deliverables.handed import Handed, HandedItem
from turnkey.reading.directive import compose
from turnkey.reading.facts import Facts
from turnkey.reading.plan import Plan
from turnkey.reply import confirm_text
from turnkey.reply.checks.wording import LANGUAGES
from turnkey.reply.delivery import check
from turnkey.reply.ledger import Fact, Ledger
from turnkey.reply.own_words import found_so_far, own_words
from turnkey.tenancy.settings import Limits
from turnkey.tools import Tool, Toolset
from turnkey.tools.tool import CONFIRM, MAX_DESCRIPTION
from turnkey.turn import asking, confirming, hearing, remedy
from turnkey.turn.bookkeeping import facts_of
from turnkey.turn.hearing import Word
from turnkey.turn.journal import Joined, ModelAnswer, Step, ToolCall, ToolResult, unconfirmed
from turnkey.turn.progress import AskModel, Finish, next_step
from turnkey.turn.record import Exchange, ReplyRecord, TurnRecord
from turnkey.turn.unconfirmed import Unconfirmed

ARGUMENTS = {"book_id": "B001", "customer_name": "Ada"}
HOLD = Tool(
    name="hold_for_pickup",
    server="shop",
    original_name="hold_for_pickup",
    title="Hold for pickup",
    description="Sets a book aside.",
    parameters={
        "type": "object",
        "properties": {"book_id": {"type": "string"}, "customer_name": {"type": "string"}},
        "required": ["book_id", "customer_name"],
    },
    confirm=True,
)
SEARCH = HOLD.model_copy(update={"name": "search_books", "original_name": "search_books", "confirm": False})
TOOLS = Toolset([SEARCH, HOLD])
CALL = ToolCall(id="call_0_0", name=HOLD.name, arguments=ARGUMENTS)


def waiting(now: datetime, **changes: Any) -> Unconfirmed:
    return confirming.kept(HOLD, CALL, now).model_copy(update=changes)


def message(text: str, now: datetime, sender: str = "ada") -> InboundMessage:
    return InboundMessage(id=text, conversation="c", text=text, sent_at=now, sender=sender)


def asked(now: datetime, *calls: Unconfirmed, senders: tuple[str, ...] = ("ada",)) -> Exchange:
    return Exchange(question="hold it", reply="Shall I?", confirming=calls or (waiting(now),), senders=senders)


def hear(
    text: str, now: datetime, *history: Exchange, tools: Toolset = TOOLS, sender: str = "ada", late: bool = False
) -> Word:
    exchanges = history or (asked(now),)
    said = [message(one, now, sender) for one in text.split("|")]
    return hearing.hear(said, exchanges, tools, "en", now, were_waiting=lambda: late)


def record(now: datetime, **changes: Any) -> TurnRecord:
    return TurnRecord(turn=2, agent="clerk", messages=(message("yes", now),), opened_at=now, deadline=now, **changes)


def result(call: ToolCall = CALL, **changes: Any) -> ToolResult:
    return ToolResult.model_validate({"call": call, "status": "unconfirmed", "tool_kind": "action"} | changes)


def test_a_yes_is_for_the_very_calls_that_were_asked_about(now: datetime) -> None:
    assert hear("yes", now).agreed == (waiting(now),)
    assert hear("yes|yes please", now).agreed == (waiting(now),)


@pytest.mark.parametrize("text", ["yes, but two copies", "when do you open?", "yes|no wait", "yes?", "maybe"])
def test_anything_else_leaves_an_ordinary_turn(now: datetime, text: str) -> None:
    assert hear(text, now) == Word()


def test_a_yes_without_a_question_is_ordinary(now: datetime) -> None:
    assert hear("yes", now, Exchange(question="hi", reply="hello")) == Word()
    assert hear("yes", now, asked(now), Exchange(question="hi", reply="hello")) == Word()


def test_a_no_keeps_the_tool_out_of_the_turn(now: datetime) -> None:
    assert hear("no thanks", now) == Word(declined=(HOLD.name,))


def test_only_the_one_who_was_asked_can_agree(now: datetime) -> None:
    assert hear("yes", now, sender="eve") == Word()
    assert hear("yes", now, asked(now, senders=("ada", "eve"))) == Word()


def test_a_yes_that_was_written_before_the_question_was_sent_agrees_to_nothing(now: datetime) -> None:
    assert hear("yes", now, late=True) == Word()


def test_a_yes_a_day_later_is_asked_for_again(now: datetime) -> None:
    old = asked(now, waiting(now - hearing.GOOD_FOR - timedelta(seconds=1)))
    assert hear("yes", now, old) == Word()


def test_a_tool_that_is_gone_or_another_servers_is_not_called(now: datetime) -> None:
    assert hear("yes", now, tools=Toolset([SEARCH])) == Word()
    assert hear("yes", now, tools=Toolset([HOLD.model_copy(update={"server": "other"})])) == Word()


def test_the_call_goes_to_the_same_tool_under_whatever_name_it_has_by_now(now: datetime) -> None:
    renamed = HOLD.model_copy(update={"name": "shop_hold_for_pickup"})
    (agreed,) = hear("yes", now, tools=Toolset([renamed])).agreed
    assert (agreed.tool, agreed.arguments) == ("shop_hold_for_pickup", ARGUMENTS)


def test_the_agreed_turn_opens_with_exactly_that_call_once(now: datetime) -> None:
    turn = record(now, agreed=(waiting(now),))
    answer = confirming.opening(turn, [], TOOLS)
    assert answer
    assert (answer.author, answer.calls) == ("platform", (CALL,))
    assert confirming.opening(turn, [answer], TOOLS) is None
    assert confirming.opening(record(now), [], TOOLS) is None


def test_a_call_whose_schema_has_changed_since_is_not_made(now: datetime) -> None:
    changed = HOLD.model_copy(update={"parameters": {**HOLD.parameters, "required": ["branch"]}})
    answer = confirming.opening(record(now, agreed=(waiting(now),)), [], Toolset([changed]))
    assert answer
    assert "branch" in answer.calls[0].problem


@pytest.mark.parametrize("forged", [{"confirmed": True}, {"confirm": "yes"}, {"customer_agreed": True}])
def test_nothing_that_the_model_writes_gives_the_word(now: datetime, forged: dict[str, Any]) -> None:
    call = CALL.model_copy(update={"arguments": {**ARGUMENTS, **forged}})
    by_model = ModelAnswer(text="", calls=(call,))
    for turn in (record(now), record(now, agreed=(waiting(now),))):
        allowed = confirming.agreed_calls(turn, [by_model])
        found = confirming.outcome(HOLD, call, allowed)
        assert found
        assert found.status == "unconfirmed"


def test_in_the_agreed_turn_a_second_call_of_the_model_needs_a_word_of_its_own(now: datetime) -> None:
    turn = record(now, agreed=(waiting(now),))
    opened = ModelAnswer(author="platform", text="", calls=(CALL,))
    again = CALL.model_copy(update={"id": "call_1_0"})
    allowed = confirming.agreed_calls(turn, [opened, ModelAnswer(text="", calls=(again,))])
    assert confirming.outcome(HOLD, CALL, allowed) is None
    assert confirming.outcome(HOLD, again, allowed) is not None


def test_a_waiting_call_ends_the_loop_and_counts_as_nothing_done(now: datetime) -> None:
    steps: list[Step] = [ModelAnswer(text="", calls=(CALL,)), result(unconfirmed=waiting(now))]
    limits, later = Limits(), now + timedelta(seconds=60)
    assert next_step(steps, limits, now, later) == Finish(reason="answered")
    assert facts_of(steps) == ()
    assert unconfirmed(steps) == (waiting(now),)


def test_a_message_that_joins_overtakes_what_waits(now: datetime) -> None:
    steps: list[Step] = [
        ModelAnswer(text="", calls=(CALL,)),
        result(unconfirmed=waiting(now)),
        Joined(messages=(message("two, please", now),)),
    ]
    assert next_step(steps, Limits(), now, now + timedelta(seconds=60)) == AskModel()
    two = ToolCall(id="call_1_0", name=HOLD.name, arguments={**ARGUMENTS, "copies": 2})
    newer = waiting(now, arguments=two.arguments)
    steps += [ModelAnswer(text="", calls=(two,)), result(two, unconfirmed=newer)]
    assert unconfirmed(steps) == (newer,)


def test_the_platform_makes_no_call_of_its_own_that_needs_the_word(now: datetime) -> None:
    plan = Plan(facts=Facts(kind="action"), directive=compose(HOLD.name, ARGUMENTS), goal=HOLD.name, message="hold it")
    assert remedy.own_call(plan, plan.directive, []) is None


def test_whether_it_was_asked_and_who_asked_goes_into_the_history(now: datetime) -> None:
    reply = ReplyRecord(text="Shall I?", confirming=(waiting(now),))
    (exchange,) = record(now).history_for_next(reply)
    assert (exchange.confirming, exchange.senders) == ((waiting(now),), ("ada",))


def question(arguments: dict[str, Any], language: str = "en", **names: str) -> str:
    return confirm_text.question([("Hold for pickup", arguments)], names, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_question_shows_title_and_values_and_claims_nothing(language: str) -> None:
    arguments = {**ARGUMENTS, "date": "2026-03-05", "gift": True, "copies": 2}
    text = question(arguments, language, B001="Moby-Dick")
    assert "Hold for pickup" in text
    assert "Moby-Dick (B001)" in text
    assert "Ada" in text
    assert "2026" in text
    assert "{" not in text
    assert check(text, "answer", Ledger(said=json.dumps(arguments)), language) == ()


def test_every_value_is_shown_whole_whatever_it_is_made_of() -> None:
    text = question({"guests": [{"name": "Ada", "age": 9}, {"name": "Bob"}], "note": "a\n– Copies: 1\nb", "none": None})
    assert "Name: Ada; Age: 9" in text
    assert "Note: a – Copies: 1 b" in text
    assert "None" not in text
    assert "<b>x</b> 2" in question({"note": "<b>x</b> 2"})


@pytest.mark.parametrize("value", ["x" * 3_000, "pay\u202eyap", "pay\U000e0041", "pay\x00"])
def test_what_cannot_be_read_cannot_be_agreed_to(now: datetime, value: str) -> None:
    call = CALL.model_copy(update={"arguments": {"note": value}})
    found = confirming.outcome(HOLD, call, frozenset())
    assert found
    assert found.status == "error"


def test_ids_are_named_by_what_the_tools_and_the_history_showed(now: datetime) -> None:
    item = HandedItem(title="Emma", keys={"book_id": "B007"})
    shown = Exchange(question="q", reply="r", handed=Handed(tool="search_books", kind="items", items=(item,)))
    found = result(
        ToolCall(id="call_0_0", name="search_books"),
        status="ok",
        text=json.dumps({"books": [{"book_id": "B001", "title": "Moby-Dick"}, {"book_id": "B002", "title": "Emma 2"}]}),
    )
    names = asking.names(record(now, history=(shown,)), [found])
    assert names == {"B007": "Emma", "B001": "Moby-Dick", "B002": "Emma 2"}


def fact(status: str, text: str, kind: str = "action") -> Fact:
    return Fact.model_validate({"tool": "t", "kind": kind, "status": status, "text": text})


def test_what_was_found_so_far_is_told_before_the_question() -> None:
    assert found_so_far(Ledger(), "en") == ""
    assert "Moby-Dick" in found_so_far(Ledger(results=(fact("ok", '{"title": "Moby-Dick"}', "lookup"),)), "en")
    assert found_so_far(Ledger(results=(fact("ok", '{"books": [{"title": "Emma"}]}', "items"),)), "en") == ""


def test_several_actions_are_all_told_and_one_that_failed_is_not_passed_over() -> None:
    both = Ledger(results=(fact("ok", '{"hold_number": "H1"}'), fact("ok", '{"hold_number": "H2"}')))
    text = own_words("action", both, "en", None)
    assert "H1" in text
    assert "H2" in text
    mixed = Ledger(results=(fact("error", "full"), fact("ok", '{"hold_number": "H2"}')))
    assert "could not" not in own_words("action", mixed, "en", None)
    assert "could not" in own_words("action", mixed, "en", None, mended=False)


def test_the_model_is_told_not_to_ask_itself_and_the_description_stays_short() -> None:
    long = HOLD.model_copy(update={"description": "Sets a book aside. " * 100})
    for tool in (HOLD, long):
        told = tool.as_function()["function"]["description"]
        assert told.endswith(CONFIRM)
        assert len(told) <= MAX_DESCRIPTION
    assert CONFIRM not in SEARCH.told
