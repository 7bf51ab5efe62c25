"""A manifest's test call: made on the runtime's own path, only of a tool that reads."""

import time
from typing import Literal

from turnkey.mcp.catalogue import toolset
from turnkey.mcp.connection import Servers, breaker
from turnkey.mcp.registration import Registration
from turnkey.mcp.vault import Vault
from turnkey.tenancy.preview import TestReport
from turnkey.tenancy.server_section import TestCall
from turnkey.tools import Tool

CALL_SECONDS = 30.0
"""Where the server's registration says nothing."""
LONGEST_VIEW = 400
"""Characters shown of a result."""


async def make(test: TestCall, server: Registration, vault: Vault, *, allow_private: bool) -> TestReport:
    """What came of it. `server` is as it was just found."""
    if test.tool not in (tool.name for tool in server.tools):
        known = ", ".join(tool.name for tool in server.tools)
        return _not_made(test, "refused", f"the server has no such tool: use one of {known or 'none there'}")
    tool = next((tool for tool in toolset((server,)) if tool.original_name == test.tool), None)
    if tool is None:
        return _unusable(test, server)
    if not tool.hints.read_only:
        return _not_made(
            test, "refused", "does not say that it only reads: name one that does, or correct read_only if it does"
        )
    # Earlier tries say nothing of this one.
    breaker.succeeded(f"{vault.tenant}/{server.name}")
    return await _called(tool, test, server, vault, allow_private=allow_private)


def _unusable(test: TestCall, server: Registration) -> TestReport:
    waits = any(tool.name == test.tool and server.allows(tool.name) and server.holds(tool) for tool in server.tools)
    if waits:
        return _not_made(test, "held", "waits for approval: it is not called before")
    return _not_made(test, "refused", "is not shown in turns: it is not allowed, or set aside")


async def _called(tool: Tool, test: TestCall, server: Registration, vault: Vault, *, allow_private: bool) -> TestReport:
    started = time.monotonic()
    registrations = {server.name: server}
    async with Servers(vault, registrations, seconds=CALL_SECONDS, parallel=1, allow_private=allow_private) as servers:
        outcome = await servers.call(tool, test.arguments)
    return TestReport(
        tool=test.tool,
        outcome="ok" if outcome.status == "ok" else "failed",
        error=outcome.error,
        view=_beginning(outcome.text),
        milliseconds=int((time.monotonic() - started) * 1000),
    )


def _not_made(test: TestCall, outcome: Literal["refused", "held"], why: str) -> TestReport:
    return TestReport(tool=test.tool, outcome=outcome, view=why)


def _beginning(text: str) -> str:
    return text if len(text) <= LONGEST_VIEW else f"{text[:LONGEST_VIEW]}… ({len(text):,} characters in all)"
