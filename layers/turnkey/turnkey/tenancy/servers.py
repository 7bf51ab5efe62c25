"""A tenant's servers after registration: their health, and the approval of what they changed."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import inf

from pydantic import Field

from turnkey.mcp import checkup, trust
from turnkey.mcp.registration import Registration
from turnkey.store.acting import acting_for
from turnkey.store.servers import After, Seen, ServerStore
from turnkey.tenancy.refreshing import NEEDED_SECONDS, Outcome, Refresher
from turnkey.tenancy.server_reports import ServerStatus, status
from turnkey.values import Value

AT_ONCE = 8
"""Servers of one tenant asked at the same time."""
SHORTEST_DIGEST = 8
"""Characters of a digest that are enough to say what was looked at."""
_WRITES = 3


class ApprovalReport(Value):
    """With problems, nothing was approved."""

    tenant: str
    server: str
    approved: tuple[str, ...] = Field(default=(), description="tools that turns may show from now on")
    problems: tuple[str, ...] = ()
    status: ServerStatus | None = Field(default=None, description="the server as it is now; None: there is none")


class ServerDesk:
    """Whatever it does, it acts for the tenant it is for."""

    def __init__(self, servers: ServerStore, refresher: Refresher) -> None:
        self._servers = servers
        self._refresher = refresher

    def health(
        self, tenant: str, *, check: bool = False, remaining: Callable[[], float] = lambda: inf
    ) -> tuple[ServerStatus, ...]:
        """Of all servers of the tenant, as they were last seen; with `check` they are asked now, those for which there
        is time: `remaining` gives the seconds left."""
        if check:
            self.refresh(tenant, remaining=remaining)
        return tuple(_status(tenant, found) for found in self._all(tenant))

    def refresh(self, tenant: str, *servers: str, remaining: Callable[[], float] = lambda: inf) -> dict[str, Outcome]:
        """Asks these servers, or all of the tenant, at the same time. A server's failure is its health."""
        names = servers or tuple(found.registration.name for found in self._all(tenant))
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return dict(zip(names, pool.map(partial(self._ask, tenant, remaining), names), strict=True))

    def _ask(self, tenant: str, remaining: Callable[[], float], server: str) -> Outcome:
        return self._refresher.refresh(tenant, server) if remaining() > NEEDED_SECONDS else "late"

    def _all(self, tenant: str) -> tuple[Seen, ...]:
        with acting_for(tenant):
            return self._servers.all(tenant)

    def approve(
        self, tenant: str, server: str, tools: tuple[str, ...] = (), *, digests: Mapping[str, str] | None = None
    ) -> ApprovalReport:
        """Approves these held tools, or all, as they are stored: what was shown, not what the server may say now.

        `digests` has, by tool, the digest that was shown or how it begins. All tools are approved or none.
        """
        with acting_for(tenant):
            seen = self._servers.find(tenant, server)
            if seen is None:
                return _refused(tenant, server, None, f"tenant {tenant!r} has no server {server!r}")
            wanted = tools or tuple(waiting.name for waiting in trust.held(seen.registration))
            return self._approve(tenant, seen, wanted, digests or {})

    def _approve(self, tenant: str, seen: Seen, wanted: tuple[str, ...], digests: Mapping[str, str]) -> ApprovalReport:
        name, shown = seen.registration.name, dict(digests)
        for _ in range(_WRITES):
            problems = _problems(seen.registration, wanted, shown)
            if problems:
                return _refused(tenant, name, seen, *problems)
            after = _approved(seen, wanted)
            if after.registration == seen.registration or self._servers.write(tenant, seen, after):
                return _done(tenant, seen, after)
            # Somebody wrote it meanwhile: what is approved must still be what was looked at.
            shown = {tool.name: tool.digest for tool in seen.registration.tools if tool.name in wanted}
            seen = self._servers.find(tenant, name) or seen
        return _refused(tenant, name, seen, "it is being changed by others at the same time: try again")


def _problems(registration: Registration, wanted: tuple[str, ...], shown: Mapping[str, str]) -> tuple[str, ...]:
    found = {tool.name: tool for tool in registration.tools if registration.allows(tool.name)}
    problems: list[str] = []
    for name in dict.fromkeys((*wanted, *shown)):
        given = shown.get(name)
        if name not in found:
            problems.append(
                f"{name!r} is no tool that this server lists and the manifest allows: {_known(registration)}"
            )
        elif given is not None and len(given) < SHORTEST_DIGEST:
            problems.append(
                f"{name!r}: a digest of {len(given)} characters is too short: give {SHORTEST_DIGEST} or more"
            )
        elif given is not None and not found[name].digest.startswith(given.lower()):
            now = found[name].digest[:12]
            problems.append(f"{name!r} is no longer what was shown as {given[:12]}: it is {now} now, look at it again")
    return tuple(problems)


def _known(registration: Registration) -> str:
    waiting = tuple(tool.name for tool in trust.held(registration))
    return f"{checkup.names(waiting)} can be approved" if waiting else "nothing waits for approval"


def _approved(seen: Seen, names: tuple[str, ...]) -> After:
    registration = trust.approve(seen.registration, names)
    return After(
        registration,
        checkup.approved(seen.health, registration) if seen.health else None,
        trust.remembered(seen.registration, registration, seen.remembered),
        None,
    )


def _done(tenant: str, seen: Seen, after: After) -> ApprovalReport:
    name = seen.registration.name
    waited = [tool.name for tool in trust.held(seen.registration)]
    wait = {tool.name for tool in trust.held(after.registration)}
    return ApprovalReport(
        tenant=tenant,
        server=name,
        approved=tuple(tool for tool in waited if tool not in wait),
        status=status(tenant, after.registration, after.health, after.remembered),
    )


def _refused(tenant: str, server: str, seen: Seen | None, *problems: str) -> ApprovalReport:
    return ApprovalReport(
        tenant=tenant, server=server, problems=problems, status=_status(tenant, seen) if seen else None
    )


def _status(tenant: str, seen: Seen) -> ServerStatus:
    return status(tenant, seen.registration, seen.health, seen.remembered)
