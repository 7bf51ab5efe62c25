"""Tenants with servers in tables of a test's own, and a refresher whose servers answer what the test says."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from turnkey.mcp.failures import Failure
from turnkey.mcp.registration import Registration, ToolDefinition, approved_as_found
from turnkey.mcp.snapshot import Snapshot
from turnkey.store.servers import Seen, ServerStore
from turnkey.store.stores import Stores
from turnkey.tenancy.refreshing import Asked, Refresher
from turnkey.tenancy.settings import Tenant

NOW = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
Answers = dict[str, tuple[ToolDefinition, ...] | Failure]


def tool(name: str, description: str = "Finds books.") -> ToolDefinition:
    return ToolDefinition(name=name, description=description, input_schema={"type": "object", "properties": {}})


def server(*tools: ToolDefinition, name: str = "crm", url: str = "https://crm.example.com/mcp") -> Registration:
    return approved_as_found(Registration(name=name, url=url, tools=tools))


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


class Asking(Refresher):
    """A refresher whose servers answer what the test says; for what happens around the asking."""

    def __init__(self, stores: Stores, kept: ServerStore, clock: Clock, answers: Answers) -> None:
        super().__init__(stores.tenants, kept, stores.secrets, stores.tokens, allow_private=True, clock=clock)
        self.answers = answers
        self.asked: list[str] = []
        self.meanwhile: Callable[[], None] = lambda: None

    def _ask(self, tenant: str, registration: Registration) -> Asked:
        self.asked.append(f"{tenant}/{registration.name}")
        answer = self.answers[registration.name]
        found: Snapshot | Failure = answer if isinstance(answer, Failure) else _snapshot(registration, answer)
        self.meanwhile()
        return Asked(found, 20, self._clock())


def _snapshot(registration: Registration, tools: tuple[ToolDefinition, ...], **more: Any) -> Snapshot:
    return Snapshot(registration=registration.model_copy(update={"tools": tools}), milliseconds=20, **more)


def onboard(stores: Stores, tenant: str, *registrations: Registration, suspended: bool = False) -> None:
    stores.tenants.put(tenant, Tenant(id=tenant, name="A shop", suspended=suspended))
    for registration in registrations:
        stores.tenants.put(tenant, registration)


def seen(kept: ServerStore, tenant: str = "shop", name: str = "crm") -> Seen:
    found = kept.find(tenant, name)
    assert found
    return found


def usable(kept: ServerStore, tenant: str = "shop", name: str = "crm") -> list[str]:
    return [tool.name for tool in seen(kept, tenant, name).registration.usable]
