"""Opening a turn: the waiting messages leave the inbox and the record is written, both or neither."""

from collections.abc import Callable
from datetime import datetime
from itertools import accumulate
from typing import Any

from turnkey.channels import InboundMessage
from turnkey.store.stores import Stores
from turnkey.store.turns import OpenTurn
from turnkey.tools.builtins.situation import Standing
from turnkey.turn.record import Exchange, TurnRecord
from turnkey.turn.reference import TurnReference

MAX_MESSAGES = 25
"""Messages one turn takes; the others open the next. Far below what one transaction can hold."""

MAX_CHARACTERS = 60_000
"""Of a turn's messages together. With four bytes each and the history they stay below the 400 KB of a row."""

Decide = Callable[[tuple[InboundMessage, ...], tuple[Exchange, ...], Standing], TurnRecord]
"""From the messages, the history and how the conversation stands to the record."""


Admit = Callable[[], list[dict[str, Any]]]
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
    taken = fitting(stores.conversations.messages(reference, waiting), room)
    messages = (*left_over, *sorted(taken, key=lambda message: message.sent_at))
    if not messages:
        return None
    counting = admit() if admit else None
    record = decide(messages, _history(before), inbox.standing)
    stores.turns.open(reference, record, len(taken), now, counting)
    return record


def fitting(messages: tuple[InboundMessage, ...], room: int) -> tuple[InboundMessage, ...]:
    """As many from the front as fit into `room` characters."""
    sizes = accumulate(len(message.text) for message in messages)
    return tuple(message for message, size in zip(messages, sizes, strict=True) if size <= room)


def _left_over(before: OpenTurn | None) -> tuple[InboundMessage, ...]:
    """Messages of an earlier turn that ended without any word: its lease ran out. They are answered now."""
    return before.whole.messages if before and not before.ended and not before.reply else ()


def _history(before: OpenTurn | None) -> tuple[Exchange, ...]:
    if before is None:
        return ()
    if before.reply is None:
        # Its messages are answered now. What it was to do on the customer's word it may have done already.
        return _without_question(before.record.history) if before.record.agreed else before.record.history
    asked = before.whole.history_for_next(before.reply)
    # Nobody can agree to what they were never sent.
    return asked if before.sent else _without_question(asked)


def _without_question(history: tuple[Exchange, ...]) -> tuple[Exchange, ...]:
    return tuple(exchange.model_copy(update={"confirming": ()}) for exchange in history)
