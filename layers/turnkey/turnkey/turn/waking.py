"""A turn that nobody wrote for: a schedule is due. Plain."""

from collections.abc import Sequence
from datetime import datetime

from turnkey.channels import InboundMessage
from turnkey.reply.language import Pinned
from turnkey.schedules import Schedule, wording
from turnkey.turn.record import Exchange, ReplyRecord, TurnRecord
from turnkey.turn.reference import TurnReference

PLATFORM = "platform"
"""Stands for the agent where none is asked."""


def record(
    reference: TurnReference,
    messages: Sequence[InboundMessage],
    history: Sequence[Exchange],
    due: Schedule | None,
    now: datetime,
) -> TurnRecord:
    """Of a turn without a model: the platform says a reminder itself, and nothing where no schedule is `due`."""
    last = history[-1] if history else None
    return TurnRecord(
        turn=reference.turn,
        agent=PLATFORM,
        messages=tuple(messages),
        history=tuple(history),
        language=(due.language if due else "") or (last.language if last else ""),
        language_wished=last.language_wished if last else False,
        woken="reminder" if due else "nothing",
        opened_at=now,
        deadline=now,
    )


def words(record: TurnRecord) -> ReplyRecord:
    """What the customer is told: the reminder, and nothing of a model's."""
    text = "\n".join(message.text for message in record.messages)
    return ReplyRecord(text=wording.reminder(record.language, text), author="platform")


def pinned(due: Schedule | None, before: Pinned) -> Pinned:
    """The language of a turn for `due`: that of the conversation, else the one in which it was asked for."""
    return before if due is None or before.language else Pinned(language=due.language)
