"""Whether a turn may run now: the tenant is not suspended, has something left of its day, and a place is free."""

from datetime import datetime

from turnkey.errors import NotServed, Refusal, TooManyTurns
from turnkey.reply import phrases
from turnkey.store.stores import Stores
from turnkey.store.usage import Write
from turnkey.telemetry import logger
from turnkey.tools.builtins.situation import Standing
from turnkey.turn import quota
from turnkey.turn.record import ReplyRecord
from turnkey.turn.reference import TurnReference


def admit(stores: Stores, reference: TurnReference, now: datetime, standing: Standing) -> list[Write]:
    """Takes a place for the turn, and gives the writes of which one is to count it when it opens.

    Raises NotServed for a turn that is answered without a model, and TooManyTurns for one that has to wait: it keeps
    its conversation meanwhile. Asked again, a turn keeps the place it has.
    """
    if standing.person:
        # Before all else: what the customer writes to a person costs the tenant nothing and must reach them.
        raise NotServed("person")
    tenant = stores.tenants.tenant(reference.tenant)
    if tenant.suspended:
        raise NotServed("suspended")
    day = stores.usage.of_day(tenant.id, now.date())
    which = quota.reached(day.used, tenant.quotas)
    if which:
        raise NotServed(which)
    most = tenant.quotas.concurrent_turns
    if not stores.usage.take_place(tenant.id, reference.execution_name, most, now):
        stores.conversations.renew_lease(reference, now)
        raise TooManyTurns(f"{most} turns of tenant {tenant.id!r} run already: this one waits")
    return stores.usage.turn_writes(tenant.id, reference.execution_name, day, tenant.quotas.turns, now)


def words(why: Refusal, language: str) -> ReplyRecord:
    """What the customer is told, by the platform alone."""
    if why == "suspended":
        logger.warning("tenant suspended")
        text = phrases.paused(language)
    else:
        logger.warning("quota reached", quota=why)
        text = phrases.enough_for_today(language)
    return ReplyRecord(text=text, author="platform", delivered=False)
