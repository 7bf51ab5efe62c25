"""The inbox and the lease: no message lost, none answered twice, one turn at a time."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from turnkey.channels import InboundMessage
from turnkey.errors import LeaseLost, RequestRefused
from turnkey.store.conversations import LEASE_SECONDS
from turnkey.store.stores import Stores
from turnkey.turn.record import ReplyRecord, TurnRecord
from turnkey.turn.reference import TurnReference


def reference(turn: int = 1) -> TurnReference:
    return TurnReference(tenant="shop", connection="web", conversation="c-1", turn=turn)


def message(number: int, now: datetime) -> InboundMessage:
    return InboundMessage(
        id=f"m{number}", conversation="c-1", text=f"text {number}", sent_at=now + timedelta(seconds=number)
    )


def open_turn(stores: Stores, turn: int, now: datetime) -> TurnRecord:
    waiting = stores.conversations.pending(reference(turn))
    messages = stores.conversations.messages(reference(turn), waiting)
    record = TurnRecord(turn=turn, agent="clerk", messages=messages, opened_at=now, deadline=now)
    stores.turns.open(reference(turn), record, len(waiting), now)
    return record


def accept(stores: Stores, number: int, now: datetime) -> bool:
    return stores.conversations.accept(reference().key, message(number, now), now)


def test_a_repeated_message_is_stored_once(stores: Stores, now: datetime) -> None:
    assert accept(stores, 1, now)
    assert not accept(stores, 1, now)
    stores.conversations.take_lease(reference().key, now)
    assert stores.conversations.pending(reference()) == ["m1"]


def test_only_one_turn_holds_a_conversation(stores: Stores, now: datetime) -> None:
    accept(stores, 1, now)
    first = stores.conversations.take_lease(reference().key, now)
    second = stores.conversations.take_lease(reference().key, now)
    assert first
    assert second
    assert (first.turn, second.turn) == (1, 1)
    assert second.needs_start, "until Route has run, whoever comes by starts the same execution again"


def test_a_running_turn_needs_no_start(stores: Stores, now: datetime) -> None:
    accept(stores, 1, now)
    stores.conversations.take_lease(reference().key, now)
    open_turn(stores, 1, now)
    accept(stores, 2, now)
    lease = stores.conversations.take_lease(reference().key, now)
    assert lease
    assert not lease.needs_start


def test_a_repeat_after_the_turn_starts_nothing(stores: Stores, now: datetime) -> None:
    accept(stores, 1, now)
    stores.conversations.take_lease(reference().key, now)
    open_turn(stores, 1, now)
    assert stores.conversations.finish(reference(), "delivered", now) is None
    accept(stores, 1, now)
    assert stores.conversations.take_lease(reference().key, now) is None


def test_a_lease_that_ran_out_is_taken_over(stores: Stores, now: datetime) -> None:
    accept(stores, 1, now)
    stores.conversations.take_lease(reference().key, now)
    lease = stores.conversations.take_lease(reference().key, now + timedelta(seconds=LEASE_SECONDS + 1))
    assert lease
    assert lease.turn == 2
    with pytest.raises(LeaseLost):
        stores.conversations.pending(reference(1))


def test_a_message_that_comes_during_a_turn_opens_the_next(stores: Stores, now: datetime) -> None:
    accept(stores, 1, now)
    stores.conversations.take_lease(reference().key, now)
    open_turn(stores, 1, now)
    accept(stores, 2, now)
    assert stores.conversations.finish(reference(1), "delivered", now) == 2
    assert open_turn(stores, 2, now).question == "text 2"
    assert stores.conversations.finish(reference(2), "delivered", now) is None


def test_a_message_that_comes_while_a_turn_opens_is_not_taken_out_unread(stores: Stores, now: datetime) -> None:
    accept(stores, 1, now)
    stores.conversations.take_lease(reference().key, now)
    waiting = stores.conversations.pending(reference())
    accept(stores, 2, now)
    record = TurnRecord(
        turn=1,
        agent="clerk",
        messages=stores.conversations.messages(reference(), waiting),
        opened_at=now,
        deadline=now,
    )
    stores.turns.open(reference(), record, len(waiting), now)
    assert stores.conversations.pending(reference()) == ["m2"]


def test_finishing_twice_gives_the_same_answer(stores: Stores, now: datetime) -> None:
    accept(stores, 1, now)
    stores.conversations.take_lease(reference().key, now)
    open_turn(stores, 1, now)
    accept(stores, 2, now)
    assert stores.conversations.finish(reference(1), "delivered", now) == 2
    assert stores.conversations.finish(reference(1), "delivered", now) == 2
    open_turn(stores, 2, now)
    assert stores.conversations.finish(reference(2), "delivered", now) is None
    assert stores.conversations.finish(reference(2), "delivered", now) is None


def test_a_run_that_lost_its_lease_can_write_nothing_more(stores: Stores, now: datetime) -> None:
    accept(stores, 1, now)
    stores.conversations.take_lease(reference().key, now)
    later = now + timedelta(seconds=LEASE_SECONDS + 1)
    stores.conversations.take_lease(reference().key, later)
    record = TurnRecord(turn=1, agent="clerk", messages=(message(1, now),), opened_at=now, deadline=now)
    with pytest.raises(LeaseLost):
        stores.turns.open(reference(1), record, 1, later)
    with pytest.raises(LeaseLost):
        stores.conversations.finish(reference(1), "delivered", later)


def test_too_many_waiting_messages_are_refused_and_not_kept(
    stores: Stores, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnkey.store.conversations.MAX_PENDING", 3)
    for number in range(3):
        accept(stores, number, now)
    with pytest.raises(RequestRefused) as refused:
        accept(stores, 3, now)
    assert refused.value.status == 429
    stores.conversations.take_lease(reference().key, now)
    assert len(stores.conversations.pending(reference())) == 3


def test_the_first_reply_that_was_saved_counts(stores: Stores, now: datetime) -> None:
    accept(stores, 1, now)
    stores.conversations.take_lease(reference().key, now)
    open_turn(stores, 1, now)
    assert stores.turns.save_reply(reference(), ReplyRecord(text="first")).text == "first"
    assert stores.turns.save_reply(reference(), ReplyRecord(text="second")).text == "first"


def test_a_write_conflict_is_tried_again(stores: Stores, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    from botocore.exceptions import ClientError

    from turnkey.store import clients

    real: Any = clients.dynamodb().transact_write_items
    conflicts = iter([True, True, False])

    def flaky(**request: Any) -> Any:
        if next(conflicts):
            reasons = [{"Code": "TransactionConflict"}, {"Code": "None"}]
            raise ClientError(
                {"Error": {"Code": "TransactionCanceledException"}, "CancellationReasons": reasons},  # type: ignore[typeddict-unknown-key]
                "TransactWriteItems",
            )
        return real(**request)

    monkeypatch.setattr(clients.dynamodb(), "transact_write_items", flaky)
    assert accept(stores, 1, now)
