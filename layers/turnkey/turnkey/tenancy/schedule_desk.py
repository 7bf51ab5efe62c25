"""A tenant's reminders and follow-ups, for its operator: those that are to come, and those that could not be said."""

from datetime import datetime, timedelta

from turnkey.schedules import Kind, Schedule, State
from turnkey.store.acting import acting_for
from turnkey.store.schedules import ScheduleStore
from turnkey.tenancy.circumstances import Circumstances
from turnkey.tenancy.desk import Desk
from turnkey.tenancy.request import SchedulesRequest
from turnkey.values import Value

_LATE = timedelta(minutes=30)
"""Longer than the service, and the tries of a function and of a turn, take."""
_OPEN: tuple[State, ...] = ("making", "waiting", "due", "held")


class ScheduleReport(Value):
    """One of them. `held` says why nothing was said when its time came; `overdue`: its time came, and its alarm, or the
    turn that was to say it, did not."""

    id: str
    kind: Kind
    state: State
    at: datetime
    zone: str
    connection: str
    conversation: str
    text: str
    held: str
    overdue: bool


class ScheduleList(Value):
    """By their time."""

    tenant: str
    schedules: tuple[ScheduleReport, ...]


class ScheduleDesk:
    def __init__(self, schedules: ScheduleStore, desk: Desk) -> None:
        self._schedules = schedules
        self._desk = desk

    def read(self, request: SchedulesRequest, circumstances: Circumstances) -> ScheduleList:
        """Raises Refused for a tenant that there is not."""
        with acting_for(request.tenant):
            self._desk.check(request.tenant)
            found = self._schedules.all(request.tenant, circumstances.now)
        reports = (_report(one, circumstances.now) for one in found if request.all or one.state in _OPEN)
        shown = (one for one in reports if not request.held or one.held or one.overdue)
        return ScheduleList(tenant=request.tenant, schedules=tuple(shown))


def _report(schedule: Schedule, now: datetime) -> ScheduleReport:
    fields = {"kind", "state", "at", "zone", "connection", "conversation", "text", "held"}
    overdue = schedule.state in ("making", "waiting", "due") and schedule.at + _LATE < now
    return ScheduleReport(id=schedule.id, overdue=overdue, **schedule.model_dump(include=fields))
