"""What a tenant may use in a day and at the same time: counted once, never more than it may, never kept for ever."""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import pytest

from turnkey.channels import InboundMessage
from turnkey.errors import LeaseLost, NotServed, Permanent, TooManyTurns, Transient
from turnkey.reply import phrases
from turnkey.reply.checks.wording import LANGUAGES
from turnkey.store.conversations import LEASE_SECONDS
from turnkey.store.stores import Stores
from turnkey.store.usage import SHARDS
from turnkey.tenancy.settings import Agent, Connection, Quotas, Tenant
from turnkey.tenancy.usage_report import usage
from turnkey.tools.builtins import NAMES, Standing
from turnkey.turn.admission import admit, words
from turnkey.turn.closing import close
from turnkey.turn.journal import ModelAnswer, ToolCall, ToolResult
from turnkey.turn.quota import Usage, reached, used_by
from turnkey.turn.record import Reading, ReplyRecord, TurnRecord
from turnkey.turn.reference import TurnReference
from turnkey.turn.route import Router

TENANT = "acme"


def reference(number: int = 1, turn: int = 1) -> TurnReference:
    return TurnReference(tenant=TENANT, connection="web", conversation=f"c{number}", turn=turn)


def settle(stores: Stores, **quotas: int) -> None:
    """The tenant, with these quotas."""
    stores.tenants.put(TENANT, Tenant(id=TENANT, name="Acme", quotas=Quotas().model_copy(update=quotas)))
    stores.tenants.put(TENANT, Agent(name="clerk", instructions="Be kind.", plain=True))
    stores.tenants.put(TENANT, Connection(name="web", channel="standard_webhooks", agent="clerk"))


def write(stores: Stores, number: int, now: datetime, text: str = "Hello, how are you?") -> TurnReference:
    """A customer writes; the turn that is to answer."""
    one = reference(number)
    message = InboundMessage(id=f"m{now.timestamp()}", conversation=one.conversation, text=text, sent_at=now)
    stores.conversations.accept(one.key, message, now)
    lease = stores.conversations.take_lease(one.key, now)
    assert lease
    return one.model_copy(update={"turn": lease.turn})


def route(stores: Stores, one: TurnReference, now: datetime) -> TurnReference:
    return Router(stores, allow_private=False).route(one, now)


def used(stores: Stores, now: datetime) -> Usage:
    return stores.usage.of_day(TENANT, now.date()).used


def running(stores: Stores, now: datetime) -> list[str]:
    return sorted(stores.usage._held(TENANT, now).values())


@pytest.mark.parametrize(
    ("day", "which"),
    [
        (Usage(turns=9, tokens=999, calls=9), None),
        (Usage(turns=10), "turns"),
        (Usage(tokens=1000), "tokens"),
        (Usage(calls=10), "calls"),
        (Usage(turns=11, tokens=5000, calls=30), "turns"),
    ],
)
def test_a_quota_is_reached_when_nothing_is_left_of_it(day: Usage, which: str | None) -> None:
    assert reached(day, Quotas(turns=10, tokens=1000, calls=10)) == which


def record(now: datetime, **fields: Any) -> TurnRecord:
    return TurnRecord(turn=1, agent="clerk", messages=(), opened_at=now, deadline=now, **fields)


def test_all_that_models_read_and_wrote_counts_and_every_call_that_was_sent(now: datetime) -> None:
    def result(name: str, place: int, status: Any = "ok", problem: str = "") -> ToolResult:
        call = ToolCall(id=f"call_0_{place}", name=name, problem=problem)
        return ToolResult(call=call, handle=f"r{place}", status=status)

    journal = [
        ModelAnswer(text="", prompt_tokens=100, completion_tokens=10),
        result("search", 0),
        result("search", 1, "error"),
        result("search", 2, "unknown"),
        result("search", 3, "started"),
        result("search", 4, "error", problem="There is no such tool."),
        result(NAMES[0], 5),
        ModelAnswer(text="Two.", prompt_tokens=200, completion_tokens=20),
    ]
    reading = Reading(prompt_tokens=30, completion_tokens=3)
    reply = ReplyRecord(text="Two.", prompt_tokens=40, completion_tokens=4)
    assert used_by(record(now, reading=reading), journal, reply) == Usage(tokens=407, calls=4)


def test_an_endpoint_that_counts_nothing_is_counted_by_characters(now: datetime) -> None:
    reading = Reading(prompt_characters=300)
    reply = ReplyRecord(text="Two.", prompt_characters=600)
    assert used_by(record(now, reading=reading), [], reply) == Usage(tokens=300)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_customer_is_told_in_their_language_and_no_model_is_asked(
    stores: Stores, now: datetime, language: str
) -> None:
    for why, sentence in (("calls", phrases.enough_for_today), ("suspended", phrases.paused)):
        reply = words(why, language)  # type: ignore[arg-type]
        assert reply.text == sentence(language)
        assert (reply.author, reply.model_calls, reply.delivered) == ("platform", 0, False)
        assert language == "en" or reply.text != sentence("en")


