"""What the platform says first, because a schedule is due: whether it may, and what becomes of the schedule."""

from collections.abc import Sequence
from datetime import datetime

from turnkey import channels, ids
from turnkey.channels import InboundMessage
from turnkey.errors import TenantMisconfigured
from turnkey.schedules import Schedule, State
from turnkey.store.stores import Stores
from turnkey.telemetry import logger
from turnkey.turn.reference import TurnReference

_OPEN: tuple[State, ...] = ("making", "waiting", "due")


def schedules_of(messages: Sequence[InboundMessage]) -> tuple[str, ...]:
    """Keys of the schedules that the messages are of. A turn has messages of customers or of schedules, never both."""
    return tuple(message.schedule for message in messages if message.origin == "platform")


def refusal(stores: Stores, tenant: str, schedule: Schedule, now: datetime) -> str:
    """Why nothing may be said now, in words for the operator; or nothing."""
    try:
        settings, connection = stores.tenants.entry(tenant, schedule.connection)
    except TenantMisconfigured as error:
        return str(error)
    if settings.suspended:
        return "the tenant is suspended"
    key = ids.conversation_key(tenant, schedule.connection, schedule.conversation)
    if stores.conversations.standing(key).person:
        return "a person answers in this conversation"
    if not channels.find(connection.channel).may_start(stores.conversations.customer_wrote_at(key), now):
        return f"channel {connection.channel} does not let the platform write first so long after the customer wrote"
    return ""


def due(stores: Stores, reference: TurnReference, messages: Sequence[InboundMessage], now: datetime) -> Schedule | None:
    """The schedule that the messages are of, if it still counts and something may be said. One that may not is held."""
    for key in schedules_of(messages):
        schedule = stores.schedules.find(reference.tenant, key)
        if schedule is None or schedule.state != "due":
            return None
        why = refusal(stores, reference.tenant, schedule, now)
        if not why:
            return schedule
        hold(stores, reference.tenant, schedule, why, now)
    return None


def hold(stores: Stores, tenant: str, schedule: Schedule, why: str, now: datetime) -> None:
    """It is kept, unsaid, for the operator to see. The reason stays that was found first."""
    if stores.schedules.move(tenant, schedule.key, "held", of=_OPEN, held=why):
        logger.warning("schedule held", schedule=schedule.key, kind=schedule.kind, reason=why)
    count(stores, tenant, schedule, now)


def hold_all(
    stores: Stores, reference: TurnReference, messages: Sequence[InboundMessage], why: str, now: datetime
) -> None:
    """Those that the messages are of."""
    for key in schedules_of(messages):
        if schedule := stores.schedules.find(reference.tenant, key):
            hold(stores, reference.tenant, schedule, why, now)


def done(stores: Stores, reference: TurnReference, messages: Sequence[InboundMessage], now: datetime) -> None:
    """They have been said. Doing it again changes nothing."""
    for key in schedules_of(messages):
        stores.schedules.move(reference.tenant, key, "done", of=("due",))
        if schedule := stores.schedules.find(reference.tenant, key):
            count(stores, reference.tenant, schedule, now)


def count(stores: Stores, tenant: str, schedule: Schedule, now: datetime) -> None:
    """How many are still to come, as the conversation's standing has it."""
    there = stores.schedules.of_conversation(tenant, schedule.connection, schedule.conversation, now)
    key = ids.conversation_key(tenant, schedule.connection, schedule.conversation)
    stores.conversations.stand(key, now, reminders=sum(one.is_ahead for one in there))
