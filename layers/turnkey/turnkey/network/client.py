"""HTTP clients for tenant addresses: resolved once, every address checked, connected to the one that was checked.

The check sits where the connection is opened, so no spelling, redirect or second DNS answer gets around it. TLS still
checks the certificate against the name.
"""

import socket
import ssl
from collections.abc import AsyncIterator, Callable, Iterable
from functools import cache
from ipaddress import ip_address
from typing import Any

import anyio
import httpcore2
import httpx2

from turnkey.errors import AddressRefused, ResponseTooLarge, Transient
from turnkey.network.addresses import check_url, is_public

MAX_RESPONSE_BYTES = 44 * 1024 * 1024
"""A result of 20 MB, which MCP servers send twice (as text and structured), and what is around it."""
CONNECT_SECONDS = 10.0


@cache
def _ssl_context() -> ssl.SSLContext:
    # About 30 ms to make: once per process.
    return httpx2.create_ssl_context()


Unsent = Callable[[Exception], None]


def client(
    *, allow_private: bool, seconds: float, headers: dict[str, str] | None = None, on_unsent: Unsent | None = None
) -> httpx2.AsyncClient:
    """A client for one event loop. `seconds` bounds each read; callers bound the whole exchange themselves.

    `on_unsent` is told of each request that certainly never left: refused, or without a connection.
    """
    return httpx2.AsyncClient(
        transport=_GuardedTransport(allow_private=allow_private, on_unsent=on_unsent or (lambda _: None)),
        timeout=httpx2.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds)),
        # Uncompressed answers, so that the cap on bytes is a cap on memory too.
        headers={"accept-encoding": "identity", **(headers or {})},
        follow_redirects=False,
    )


class _GuardedTransport(httpx2.AsyncHTTPTransport):
    def __init__(self, *, allow_private: bool, on_unsent: Unsent) -> None:
        self._allow_private = allow_private
        self._on_unsent = on_unsent
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=_ssl_context(), network_backend=_GuardedBackend(allow_private=allow_private)
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        try:
            check_url(str(request.url), allow_private=self._allow_private)
            response = await super().handle_async_request(request)
        except (AddressRefused, httpx2.ConnectError, httpx2.ConnectTimeout) as error:
            self._on_unsent(error)
            raise
        response.stream = _Capped(response.stream)
        return response


class _Capped(httpx2.AsyncByteStream):
    """A response body that fails once it is larger than the platform reads."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        seen = 0
        async for chunk in self._stream:
            seen += len(chunk)
            if seen > MAX_RESPONSE_BYTES:
                raise ResponseTooLarge(f"the answer is larger than {MAX_RESPONSE_BYTES:,} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


class _GuardedBackend(httpcore2.AsyncNetworkBackend):
    def __init__(self, *, allow_private: bool) -> None:
        self._allow_private = allow_private
        self._backend: httpcore2.AsyncNetworkBackend = httpcore2.AnyIOBackend()  # pyright: ignore[reportAttributeAccessIssue]

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        with anyio.fail_after(timeout):
            addresses = await self._resolve(host, port)
        failure: Exception | None = None
        for address in addresses:
            try:
                return await self._backend.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure or Transient(f"host {host!r} has no address")

    async def _resolve(self, host: str, port: int) -> list[str]:
        """Every address of the host, or AddressRefused when a single one of them is not public."""
        try:
            found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise httpcore2.ConnectError(f"host {host!r} cannot be resolved") from error
        addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
        if not self._allow_private:
            for address in addresses:
                if not is_public(ip_address(address.split("%")[0])):
                    raise AddressRefused(f"host {host!r} leads to {address}, which is not a public address")
        return addresses

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)