def test_a_turn_counts_once_however_often_it_is_routed(stores: Stores, now: datetime) -> None:
    settle(stores)
    one = write(stores, 1, now)
    for _ in range(3):
        assert route(stores, one, now).next == "tool_loop"
    assert used(stores, now) == Usage(turns=1)
    assert running(stores, now) == [one.execution_name]


def test_a_turn_that_dies_before_it_opens_has_not_counted_and_keeps_its_place(stores: Stores, now: datetime) -> None:
    settle(stores, concurrent_turns=1)
    one = write(stores, 1, now)
    admit(stores, one, now, Standing())
    assert used(stores, now) == Usage()
    assert route(stores, one, now).next == "tool_loop"
    assert used(stores, now) == Usage(turns=1)
    assert running(stores, now) == [one.execution_name]


@pytest.mark.long
@pytest.mark.parametrize("most", [1, 2, SHARDS + 1])
def test_no_more_turns_open_than_the_quota_whatever_each_of_them_saw(stores: Stores, now: datetime, most: int) -> None:
    settle(stores)
    seen = stores.usage.of_day(TENANT, now.date())
    opened = 0
    for number in range(most + 3):
        one = write(stores, number, now)
        counting = stores.usage.turn_writes(TENANT, one.execution_name, seen, most, now)
        with suppress(NotServed):
            stores.turns.open(one, record(now), 1, now, counting)
            opened += 1
    assert opened == most == used(stores, now).turns


def test_a_quota_that_is_raised_during_the_day_leaves_room_again(stores: Stores, now: datetime) -> None:
    settle(stores, turns=2)
    for number, following in enumerate(["tool_loop", "tool_loop", "deliver"]):
        assert route(stores, write(stores, number, now), now).next == following
    settle(stores, turns=4)
    for number, following in enumerate(["tool_loop", "tool_loop", "deliver"], start=10):
        assert route(stores, write(stores, number, now), now).next == following
    assert used(stores, now).turns == 4


def test_another_day_begins_at_nothing(stores: Stores, now: datetime) -> None:
    settle(stores, turns=1)
    assert route(stores, write(stores, 1, now), now).next == "tool_loop"
    assert route(stores, write(stores, 2, now), now).next == "deliver"
    tomorrow = now + timedelta(days=1)
    assert route(stores, write(stores, 3, tomorrow), tomorrow).next == "tool_loop"
    report = usage(stores.tenants, stores.usage, TENANT, 3, tomorrow)
    assert [(day.day, day.turns) for day in report.days] == [
        (now.date() - timedelta(days=1), 0),
        (now.date(), 1),
        (tomorrow.date(), 1),
    ]
    assert (report.quotas.turns, report.running) == (1, 1)


def test_a_turn_beyond_the_quota_is_answered_by_the_platform_and_stays_so(stores: Stores, now: datetime) -> None:
    settle(stores, turns=1)
    route(stores, write(stores, 1, now), now)
    one = write(stores, 2, now, "Guten Tag, haben Sie noch Bücher über Gärten?")
    settle(stores, turns=100)
    settle(stores, turns=1)
    assert route(stores, one, now).next == "deliver"
    settle(stores, turns=100)
    assert route(stores, one, now).next == "deliver"
    turn = stores.turns.get(one)
    assert turn.record.not_served == "turns"
    assert turn.record.language == "de"
    assert turn.reply
    assert turn.reply.text == phrases.enough_for_today("de")
    close(stores, one, "delivered", now)
    assert used(stores, now) == Usage(turns=1)
    assert len(running(stores, now)) == 1


def test_what_a_turn_used_counts_once_and_on_the_day_it_opened(stores: Stores, now: datetime) -> None:
    settle(stores)
    one = write(stores, 1, now)
    route(stores, one, now)
    stores.turns.add_answer(one, 0, ModelAnswer(text="Hi", prompt_tokens=100, completion_tokens=20), now)
    stores.turns.save_reply(one, ReplyRecord(text="Hi", prompt_tokens=10, completion_tokens=2))
    tomorrow = now + timedelta(days=1)
    for _ in range(3):
        assert close(stores, one, "delivered", tomorrow).next == "end"
    assert used(stores, now) == Usage(turns=1, tokens=132)
    assert used(stores, tomorrow) == Usage()
    assert running(stores, tomorrow) == []


def test_a_place_is_free_for_the_next_turn_of_the_same_conversation(stores: Stores, now: datetime) -> None:
    settle(stores, concurrent_turns=1)
    one = write(stores, 1, now)
    route(stores, one, now)
    later = now + timedelta(seconds=1)
    write(stores, 1, later)
    following = close(stores, one, "delivered", later)
    assert (following.next, following.turn) == ("route", 2)
    assert running(stores, later) == []
    assert route(stores, following, later).next == "tool_loop"
    assert running(stores, later) == [following.execution_name]


