"""A turn opens with the messages that wait, as many as a row can hold, and with those that nobody answered."""

from datetime import datetime, timedelta

from turnkey import ids
from turnkey.channels import InboundMessage
from turnkey.channels.protocol import MAX_TEXT
from turnkey.store.conversations import LEASE_SECONDS
from turnkey.store.stores import Stores
from turnkey.tools.builtins.situation import Standing
from turnkey.turn.opening import MAX_CHARACTERS, open_turn
from turnkey.turn.record import Exchange, ReplyRecord, TurnRecord
from turnkey.turn.reference import TurnReference


def reference(turn: int = 1) -> TurnReference:
    return TurnReference(tenant="shop", connection="web", conversation="c#1", turn=turn)


def accept(stores: Stores, number: int, now: datetime, text: str = "") -> None:
    message = InboundMessage(
        id=f"m{number}",
        conversation="c#1",
        text=text or f"text {number}",
        sent_at=now + timedelta(seconds=number),
    )
    stores.conversations.accept(reference().key, message, now)


def opened(stores: Stores, turn: int, now: datetime) -> TurnRecord | None:
    def decide(messages: tuple[InboundMessage, ...], history: tuple[Exchange, ...], _: Standing) -> TurnRecord:
        return TurnRecord(turn=turn, agent="clerk", messages=messages, history=history, opened_at=now, deadline=now)

    return open_turn(stores, reference(turn), now, decide)


def test_a_turn_takes_its_messages_in_the_order_they_were_sent(stores: Stores, now: datetime) -> None:
    for number in (3, 1, 2):
        accept(stores, number, now)
    stores.conversations.take_lease(reference().key, now)
    record = opened(stores, 1, now)
    assert record
    assert record.question == "text 1\ntext 2\ntext 3"


def test_opening_again_gives_the_same_turn(stores: Stores, now: datetime) -> None:
    accept(stores, 1, now)
    stores.conversations.take_lease(reference().key, now)
    first = opened(stores, 1, now)
    accept(stores, 2, now)
    assert opened(stores, 1, now + timedelta(seconds=9)) == first


def test_more_than_a_row_can_hold_is_left_for_the_next_turn(stores: Stores, now: datetime) -> None:
    for number in range(5):
        accept(stores, number, now, "鯨" * MAX_TEXT)
    stores.conversations.take_lease(reference().key, now)
    record = opened(stores, 1, now)
    assert record
    assert len(record.messages) == MAX_CHARACTERS // MAX_TEXT
    assert stores.conversations.pending(reference()) == ["m3", "m4"]


def test_messages_of_a_turn_that_ended_without_a_word_are_answered_by_the_next(stores: Stores, now: datetime) -> None:
    accept(stores, 1, now)
    stores.conversations.take_lease(reference().key, now)
    opened(stores, 1, now)
    later = now + timedelta(seconds=LEASE_SECONDS + 1)
    accept(stores, 2, later)
    stores.conversations.take_lease(reference().key, later)
    record = opened(stores, 2, later)
    assert record
    assert record.question == "text 1\ntext 2"


def test_a_turn_starts_from_the_bounded_history_of_the_last(stores: Stores, now: datetime) -> None:
    record = None
    for turn in range(1, 10):
        accept(stores, turn, now)
        stores.conversations.take_lease(reference().key, now)
        record = opened(stores, turn, now)
        stores.turns.save_reply(reference(turn), ReplyRecord(text=f"reply {turn}"))
        stores.conversations.finish(reference(turn), "delivered", now)
    assert record
    assert [exchange.reply for exchange in record.history] == [f"reply {turn}" for turn in range(3, 9)]


def test_a_conversations_key_can_be_read_back_whatever_its_id_holds() -> None:
    key = ids.conversation_key("shop", "web", "a#b#CONVERSATION#c")
    assert ids.split_conversation_key(key) == ("shop", "web", "a#b#CONVERSATION#c")


def test_no_two_turns_share_an_execution_name() -> None:
    turns = [("a", "b", "c", 11), ("a", "b", "c1", 1), ("a", "bc", "", 1), ("ab", "c", "", 1), ("a", "b", "c\x001", 1)]
    names = {ids.execution_name(*turn) for turn in turns}
    assert len(names) == len(turns)
    assert all(len(name) <= 80 for name in names)
    assert len(ids.execution_name("x" * 40, "y" * 40, "z" * 256, 10**9)) <= 80


def platforms(stores: Stores, number: int, now: datetime) -> None:
    message = InboundMessage(
        id=f"m{number}", conversation="c#1", text="tea", sent_at=now, origin="platform", schedule=f"s{number}"
    )
    stores.conversations.accept(reference().key, message, now)


def test_a_schedules_message_is_never_answered_together_with_a_customers(stores: Stores, now: datetime) -> None:
    accept(stores, 1, now)
    accept(stores, 2, now)
    platforms(stores, 3, now)
    platforms(stores, 4, now)
    accept(stores, 5, now)
    stores.conversations.take_lease(reference().key, now)
    seen: list[list[str]] = []
    for turn in range(1, 5):
        record = opened(stores, turn, now)
        assert record
        seen.append([message.id for message in record.messages])
        stores.turns.save_reply(reference(turn), ReplyRecord(text="ok"))
        stores.conversations.finish(reference(turn), "delivered", now)
    assert seen == [["m1", "m2"], ["m3"], ["m4"], ["m5"]]


def test_what_an_ended_turn_could_not_send_is_no_part_of_the_history(stores: Stores, now: datetime) -> None:
    histories: list[int] = []

    def open_it(turn: int) -> None:
        def decide(messages: tuple[InboundMessage, ...], history: tuple[Exchange, ...], _: Standing) -> TurnRecord:
            histories.append(len(history))
            return TurnRecord(turn=turn, agent="clerk", messages=messages, history=history, opened_at=now, deadline=now)

        open_turn(stores, reference(turn), now, decide)

    for turn, status in ((1, "held"), (2, "delivered"), (3, "delivered")):
        accept(stores, turn, now)
        stores.conversations.take_lease(reference().key, now)
        open_it(turn)
        stores.turns.save_reply(reference(turn), ReplyRecord(text="ok"))
        stores.conversations.finish(reference(turn), status, now)
    assert histories == [0, 0, 1]
