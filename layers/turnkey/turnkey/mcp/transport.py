"""Opening a connection to a registered server, over any of the transports. Imports `mcp` (about a second): only where a
server is reached."""

import logging
import math
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any, cast

import anyio
import httpx2
from mcp import Client
from mcp.client import sse as sdk_sse
from mcp.client.streamable_http import streamable_http_client
from mcp.shared import jsonrpc_dispatcher
from mcp.shared._httpx_utils import McpHttpClientFactory, sse_within_origin
from mcp.types import DiscoverResult, Implementation

from turnkey.mcp.access import Access
from turnkey.mcp.line import Line, LineLost
from turnkey.mcp.registration import Registration
from turnkey.mcp.stdio_transport import stdio_streams
from turnkey.mcp.watching import Settled, Watched, note_unsent
from turnkey.network.client import MAX_RESPONSE_BYTES
from turnkey.network.client import client as guarded_client

GOODBYE_SECONDS = 2.0
"""For a server to take its leave."""
IDLE_SECONDS = 300.0
"""As long as no function lives. What a server may take is bounded around each step, not here."""
CLIENT_INFO = Implementation(name="turnkey", version="0.1.0")

# They log messages and addresses, which may carry secrets.
for _name in ("mcp", "client"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)

# Settings that the SDK has no argument for. Its limit of 1 MiB on an event is less than a result may have; and a server
# that hangs is not to hold up the turn for another five seconds with the news that we no longer wait for it.
sdk_sse.sse_within_origin = partial(sse_within_origin, max_event_size=MAX_RESPONSE_BYTES)  # pyright: ignore[reportPrivateImportUsage]
jsonrpc_dispatcher._ABANDON_WRITE_TIMEOUT = 0.2  # pyright: ignore[reportPrivateUsage]


@asynccontextmanager
async def connect(registration: Registration, access: Access, *, allow_private: bool) -> AsyncGenerator[Line]:
    """A connection, opened within `registration.timeouts.connect`. Enter and leave it in one task.

    Raises TimeoutError, and whatever the SDK raises, often inside an ExceptionGroup: see `turnkey.mcp.diagnosis`.
    """
    leaving = False
    scope = anyio.CancelScope(deadline=anyio.current_time() + registration.timeouts.connect)
    line = Line(scope.cancel)
    with scope:
        async with AsyncExitStack() as stack:
            transport = await _transport(registration, access, line, stack, allow_private=allow_private)
            line.opened(await stack.enter_async_context(_client(registration, transport, line)))
            # The rest is bounded by whoever asks.
            scope.deadline = math.inf
            try:
                yield line
            finally:
                leaving = True
                scope.deadline = anyio.current_time() + GOODBYE_SECONDS
    if scope.cancelled_caught and not leaving:
        raise LineLost if line.lost else TimeoutError


def _client(registration: Registration, transport: Any, line: Line) -> Client:
    modern = registration.mode not in ("auto", "legacy")
    discovered = DiscoverResult.model_validate(registration.discovered) if modern and registration.discovered else None
    return Client(
        transport,
        mode=registration.mode,
        prior_discover=discovered,
        message_handler=line.heard,
        client_info=CLIENT_INFO,
        cache=None,
    )


async def _transport(
    registration: Registration, access: Access, line: Line, stack: AsyncExitStack, *, allow_private: bool
) -> Any:
    """The SDK's transport, to be entered by its client."""
    match registration.transport:
        case "stdio":
            return stdio_streams(registration, access.settings)
        case "sse":
            # The SDK closes this client itself.
            http = _http(access, line, allow_private=allow_private, listens=True)
            return sdk_sse.sse_client(registration.url, httpx_client_factory=_always(http))
        case "streamable_http":
            http = _http(access, line, allow_private=allow_private, listens=False)
            await stack.enter_async_context(http)
            return streamable_http_client(registration.url, http_client=http, max_sse_event_size=MAX_RESPONSE_BYTES)


def _always(http: httpx2.AsyncClient) -> McpHttpClientFactory:
    """The SDK's way of being given a client; what it would have it do is done already."""

    def factory(
        headers: dict[str, str] | None = None, timeout: httpx2.Timeout | None = None, auth: httpx2.Auth | None = None
    ) -> httpx2.AsyncClient:
        return http

    return factory


def _http(access: Access, line: Line, *, allow_private: bool, listens: bool) -> httpx2.AsyncClient:
    """A guarded client whose every exchange is watched."""
    http = guarded_client(allow_private=allow_private, seconds=IDLE_SECONDS, on_unsent=note_unsent)
    watched = Watched(http._transport, line.lose if listens else None)  # pyright: ignore[reportPrivateUsage]
    http._transport = watched  # pyright: ignore[reportPrivateUsage]
    line.secrets = watched.secrets
    auth = access.auth or httpx2.Auth()
    http.auth = Settled(auth, line.lose) if listens else auth
    return http


def unwrap(error: BaseException) -> BaseException:
    """The first real error inside nested exception groups."""
    found = error
    while isinstance(found, BaseExceptionGroup):
        found = cast("BaseExceptionGroup[BaseException]", found).exceptions[0]
    return found
