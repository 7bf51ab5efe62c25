"""A schedule is due: its message goes into the conversation's inbox, once, and a turn of its own answers it."""

from datetime import datetime
from typing import Literal

from turnkey import ids
from turnkey.channels import InboundMessage
from turnkey.errors import RequestRefused, Transient
from turnkey.schedules import Schedule
from turnkey.schedules.schedule import message_id
from turnkey.store.stores import Stores
from turnkey.telemetry import logger
from turnkey.turn import proactive
from turnkey.turn.starting import Executions, take
from turnkey.values import Value

Outcome = Literal["woken", "repeated", "held", "gone"]


class Wake(Value):
    """What the schedule's target is given: ids alone. `version` is that of the time it was set for."""

    tenant: ids.Name
    schedule: str
    version: int = 1


class Waker:
    def __init__(self, stores: Stores, executions: Executions) -> None:
        self._stores = stores
        self._executions = executions

    def wake(self, wake: Wake, now: datetime) -> Outcome:
        """Called twice for the same schedule, it does the same as once. Raises Transient when too many messages wait in
        the conversation."""
        outcome = self._wake(wake, now)
        logger.info("schedule fired", schedule=wake.schedule, outcome=outcome)
        return outcome

    def _wake(self, wake: Wake, now: datetime) -> Outcome:
        schedule = self._stores.schedules.find(wake.tenant, wake.schedule)
        # An alarm of a time that was changed since: the newer one has been set.
        if schedule is None or schedule.state == "cancelled" or wake.version < schedule.version:
            return "gone"
        if schedule.state in ("done", "held"):
            return "repeated"
        if schedule.is_ahead:
            if why := proactive.refusal(self._stores, wake.tenant, schedule, now):
                proactive.hold(self._stores, wake.tenant, schedule, why, now)
                return "held"
            if not self._stores.schedules.move(wake.tenant, schedule.key, "due"):
                return self._wake(wake, now)
        # One that is due already may have died before its message was there.
        return "woken" if self._take(wake.tenant, schedule, now) else "repeated"

    def _take(self, tenant: str, schedule: Schedule, now: datetime) -> bool:
        message = InboundMessage(
            id=message_id(schedule.key),
            conversation=schedule.conversation,
            text=schedule.text,
            sent_at=now,
            address=schedule.address,
            origin="platform",
            schedule=schedule.key,
        )
        try:
            return take(self._stores, self._executions, tenant, schedule.connection, message, now)
        except RequestRefused as error:
            raise Transient(f"schedule {schedule.key} cannot be taken now: {error}") from error
