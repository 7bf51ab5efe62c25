"""The last step to the network: looking a name up, and connecting to an address. Nothing here decides anything."""

import socket
from typing import Protocol

import anyio
import httpcore2


class Wires(Protocol):
    """What stands under the guard. Tests put their own here: the guard checks what `resolve` says, and `connect` is
    given nothing but what was checked."""

    async def resolve(self, host: str, port: int) -> list[str]:
        """Every address of the host. Raises OSError."""
        ...

    async def connect(self, address: str, port: int, seconds: float | None) -> httpcore2.AsyncNetworkStream:
        """Raises httpcore2.ConnectError or ConnectTimeout."""
        ...


class SystemWires:
    """The machine's own resolver and network. No proxy, whatever the environment names."""

    def __init__(self) -> None:
        self._backend: httpcore2.AsyncNetworkBackend = httpcore2.AnyIOBackend()  # pyright: ignore[reportAttributeAccessIssue]

    async def resolve(self, host: str, port: int) -> list[str]:
        found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        return list(dict.fromkeys(str(entry[4][0]) for entry in found))

    async def connect(self, address: str, port: int, seconds: float | None) -> httpcore2.AsyncNetworkStream:
        return await self._backend.connect_tcp(address, port, seconds)
