"""Asking a manifest's servers what they offer, on the runtime's own path, all at the same time. One that fails never
hides another."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

import anyio

from turnkey.mcp.failures import Failure, ServerFailed
from turnkey.mcp.registration import Registration
from turnkey.mcp.snapshot import Snapshot, take
from turnkey.mcp.trust import carry_over
from turnkey.mcp.vault import Vault
from turnkey.tenancy.preview import TestReport
from turnkey.tenancy.server_section import TestCall
from turnkey.tenancy.testing import make


@dataclass(frozen=True)
class Asked:
    """One server's answer: a snapshot, whose registration has the approvals that there were, or a failure."""

    registration: Registration
    milliseconds: int
    snapshot: Snapshot | None = None
    failure: Failure | None = None
    test: TestReport | None = None


@dataclass(frozen=True)
class Asking:
    """`before` is each registration as it was, by name; `tests` are the test calls, by server. `seconds` bounds all."""

    vault: Vault
    before: Mapping[str, Registration]
    tests: Mapping[str, TestCall]
    seconds: float
    allow_private: bool

    def ask(self, registrations: tuple[Registration, ...]) -> tuple[Asked, ...]:
        """In the order of the registrations. Raises nothing for what a server does."""
        return anyio.run(self._ask_all, registrations)

    async def _ask_all(self, registrations: tuple[Registration, ...]) -> tuple[Asked, ...]:
        found: dict[str, Asked] = {}

        async def ask(registration: Registration) -> None:
            found[registration.name] = await self._ask(registration)

        async with anyio.create_task_group() as tasks:
            for registration in registrations:
                tasks.start_soon(ask, registration)
        return tuple(found[registration.name] for registration in registrations)

    async def _ask(self, registration: Registration) -> Asked:
        started = time.monotonic()
        try:
            with anyio.fail_after(self.seconds):
                snapshot = await take(registration, self.vault, allow_private=self.allow_private)
                found = carry_over(self.before.get(registration.name), snapshot.registration)
                test = self.tests.get(registration.name)
                report = await make(test, found, self.vault, allow_private=self.allow_private) if test else None
                return Asked(found, snapshot.milliseconds, snapshot=snapshot, test=report)
        except ServerFailed as error:
            return Asked(registration, _milliseconds(started), failure=error.failure)
        except TimeoutError:
            message = (
                f"{registration.place} took more than the {self.seconds:.0f} s that one request has for all servers"
            )
            failure = Failure(kind="TimedOut", message=message)
            return Asked(registration, _milliseconds(started), failure=failure)


def _milliseconds(started: float) -> int:
    return int((time.monotonic() - started) * 1000)
