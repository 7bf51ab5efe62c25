"""Opening a turn: the waiting messages leave the inbox and the record is written, both or neither."""

from collections.abc import Callable
from datetime import datetime

from turnkey.channels import InboundMessage
from turnkey.store.stores import Stores
from turnkey.store.turns import OpenTurn
from turnkey.turn.record import Exchange, TurnRecord
from turnkey.turn.reference import TurnReference

MAX_MESSAGES = 25
"""Messages one turn takes; the others open the next. Far below what one transaction can hold."""

Decide = Callable[[tuple[InboundMessage, ...], tuple[Exchange, ...]], TurnRecord]
"""From the messages and the history to the record."""


def open_turn(stores: Stores, reference: TurnReference, now: datetime, decide: Decide) -> TurnRecord | None:
    """The open turn's record, whether opened now or before; None when no message waits. Raises LeaseLost."""
    turn = stores.turns.find(reference)
    if turn is not None:
        return turn.record
    waiting = stores.conversations.pending(reference)[:MAX_MESSAGES]
    before = stores.turns.before(reference)
    messages = (*_left_over(before), *stores.conversations.messages(reference, waiting))
    if not messages:
        return None
    record = decide(messages, _history(before))
    stores.turns.open(reference, record, len(waiting), now)
    return record


def _left_over(before: OpenTurn | None) -> tuple[InboundMessage, ...]:
    """Messages of an earlier turn that ended without any word: its lease ran out. They are answered now."""
    return before.record.messages if before and not before.ended and not before.reply else ()


def _history(before: OpenTurn | None) -> tuple[Exchange, ...]:
    if before is None:
        return ()
    return before.record.history_for_next(before.reply.text) if before.reply else before.record.history
