"""Servers in memory under names of the open internet, for the network guard to reach: see turnkey.network.wires.

    web = Web()
    web.serve("mcp.shop.org", answer)          # a public-looking address of its own
    web.name("inside.shop.org", "10.0.0.5")    # a name that leads elsewhere
    client(allow_private=False, seconds=5, wires=web)

TLS is left out: https is spoken in the clear. `seen` has every request that arrived anywhere.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

import h11
import httpcore2


@dataclass(frozen=True)
class Seen:
    """A request as it arrived."""

    method: str
    host: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]


@dataclass(frozen=True)
class Reply:
    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


Handler = Callable[[Seen], Reply | Awaitable[Reply]]


class Web:
    """Implements Wires."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._handlers: dict[str, Handler] = {}
        self._numbers = count(1)
        self.seen: list[Seen] = []
        self.connected: list[str] = []

    def serve(self, host: str, handler: Handler) -> None:
        self._names[host] = f"93.184.215.{next(self._numbers)}"
        self._handlers[host] = handler

    def name(self, host: str, address: str) -> None:
        """A name without a server."""
        self._names[host] = address

    def requests_to(self, host: str) -> list[str]:
        return [f"{seen.method} {seen.path}" for seen in self.seen if seen.host == host]

    async def resolve(self, host: str, port: int) -> list[str]:
        if host not in self._names:
            raise OSError(f"no such name: {host}")
        return [self._names[host]]

    async def connect(self, address: str, port: int, seconds: float | None) -> httpcore2.AsyncNetworkStream:
        self.connected.append(address)
        if address not in [self._names[host] for host in self._handlers]:
            raise httpcore2.ConnectError(f"nobody listens at {address}")
        return _Stream(self)

    async def answer(self, seen: Seen) -> Reply:
        self.seen.append(seen)
        reply = self._handlers[seen.host](seen)
        return await reply if inspect.isawaitable(reply) else reply


class _Stream(httpcore2.AsyncNetworkStream):
    """The far end's side of one connection."""

    def __init__(self, web: Web) -> None:
        self._web = web
        self._http = h11.Connection(h11.SERVER)
        self._out = bytearray()
        self._request: h11.Request | None = None
        self._body = bytearray()

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        if not buffer:
            return
        self._http.receive_data(buffer)
        while (event := self._http.next_event()) not in (h11.NEED_DATA, h11.PAUSED):
            if isinstance(event, h11.Request):
                self._request, self._body = event, bytearray()
            elif isinstance(event, h11.Data):
                self._body += event.data
            elif isinstance(event, h11.EndOfMessage):
                await self._reply()
            elif isinstance(event, h11.ConnectionClosed):
                return

    async def _reply(self) -> None:
        assert self._request
        headers = {name.decode(): value.decode() for name, value in self._request.headers}
        seen = Seen(
            self._request.method.decode(), headers["host"], self._request.target.decode(), headers, bytes(self._body)
        )
        reply = await self._web.answer(seen)
        head = h11.Response(
            status_code=reply.status, headers=[*reply.headers, ("content-length", str(len(reply.body)))]
        )
        for event in (head, h11.Data(data=reply.body), h11.EndOfMessage()):
            self._out += self._http.send(event) or b""
        self._http.start_next_cycle()

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data, self._out = bytes(self._out[:max_bytes]), self._out[max_bytes:]
        return data

    async def aclose(self) -> None:
        pass

    async def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.AsyncNetworkStream:
        return self

    def get_extra_info(self, info: str) -> Any:
        return None
