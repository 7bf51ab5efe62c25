"""Opening a turn: the waiting messages leave the inbox and the record is written, both or neither."""

from collections.abc import Callable
from datetime import datetime
from itertools import accumulate, takewhile
from typing import Any

from turnkey.channels import InboundMessage
from turnkey.store.stores import Stores
from turnkey.store.turns import OpenTurn
from turnkey.tools.builtins.situation import Standing
from turnkey.turn import interlude
from turnkey.turn.record import Exchange, TurnRecord
from turnkey.turn.reference import TurnReference

MAX_MESSAGES = 25
"""Messages one turn takes; the others open the next. Far below what one transaction can hold."""

MAX_CHARACTERS = 60_000
"""Of a turn's messages together. With four bytes each and the history they stay below the 400 KB of a row."""

HELD = "held"
"""How a turn ends whose reply may not be sent."""

Decide = Callable[[tuple[InboundMessage, ...], tuple[Exchange, ...], Standing], TurnRecord]
"""From the messages, the history and how the conversation stands to the record."""


Admit = Callable[[Standing], list[dict[str, Any]]]
"""Lets a turn in, or raises; gives the writes of which one counts it."""


def open_turn(
    stores: Stores, reference: TurnReference, now: datetime, decide: Decide, admit: Admit | None = None
) -> TurnRecord | None:
    """The open turn's record, whether opened now or before; None when no message waits. `admit` is asked before
    anything is decided. Raises LeaseLost, NotServed, and what `admit` raises."""
    turn = stores.turns.find(reference)
    if turn is not None:
        return turn.record
    inbox = stores.conversations.inbox(reference)
    waiting = inbox.pending[:MAX_MESSAGES]
    before = stores.turns.before(reference)
    left_over = _left_over(before)
    room = MAX_CHARACTERS - sum(len(message.text) for message in left_over)
    taken = fitting(of_one_origin(stores.conversations.messages(reference, waiting), left_over), room)
    messages = (*left_over, *sorted(taken, key=lambda message: message.sent_at))
    if not messages:
        return None
    counting = admit(inbox.standing) if admit else None
    record = decide(messages, _past(stores, reference, before, inbox.standing), inbox.standing)
    stores.turns.open(reference, record, len(taken), now, counting)
    return record


def fitting(messages: tuple[InboundMessage, ...], room: int) -> tuple[InboundMessage, ...]:
    """As many from the front as fit into `room` characters."""
    sizes = accumulate(len(message.text) for message in messages)
    return tuple(message for message, size in zip(messages, sizes, strict=True) if size <= room)


def of_one_origin(
    messages: tuple[InboundMessage, ...], begun: tuple[InboundMessage, ...] = ()
) -> tuple[InboundMessage, ...]:
    """As many from the front as a turn may answer together, behind those it has `begun` with: customers' messages, or
    the one of a schedule. The platform's words are never taken for a customer's."""
    first = (*begun, *messages)[:1]
    if first and first[0].origin == "platform":
        return () if begun else messages[:1]
    return tuple(takewhile(lambda message: message.origin == "customer", messages))


def _left_over(before: OpenTurn | None) -> tuple[InboundMessage, ...]:
    """Messages of an earlier turn that ended without any word: its lease ran out. They are answered now."""
    return before.whole.messages if before and not before.ended and not before.reply else ()


def _past(
    stores: Stores, reference: TurnReference, before: OpenTurn | None, standing: Standing
) -> tuple[Exchange, ...]:
    """The history, with what a person left who gave the conversation back since the turn before was opened."""
    history = _history(before)
    handover = stores.people.find(reference.tenant, standing.returned) if standing.returned else None
    if handover is None or handover.returned_at is None:
        return history
    known = before is not None and before.record.opened_at >= handover.returned_at
    return history if known else interlude.after(history, handover)


def _history(before: OpenTurn | None) -> tuple[Exchange, ...]:
    if before is None:
        return ()
    if before.ended == interlude.WITH_PERSON:
        return interlude.during(before.whole, before.held_by or before.record.known.standing.person)
    if before.reply is None:
        # Its messages are answered now. What it was to do on the customer's word it may have done already.
        return _without_question(before.record.history) if before.record.agreed else before.record.history
    if before.ended == HELD:
        # Nobody was sent it.
        return before.record.history
    asked = before.whole.history_for_next(before.reply)
    # Nobody can agree to what they were never sent.
    return asked if before.sent else _without_question(asked)


def _without_question(history: tuple[Exchange, ...]) -> tuple[Exchange, ...]:
    return tuple(exchange.model_copy(update={"confirming": ()}) for exchange in history)
