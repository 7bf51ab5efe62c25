"""Calls of the reminders' tools, made as the assist function makes them, over tables and alarms in moto."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import boto3

from turnkey.channels import InboundMessage
from turnkey.doing.reminders import Reminders
from turnkey.schedules import Schedule
from turnkey.store.alarms import AlarmStore
from turnkey.store.stores import Stores
from turnkey.tenancy.settings import Agent, Connection, Tenant
from turnkey.tools.builtins.situation import Known
from turnkey.turn.journal import ToolCall
from turnkey.turn.record import TurnRecord
from turnkey.turn.reference import TurnReference
from turnkey.turn.station import Done, Task

GROUP = "t-wakes"
NOW = datetime(2027, 3, 26, 12, 0, tzinfo=UTC)
"""A Friday, two days before the clocks change in Europe."""


class Dies(Exception):
    pass


class Alarms(AlarmStore):
    """Real ones in moto; the next `dies` of them break off."""

    dies = 0

    def set(self, tenant: str, key: str, version: int, at: datetime) -> None:
        self._maybe_die()
        super().set(tenant, key, version, at)

    def reset(self, tenant: str, key: str, version: int, at: datetime) -> None:
        super().reset(tenant, key, version, at)
        self._maybe_die()

    def delete(self, tenant: str, key: str) -> bool:
        self._maybe_die()
        return super().delete(tenant, key)

    def _maybe_die(self) -> None:
        if self.dies:
            self.dies -= 1
            raise Dies


class Executions:
    def __init__(self) -> None:
        self.started: list[TurnReference] = []

    def start(self, reference: TurnReference) -> None:
        self.started.append(reference)


def alarms_of(stores: Stores) -> Alarms:
    """For tenants shop and rival, each with a connection; none is set."""
    client: Any = boto3.client("scheduler")
    for group in client.list_schedule_groups()["ScheduleGroups"]:
        if group["Name"] == GROUP:
            client.delete_schedule_group(Name=GROUP)
    client.create_schedule_group(Name=GROUP)
    for tenant in ("shop", "rival"):
        stores.tenants.put(tenant, Tenant(id=tenant, name=tenant, time_zone="Europe/Berlin"))
        stores.tenants.put(tenant, Connection(name="web", channel="standard_webhooks", agent="clerk"))
    return Alarms(GROUP, "arn:aws:iam::123456789012:role/x", "arn:aws:lambda:eu-central-1:123456789012:function:wake")


def there() -> list[str]:
    """Names of the alarms that are set."""
    client: Any = boto3.client("scheduler")
    return [one["Name"] for one in client.list_schedules(GroupName=GROUP)["Schedules"]]


Do = Callable[..., Done]


def calls_of(stores: Stores, alarms: Alarms) -> Do:
    """Makes a call: its tool, its number in the conversation, and its arguments."""

    def make(tool: str, call: int = 0, *, tenant: str = "shop", conversation: str = "c-1", **arguments: Any) -> Done:
        said = arguments.pop("said", "Remind me.")
        origin = arguments.pop("origin", "customer")
        now = arguments.pop("now", NOW)
        reference = TurnReference(tenant=tenant, connection="web", conversation=conversation, turn=1)
        message = InboundMessage(
            id="m", conversation=conversation, text=said, sent_at=now, address={"a": "b"}, origin=origin
        )
        record = TurnRecord(
            turn=1,
            agent="clerk",
            messages=(message,),
            known=Known(time_zone="Europe/Berlin"),
            language="en",
            opened_at=now,
            deadline=now,
        )
        called = ToolCall(id=f"call_{call}_0", name=tool, arguments=arguments)
        task = Task(reference, record, Agent(name="clerk", instructions=""), called, (), now)
        return Reminders(stores, alarms).does[tool](task)

    return make


def made(stores: Stores, conversation: str = "c-1", tenant: str = "shop") -> list[Schedule]:
    return stores.schedules.of_conversation(tenant, "web", conversation, NOW)


def ahead(stores: Stores) -> list[Schedule]:
    return [one for one in made(stores) if one.is_ahead]
