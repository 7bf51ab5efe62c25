"""Asking a tenant's server again: what it lists now, against what the tenant approved."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from turnkey.errors import TenantMisconfigured
from turnkey.mcp import checkup
from turnkey.mcp.checkup import Answer
from turnkey.mcp.failures import Failure, ServerFailed
from turnkey.mcp.health import Health
from turnkey.mcp.registration import Registration
from turnkey.mcp.trust import carry_over, remembered, with_missing
from turnkey.mcp.vault import Vault
from turnkey.store.acting import acting_for
from turnkey.store.secrets import SecretStore
from turnkey.store.servers import After, Seen, ServerStore
from turnkey.store.tenants import TenantStore
from turnkey.store.tokens import TokenStore
from turnkey.telemetry import logger

if TYPE_CHECKING:
    from turnkey.mcp.snapshot import Snapshot

DUE = timedelta(hours=6)
DUE_WHEN_ILL = timedelta(hours=1)
"""A server that did not answer well is looked at sooner: it may be well again."""
PATIENCE = timedelta(minutes=3)
"""A server that was just asked is not asked again, however many turns miss a tool of it."""
NEEDED_SECONDS = 75.0
"""What asking one server and keeping its answer may take: ServerTimeouts.list at most, and some for the tables."""
_WRITES = 3

Outcome = Literal["checked", "recent", "suspended", "superseded", "missing", "late"]
"""superseded: what was registered changed meanwhile, and whoever changed it has asked the server itself. late: not
enough time was left to ask."""


@dataclass(frozen=True)
class Asked:
    """What the server answered, or how it failed."""

    found: "Snapshot | Failure"
    milliseconds: int
    at: datetime


class Refresher:
    """Each refresh acts for the tenant it is for."""

    def __init__(
        self,
        tenants: TenantStore,
        servers: ServerStore,
        secrets: SecretStore,
        tokens: TokenStore,
        *,
        allow_private: bool,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._tenants = tenants
        self._servers = servers
        self._secrets = secrets
        self._tokens = tokens
        self._allow_private = allow_private
        self._clock = clock

    def refresh(self, tenant: str, server: str, *, patient: bool = False, gone: bool = False) -> Outcome:
        """Asks the server and keeps what it says. `patient`: not if it was just asked, or is being asked, or its
        tenant is suspended. `gone`: a call was told that a tool is no longer there, so an empty list is believed."""
        with acting_for(tenant):
            seen = self._servers.find(tenant, server)
            if seen is None:
                return "missing"
            if patient and (reason := self._not_now(tenant, seen)):
                return reason
            outcome, health = self._keep(tenant, seen, self._ask(tenant, seen.registration), gone)
        _log(tenant, server, outcome, health)
        return outcome

    def _not_now(self, tenant: str, seen: Seen) -> Outcome | None:
        now, name = self._clock(), seen.registration.name
        if seen.health and now - seen.health.checked_at < PATIENCE:
            self._servers.put_off(tenant, name, _due(seen.health))
            return "recent"
        if self._tenants.tenant(tenant).suspended:
            self._servers.put_off(tenant, name, now + DUE)
            return "suspended"
        return None if self._servers.claim(tenant, name, now, now + PATIENCE) else "recent"

    def _ask(self, tenant: str, registration: Registration) -> Asked:
        # About a second to import, so only where there is a server to ask.
        from turnkey.mcp.snapshot import take

        vault, started = Vault(tenant, self._secrets, self._tokens), time.monotonic()
        found: Snapshot | Failure
        try:
            found = asyncio.run(take(registration, vault, allow_private=self._allow_private))
        except ServerFailed as error:
            found = error.failure
        return Asked(found, int((time.monotonic() - started) * 1000), self._clock())

    def _keep(self, tenant: str, asked_of: Seen, asked: Asked, gone: bool) -> tuple[Outcome, Health | None]:
        seen = asked_of
        for _ in range(_WRITES):
            after = _after(seen, asked, gone)
            try:
                if self._servers.write(tenant, seen, after):
                    return "checked", after.health
            except TenantMisconfigured as error:
                asked = Asked(Failure(kind="TooLarge", message=str(error)), asked.milliseconds, asked.at)
                continue
            now = self._servers.find(tenant, seen.registration.name)
            if now is None or _question(now.registration) != _question(asked_of.registration):
                return "superseded", None
            # The tenant approved something meanwhile: that stands.
            seen = now
        return "superseded", None


def _question(registration: Registration) -> Registration:
    """How the server is reached and what it was last found to be: what a refresh starts from."""
    return registration.model_copy(update={"approved": {}, "corrections": {}, "allowed": None})


def _after(seen: Seen, asked: Asked, gone: bool) -> After:
    if isinstance(asked.found, Failure):
        registration = seen.registration
        health = checkup.failed(registration, asked.found, asked.milliseconds, asked.at)
    else:
        registration, vanished = _merged(seen, asked.found, gone)
        answer = Answer(
            milliseconds=asked.found.milliseconds,
            warnings=asked.found.warnings,
            cut=asked.found.cut,
            vanished=vanished,
        )
        health = checkup.answered(registration, answer, asked.at)
    approved = remembered(seen.registration, registration, seen.remembered)
    return After(registration, health, approved, _due(health))


def _merged(seen: Seen, snapshot: "Snapshot", gone: bool) -> tuple[Registration, int]:
    """The registration with what was found now; and how many tools are kept though none was listed.

    A server that is just starting may list nothing: that is believed once it is said twice, or a call was told so.
    """
    before, found = seen.registration, snapshot.registration
    fields = ("mode", "protocol", "discovered", "tools")
    after = carry_over(before, before.model_copy(update={field: getattr(found, field) for field in fields}))
    said_before = seen.health is not None and seen.health.error == "NoTools"
    empty = not found.tools and not snapshot.unreadable
    if empty and before.tools and not (gone or said_before):
        return with_missing(before, after), len(before.tools)
    return with_missing(before, after, snapshot.unreadable) if snapshot.cut else after, 0


def _due(health: Health) -> datetime:
    return health.checked_at + (DUE if health.status in ("ok", "changed") else DUE_WHEN_ILL)


def _log(tenant: str, server: str, outcome: Outcome, health: Health | None) -> None:
    told: dict[str, Any] = {"status": health.status, "error": health.error, "held": len(health.held)} if health else {}
    logger.info("server looked at", tenant=tenant, server=server, outcome=outcome, **told)
