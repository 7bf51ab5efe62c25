"""The schedules of a template: what SAM makes of a function's ScheduleV2 events."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from local.deployment import Schedule
from local.intrinsics import Resolver
from local.invocation import plain_name
from local.schedule_expressions import InvalidSchedule, parse
from local.transform import InvalidTemplate

KIND = "AWS::Scheduler::Schedule"
_KNOWN = {
    "Description",
    "FlexibleTimeWindow",  # fired at its beginning
    "Name",
    "ScheduleExpression",
    "ScheduleExpressionTimezone",
    "State",
    "Target",
}


def schedules(resources: Iterable[tuple[str, Mapping[str, Any]]], resolver: Resolver) -> Iterator[Schedule]:
    """Those that are enabled, from (logical id, properties). Raises `InvalidTemplate`."""
    for logical_id, properties in resources:
        resolved: dict[str, Any] = resolver.resolve(dict(properties), logical_id)
        found = _schedule(logical_id, resolved)
        if resolved.get("State", "ENABLED") == "ENABLED":
            yield found


def _schedule(logical_id: str, properties: Mapping[str, Any]) -> Schedule:
    if unknown := sorted(set(properties) - _KNOWN):
        raise InvalidTemplate(f"{logical_id}: {', '.join(unknown)} of a schedule does not work on one machine.")
    expression, zone = str(properties["ScheduleExpression"]), str(properties.get("ScheduleExpressionTimezone", "UTC"))
    target: dict[str, Any] = properties["Target"]
    if ":function:" not in target["Arn"]:
        raise InvalidTemplate(f"{logical_id}: on one machine a schedule can only invoke a function of the template.")
    try:
        parse(expression, zone)
        json.loads(target.get("Input", "{}"))
    except InvalidSchedule as error:
        raise InvalidTemplate(f"{logical_id}.ScheduleExpression: {error}.") from error
    except ValueError as error:
        raise InvalidTemplate(f"{logical_id}.Input is no JSON: {error}.") from error
    return Schedule(
        name=str(properties.get("Name", logical_id)),
        expression=expression,
        time_zone=zone,
        function_name=plain_name(target["Arn"]),
        input=str(target.get("Input", "{}")),
    )
