"""Ending a turn: the conversation is given back, what was used is counted, the place is free. All of it or nothing."""

from datetime import datetime

from turnkey.store.stores import Stores
from turnkey.store.usage import Write
from turnkey.turn.quota import Usage, used_by
from turnkey.turn.reference import TurnReference


def close(stores: Stores, reference: TurnReference, status: str, now: datetime) -> TurnReference:
    """Next is "route" for the messages that came meanwhile, or "end". Calling it again changes nothing."""
    following = stores.conversations.finish(reference, status, now, *_writes(stores, reference, now))
    return reference.then("route", following) if following else reference.then("end")


def _writes(stores: Stores, reference: TurnReference, now: datetime) -> list[Write]:
    turn = stores.turns.find(reference)
    if turn is not None and turn.ended:
        return []
    tenant, name = reference.tenant, reference.execution_name
    leaving = stores.usage.leave_writes(tenant, name, now)
    if turn is None:
        return leaving
    used = used_by(turn.record, stores.turns.journal(reference), turn.reply)
    if used == Usage():
        return leaving
    # On the day on which the turn was counted.
    return [*leaving, stores.usage.work_write(tenant, name, turn.record.opened_at.date(), used, now)]
