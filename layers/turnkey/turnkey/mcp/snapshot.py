"""Registration: what a server offers, found on the same path that a turn uses."""

import time

import anyio

from turnkey.mcp.access import open_access
from turnkey.mcp.diagnosis import diagnose
from turnkey.mcp.failures import ServerFailed
from turnkey.mcp.line import Line
from turnkey.mcp.listing import Listing, all_tools
from turnkey.mcp.registration import Registration
from turnkey.mcp.transport import connect
from turnkey.mcp.vault import Vault
from turnkey.mcp.watching import Exchange, note_refused, watching
from turnkey.network.urls import shown
from turnkey.values import Value

_PASSING = (502, 503, 504)


class _Busy(Exception):
    """The server's answer may be another in a moment."""


class Snapshot(Value):
    """`registration` has the mode that worked and all tools. `warnings` is what is wrong with the list, in words:
    `unreadable` tools left out, names that came twice, a list `cut` before its end."""

    registration: Registration
    milliseconds: int
    warnings: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    cut: bool = False


async def take(registration: Registration, vault: Vault, *, allow_private: bool) -> Snapshot:
    """Asks the server anew, whatever an earlier registration found, within `registration.timeouts.list`; once more
    where it was only busy. Raises ServerFailed."""
    started = time.monotonic()
    mode = "legacy" if registration.transport == "sse" else "auto"
    fresh = registration.model_copy(update={"mode": mode, "discovered": None})
    deadline = anyio.current_time() + registration.timeouts.list
    try:
        found, listing = await _asked(fresh, vault, deadline, allow_private=allow_private)
    except _Busy:
        found, listing = await _asked(fresh, vault, deadline, allow_private=allow_private, patient=False)
    return Snapshot(
        registration=found,
        milliseconds=int((time.monotonic() - started) * 1000),
        warnings=listing.warnings,
        unreadable=tuple(tool.name for tool in listing.bad),
        cut=bool(listing.cut),
    )


async def _asked(
    registration: Registration, vault: Vault, deadline: float, *, allow_private: bool, patient: bool = True
) -> tuple[Registration, Listing]:
    """Raises ServerFailed; `_Busy` where it is worth another try and `patient`."""
    secrets: set[str] = set()
    with watching() as exchange:
        try:
            with anyio.fail_after(deadline - anyio.current_time()):
                answer = await _answer(registration, vault, secrets, allow_private=allow_private)
        except Exception as error:
            failure = diagnose(error, exchange, place(registration), secrets)
            if patient and failure.http_status in _PASSING:
                raise _Busy from error
            raise ServerFailed(failure) from error
    if patient and registration.mode == "auto" and answer[0].mode == "legacy" and _was_disturbed(exchange):
        raise _Busy
    return answer


async def _answer(
    registration: Registration, vault: Vault, secrets: set[str], *, allow_private: bool
) -> tuple[Registration, Listing]:
    access = await open_access(registration, vault, on_failure=note_refused)
    async with connect(registration, access, allow_private=allow_private) as line:
        try:
            listing = await all_tools(line, registration.timeouts.list)
        finally:
            secrets |= line.secrets
        return _found(registration, line, listing), listing


def _was_disturbed(exchange: Exchange) -> bool:
    """Whether a modern server may have been taken for an old one, because it failed when it was asked which it is."""
    return any(status == 429 or status >= 500 for status in exchange.statuses)


def _found(registration: Registration, line: Line, listing: Listing) -> Registration:
    is_modern = line.discovered is not None
    # Of another server only a process that is started for each call has use for what it said of itself.
    initialized = line.initialized if registration.transport == "stdio" else None
    protocol = line.client.protocol_version
    return registration.model_copy(
        update={
            "mode": protocol if is_modern else "legacy",
            "protocol": protocol,
            "discovered": line.discovered or initialized,
            "tools": listing.tools,
        }
    )


def place(registration: Registration) -> str:
    """Where the server is, for people; without what may be secret in an address."""
    return shown(registration.url) if registration.url else registration.place
