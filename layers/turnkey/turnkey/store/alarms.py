"""What wakes the platform when a reminder or a follow-up is due: one-time schedules of EventBridge Scheduler, deleted
by it once they have fired. It fires at least once and to about a minute, so whoever is woken must not mind a repeat."""

import json
from datetime import UTC, datetime
from typing import Any

from botocore.exceptions import ClientError

from turnkey.environment import required
from turnkey.schedules.schedule import alarm_name
from turnkey.store import clients

_RETRIES = {"MaximumEventAgeInSeconds": 24 * 3600, "MaximumRetryAttempts": 185}
"""The service's own most: a wake that is throttled comes late and not never."""


class AlarmStore:
    """`group`: the schedules' group; `role` invokes `function`; all but the group are needed to set alarms."""

    def __init__(self, group: str, role: str = "", function: str = "") -> None:
        self._group = group
        self._role = role
        self._function = function

    @classmethod
    def from_environment(cls) -> "AlarmStore":
        """Raises Permanent when the template does not name them."""
        return cls(
            required("TURNKEY_SCHEDULE_GROUP"),
            required("TURNKEY_SCHEDULE_ROLE_ARN"),
            required("TURNKEY_WAKE_FUNCTION"),
        )

    def set(self, tenant: str, key: str, version: int, at: datetime) -> None:
        """Wakes the platform for the tenant's schedule `key` at that time. Set again, nothing changes."""
        try:
            clients.scheduler().create_schedule(**self._request(tenant, key, version, at))
        except ClientError as error:
            if _code(error) != "ConflictException":
                raise

    def reset(self, tenant: str, key: str, version: int, at: datetime) -> None:
        """Another time for the same schedule, whether its alarm is there or not."""
        try:
            clients.scheduler().update_schedule(**self._request(tenant, key, version, at))
        except ClientError as error:
            if _code(error) != "ResourceNotFoundException":
                raise
            self.set(tenant, key, version, at)

    def delete(self, tenant: str, key: str) -> bool:
        """False where there is none."""
        try:
            clients.scheduler().delete_schedule(Name=alarm_name(tenant, key), GroupName=self._group)
        except ClientError as error:
            if _code(error) != "ResourceNotFoundException":
                raise
            return False
        return True

    def _request(self, tenant: str, key: str, version: int, at: datetime) -> Any:
        return {
            "Name": alarm_name(tenant, key),
            "GroupName": self._group,
            # In UTC: no clock change moves it.
            "ScheduleExpression": f"at({at.astimezone(UTC):%Y-%m-%dT%H:%M:%S})",
            "ScheduleExpressionTimezone": "UTC",
            "State": "ENABLED",
            "FlexibleTimeWindow": {"Mode": "OFF"},
            "ActionAfterCompletion": "DELETE",
            "Target": {
                "Arn": self._function,
                "RoleArn": self._role,
                "Input": json.dumps({"tenant": tenant, "schedule": key, "version": version}),
                "RetryPolicy": _RETRIES,
            },
        }


def _code(error: ClientError) -> str:
    return error.response.get("Error", {}).get("Code", "")
