"""Registrations, tools and calls for tests that speak with MCP servers of their own, past the stack."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any

import anyio

from turnkey.mcp.connection import Servers
from turnkey.mcp.failures import Failure, ServerFailed
from turnkey.mcp.registration import Registration, ServerTimeouts
from turnkey.mcp.snapshot import Snapshot, take
from turnkey.mcp.vault import Vault
from turnkey.tools import CallOutcome, Hints, JsonObject, Tool

SECONDS = 0.7
MODERN = "2026-07-28"
_tenants = (f"tenant{number}" for number in count())
"""Each with a circuit breaker of its own."""


class GivenSecrets:
    """By name; no others are asked for."""

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        self.values = dict(values or {})

    def get(self, name: str) -> str:
        return self.values[name]

    fresh = get


def vault(secrets: Mapping[str, str] | None = None) -> Vault:
    """A new tenant's."""
    tokens: Any = None
    return Vault(next(_tenants), GivenSecrets(secrets), tokens)


def registration(url: str, **fields: Any) -> Registration:
    """As a first apply makes it: nothing is known of the server yet. Every step has SECONDS."""
    timeouts = ServerTimeouts(connect=SECONDS, list=2 * SECONDS, call=SECONDS)
    return Registration.model_validate({"name": "s", "url": url, "timeouts": timeouts, **fields})


def look(*, read_only: bool = False, name: str = "look") -> Tool:
    """The tool that test servers have."""
    return Tool(
        name="look",
        server="s",
        original_name=name,
        description="Looks.",
        parameters={},
        hints=Hints(read_only=read_only),
    )


def snapshot(registered: Registration, secrets: Mapping[str, str] | None = None) -> Snapshot:
    """Raises ServerFailed."""

    async def run() -> Snapshot:
        return await take(registered, vault(secrets), allow_private=True)

    return anyio.run(run)


def failed_snapshot(registered: Registration, secrets: Mapping[str, str] | None = None) -> Failure:
    """The failure that there has to be."""
    try:
        found = snapshot(registered, secrets)
    except ServerFailed as error:
        return error.failure
    raise AssertionError(f"the server was usable: {found}")


def call(
    registered: Registration,
    tool: Tool | None = None,
    arguments: JsonObject | None = None,
    *,
    times: int = 1,
    secrets: Mapping[str, str] | None = None,
    on_gone: Callable[[str], None] | None = None,
    between: Callable[[], None] = lambda: None,
    allow_private: bool = True,
) -> list[CallOutcome]:
    """Calls in one invocation, one after the other, with `between` before all but the first."""

    async def run() -> list[CallOutcome]:
        servers = Servers(
            vault(secrets),
            {"s": registered},
            seconds=SECONDS,
            parallel=4,
            allow_private=allow_private,
            on_gone=on_gone,
        )
        outcomes: list[CallOutcome] = []
        async with servers:
            for number in range(times):
                if number:
                    between()
                outcomes.append(await servers.call(tool or look(), arguments or {}))
        return outcomes

    return anyio.run(run)


def calls_at_once(registered: Registration, arguments: Sequence[JsonObject]) -> list[CallOutcome]:
    """A reading tool's calls in one invocation, all at the same time; in the order of their arguments."""

    async def run() -> list[CallOutcome]:
        outcomes: dict[int, CallOutcome] = {}
        servers = Servers(vault(), {"s": registered}, seconds=SECONDS, parallel=len(arguments), allow_private=True)

        async def make(place: int) -> None:
            outcomes[place] = await servers.call(look(read_only=True), arguments[place])

        async with servers, anyio.create_task_group() as tasks:
            for place in range(len(arguments)):
                tasks.start_soon(make, place)
        return [outcomes[place] for place in range(len(arguments))]

    return anyio.run(run)
