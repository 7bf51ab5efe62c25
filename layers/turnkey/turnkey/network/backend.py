"""Opening connections: resolved once, every address checked, connected to one that was checked.

The check sits here so that no spelling, redirect or second DNS answer gets around it. TLS still checks the certificate
against the name.
"""

import ssl
from collections.abc import Iterable
from contextvars import ContextVar
from ipaddress import ip_address
from typing import Any

import anyio
import httpcore2

from turnkey.errors import AddressRefused
from turnkey.network.addresses import is_allowed
from turnkey.network.body import too_large
from turnkey.network.hosts import checked_host
from turnkey.network.wires import Wires

MOST_ADDRESSES = 8
"""Tried of one name."""
HEAD_BYTES = 256 * 1024
"""Until a response's head is there, interim responses included. h11 itself bounds one head to 100 KB."""


class Head:
    """Counts what is read while a response's head is waited for."""

    def __init__(self) -> None:
        self.read = 0

    def add(self, count: int) -> None:
        self.read += count
        if self.read > HEAD_BYTES:
            raise httpcore2.RemoteProtocolError("the answer's head does not end")


head: ContextVar[Head | None] = ContextVar("head", default=None)
"""Set by whoever waits for a head. The connection reads it in the same task."""


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """`max_bytes` bounds what is read for one request, framing included."""

    def __init__(self, wires: Wires, *, allow_private: bool, max_bytes: int) -> None:
        self._wires = wires
        self._allow_private = allow_private
        self._max_bytes = max_bytes

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """`timeout` bounds the look-up and all attempts together."""
        # Again, now as the transport reads it: two readings of one URL must not differ unseen.
        checked_host(f"[{host}]" if ":" in host else host, allow_private=self._allow_private)
        try:
            with anyio.fail_after(timeout):
                addresses = await self._addresses(host, port)
                return _Wire(await self._first(host, addresses, port, timeout), self._max_bytes)
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout(f"host {host!r} could not be connected to in time") from error

    async def _first(
        self, host: str, addresses: list[str], port: int, timeout: float | None
    ) -> httpcore2.AsyncNetworkStream:
        """A connection to the first that answers. None gets all the time while others wait."""
        share = None if timeout is None else timeout / min(len(addresses), 2)
        failure: Exception = httpcore2.ConnectError(f"host {host!r} has no address")
        for address in addresses[:MOST_ADDRESSES]:
            try:
                return await self._wires.connect(address, port, share)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure

    async def _addresses(self, host: str, port: int) -> list[str]:
        """Every address of the host, or AddressRefused when a single one of them is not allowed."""
        try:
            addresses = await self._wires.resolve(host, port)
        except OSError as error:
            raise httpcore2.ConnectError(f"host {host!r} cannot be resolved") from error
        for address in addresses:
            if not is_allowed(ip_address(address), allow_private=self._allow_private):
                raise AddressRefused(f"host {host!r} leads to {address}, which is not a public address")
        return addresses

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)


class _Wire(httpcore2.AsyncNetworkStream):
    """A connection that fails once it has carried more than one response may have."""

    def __init__(self, stream: httpcore2.AsyncNetworkStream, max_bytes: int) -> None:
        self._stream = stream
        self._max_bytes = max_bytes
        self._read = 0

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = await self._stream.read(max_bytes, timeout)
        self._read += len(data)
        if waiting := head.get():
            waiting.add(len(data))
        if self._read > self._max_bytes:
            raise too_large(self._max_bytes)
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        # HTTP/1.1: what is written begins the next exchange, or goes on with it.
        self._read = 0
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.AsyncNetworkStream:
        return _Wire(await self._stream.start_tls(ssl_context, server_hostname, timeout), self._max_bytes)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