def test_a_turn_waits_when_all_places_are_taken_and_keeps_its_conversation(stores: Stores, now: datetime) -> None:
    settle(stores, concurrent_turns=2)
    first, second, third = (write(stores, number, now) for number in range(3))
    route(stores, first, now)
    route(stores, second, now)
    almost = now + timedelta(seconds=LEASE_SECONDS - 10)
    with pytest.raises(TooManyTurns, match="2 turns"):
        route(stores, third, almost - timedelta(seconds=10))
    # Its own lease of before would have ended by now.
    much_later = almost + timedelta(seconds=30)
    lease = stores.conversations.take_lease(third.key, much_later)
    assert lease
    assert lease.turn == third.turn
    assert used(stores, now).turns == 2
    close(stores, first, "delivered", now)
    assert route(stores, third, now).next == "tool_loop"


def test_a_turn_that_lost_its_conversation_cannot_wait_on(stores: Stores, now: datetime) -> None:
    one = write(stores, 1, now)
    later = now + timedelta(seconds=LEASE_SECONDS + 1)
    stores.conversations.take_lease(one.key, later)
    with pytest.raises(LeaseLost):
        stores.conversations.renew_lease(one, later)


def test_a_turn_that_died_occupies_its_place_no_longer_than_a_lease(stores: Stores, now: datetime) -> None:
    settle(stores, concurrent_turns=1)
    route(stores, write(stores, 1, now), now)
    before = now + timedelta(seconds=LEASE_SECONDS - 1)
    with pytest.raises(TooManyTurns):
        route(stores, write(stores, 2, before), before)
    after = now + timedelta(seconds=LEASE_SECONDS)
    assert route(stores, reference(2), after).next == "tool_loop"
    assert running(stores, after) == [reference(2).execution_name]


def test_a_dead_turn_that_ends_late_takes_no_other_s_place(stores: Stores, now: datetime) -> None:
    settle(stores, concurrent_turns=1)
    dead = write(stores, 1, now)
    route(stores, dead, now)
    after = now + timedelta(seconds=LEASE_SECONDS)
    alive = write(stores, 2, after)
    route(stores, alive, after)
    close(stores, dead, "delivered", after)
    assert running(stores, after) == [alive.execution_name]


def test_fewer_places_than_turns_that_run_let_nobody_in(stores: Stores, now: datetime) -> None:
    settle(stores, concurrent_turns=3)
    for number in range(3):
        route(stores, write(stores, number, now), now)
    settle(stores, concurrent_turns=2)
    late = write(stores, 9, now)
    for number in range(2):
        with pytest.raises(TooManyTurns):
            route(stores, late, now)
        close(stores, reference(number), "delivered", now)
    assert route(stores, late, now).next == "tool_loop"
    assert len(running(stores, now)) == 2


def test_turns_that_saw_the_same_free_place_do_not_share_it(
    stores: Stores, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = stores.usage._held
    views: list[dict[int, str]] = [{}, {}]
    monkeypatch.setattr(stores.usage, "_held", lambda *args: views.pop() if views else look(*args))
    assert stores.usage.take_place(TENANT, "first", 1, now)
    assert not stores.usage.take_place(TENANT, "second", 1, now)
    assert running(stores, now) == ["first"]


def test_one_tenant_s_places_and_days_are_not_another_s(stores: Stores, now: datetime) -> None:
    settle(stores, turns=1, concurrent_turns=1)
    route(stores, write(stores, 1, now), now)
    assert stores.usage.take_place("other", "turn", 1, now)
    assert stores.usage.of_day("other", now.date()).used == Usage()


def test_a_suspended_tenant_is_answered_without_place_or_count(stores: Stores, now: datetime) -> None:
    settle(stores)
    one = write(stores, 1, now)
    stores.tenants.put(TENANT, stores.tenants.tenant(TENANT).model_copy(update={"suspended": True}))
    assert route(stores, one, now).next == "deliver"
    reply = stores.turns.get(one).reply
    assert reply
    assert reply.text == phrases.paused("en")
    assert (used(stores, now), running(stores, now)) == (Usage(), [])


def test_a_webhook_reads_its_tenant_and_connection_at_once(
    stores: Stores, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(stores)
    table, reads = stores.tenants._table, list[str]()
    for name in ("get", "get_many", "query"):
        read = getattr(table, name)
        monkeypatch.setattr(table, name, lambda *args, read=read, name=name: [reads.append(name), read(*args)][1])
    found = stores.tenants.find_entry(TENANT, "web")
    assert found
    assert [found[0].id, found[1].name] == [TENANT, "web"]
    assert stores.tenants.find_entry(TENANT, "none") is None
    assert stores.tenants.find_entry("nobody", "web") is None
    assert reads == ["get_many"] * 3


def test_the_error_of_a_waiting_turn_is_one_that_is_tried_again() -> None:
    assert issubclass(TooManyTurns, Transient)
    assert not issubclass(NotServed, Permanent)
