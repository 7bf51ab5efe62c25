"""One-time schedules that functions have made in moto's EventBridge Scheduler, read, taken and put back without going
through its endpoint."""

from collections.abc import Iterator
from typing import Any

from moto.scheduler.models import Schedule as MadeSchedule
from moto.scheduler.models import scheduler_backends

from local.account import ACCOUNT_ID, REGION
from local.deployment import Schedule
from local.invocation import plain_name

# A schedule as CreateSchedule takes it, in plain JSON.
Made = dict[str, Any]
_KEPT = (
    "name",
    "group_name",
    "description",
    "schedule_expression",
    "schedule_expression_timezone",
    "flexible_time_window",
    "target",
    "state",
    "kms_key_arn",
    "start_date",
    "end_date",
    "action_after_completion",
)


def schedules() -> Iterator[Schedule]:
    """Those that are enabled."""
    for made in _all():
        # moto takes a changed one that names no state for one without any; the service enables it.
        if (made.state or "ENABLED") == "ENABLED":
            yield Schedule(
                name=made.name,
                expression=made.schedule_expression,
                time_zone=made.schedule_expression_timezone,
                function_name=plain_name(made.target["Arn"]),
                input=made.target.get("Input", "{}"),
                once=True,
            )


def take(schedule: Schedule) -> None:
    """It has fired: it goes, if it is to go after that and was not given another time meanwhile."""
    for group in _groups():
        made = group.schedules.get(schedule.name)
        if made and made.schedule_expression == schedule.expression and made.action_after_completion == "DELETE":
            group.schedules.pop(schedule.name, None)


def read() -> list[Made]:
    """All of them, to be put back later."""
    return [{name: getattr(made, name) for name in _KEPT} for made in _all()]


def put(made: Made) -> None:
    """Makes a schedule that `read` returned, where its group is still there."""
    backend = scheduler_backends[ACCOUNT_ID][REGION]
    if made["group_name"] in backend.schedule_groups:
        backend.create_schedule(**made)


def _all() -> list[MadeSchedule]:
    return [made for group in _groups() for made in list(group.schedules.values())]


def _groups() -> list[Any]:
    return list(scheduler_backends[ACCOUNT_ID][REGION].schedule_groups.values())
