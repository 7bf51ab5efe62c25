"""Wires of the tests' own under the network guard: what names lead to, and where a checked address really is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, repeat

import httpcore2

from turnkey.network.wires import SystemWires

SHOP = "shop.example.com"
PUBLIC = "93.184.216.34"


class TestWires:
    """answers: for each host the addresses of its look-ups, the last one for all further look-ups.

    port: where on this machine every address that the guard let through is served; 0 for nowhere. The guard decides
    about the addresses it was told, never about this one.
    """

    __test__ = False

    def __init__(self, answers: Mapping[str, Sequence[Sequence[str]]], port: int = 0) -> None:
        self._answers: dict[str, Iterator[Sequence[str]]] = {
            host: chain(given, repeat(given[-1])) for host, given in answers.items()
        }
        self._port = port
        self._system = SystemWires()
        self.asked: list[str] = []
        self.reached: list[tuple[str, int]] = []

    async def resolve(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        if host not in self._answers:
            raise OSError("no such host")
        return list(next(self._answers[host]))

    async def connect(self, address: str, port: int, seconds: float | None) -> httpcore2.AsyncNetworkStream:
        self.reached.append((address, port))
        if not self._port:
            raise httpcore2.ConnectError("not reached, by the test")
        return await self._system.connect("127.0.0.1", self._port, seconds)


def leading_to(*addresses: str, port: int = 0) -> TestWires:
    """The shop's name leads to these at every look-up."""
    return TestWires({SHOP: [addresses]}, port)
