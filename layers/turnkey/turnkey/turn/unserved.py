"""The record of a turn that is answered without a model: the tenant is not served, or a person answers."""

from datetime import datetime

from turnkey.channels import InboundMessage
from turnkey.errors import Refusal
from turnkey.reply.language import Pinned, pin
from turnkey.store.stores import Stores
from turnkey.tools.builtins.situation import Known, Standing
from turnkey.turn import proactive, waking
from turnkey.turn.record import Exchange, TurnRecord
from turnkey.turn.reference import TurnReference

Messages = tuple[InboundMessage, ...]
History = tuple[Exchange, ...]


def record(
    stores: Stores,
    reference: TurnReference,
    why: Refusal,
    now: datetime,
    messages: Messages,
    history: History,
    standing: Standing,
) -> TurnRecord:
    """What Route writes in place of the agent's turn."""
    if messages[0].origin == "platform":
        return _woken(stores, reference, why, now, messages, history)
    pinned = pin([message.text for message in messages], pinned_before(history))
    return TurnRecord(
        turn=reference.turn,
        agent=waking.PLATFORM,
        messages=messages,
        history=history,
        language=pinned.language,
        language_wished=pinned.wished,
        known=Known(standing=standing),
        not_served=why,
        opened_at=now,
        deadline=now,
    )


def _woken(
    stores: Stores, reference: TurnReference, why: Refusal, now: datetime, messages: Messages, history: History
) -> TurnRecord:
    """A reminder costs nothing and is said; what would ask a model is held."""
    due = proactive.due(stores, reference, messages, now)
    if due and due.kind == "follow_up":
        proactive.hold(stores, reference.tenant, due, f"the tenant is not served: {why}", now)
        due = None
    return waking.record(reference, messages, history, due, now)


def pinned_before(history: History) -> Pinned:
    """The language as the last turn had it."""
    last = history[-1] if history else None
    return Pinned(language=last.language, wished=last.language_wished) if last else Pinned()
