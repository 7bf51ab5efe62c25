"""Calls to servers that fail: each ends in time, says what happened, and is never silently made twice."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler
from itertools import count

import anyio
import pytest

from tests.support.serving import Server, send
from turnkey.mcp.connection import Servers
from turnkey.mcp.registration import Registration
from turnkey.tools import CallOutcome, Hints, Tool

SECONDS = 1.0
tenants = (f"tenant{number}" for number in count())
"""Each with a circuit breaker of its own."""
Behaviour = Callable[[BaseHTTPRequestHandler], None]


class NoSecrets:
    def get(self, name: str) -> str:
        raise AssertionError(name)


class FaultyServer(Server):
    """A modern MCP server whose every answer is `behave`'s."""

    def __init__(self, behave: Behaviour) -> None:
        super().__init__()
        self._behave = behave
        self.calls = 0

    def handle(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        self.calls += json.loads(body).get("method") == "tools/call"
        self._behave(request)


def status(code: int) -> Behaviour:
    return lambda request: send(request, code, b"", {})


def hang(request: BaseHTTPRequestHandler) -> None:
    time.sleep(SECONDS * 3)


def die(request: BaseHTTPRequestHandler) -> None:
    request.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n{")
    request.close_connection = True


def nonsense(request: BaseHTTPRequestHandler) -> None:
    send(request, 200, b"<html>", {"content-type": "application/json"})


def refusal(request: BaseHTTPRequestHandler) -> None:
    error = {"code": -32602, "message": "no such book"}
    send(
        request,
        200,
        json.dumps({"jsonrpc": "2.0", "id": 1, "error": error}).encode(),
        {"content-type": "application/json"},
    )


@pytest.fixture
def serve() -> Iterator[Callable[[Behaviour], FaultyServer]]:
    with ExitStack() as exits:
        yield lambda behave: exits.enter_context(FaultyServer(behave))


def call(url: str, *, read_only: bool, times: int = 1) -> list[CallOutcome]:
    registration = Registration(name="s", url=url, mode="2026-07-28")
    tool = Tool(
        name="t", server="s", original_name="t", description="t", parameters={}, hints=Hints(read_only=read_only)
    )

    async def make() -> list[CallOutcome]:
        async with Servers(
            next(tenants), {"s": registration}, NoSecrets(), seconds=SECONDS, parallel=4, allow_private=True
        ) as servers:
            return [await servers.call(tool, {}) for _ in range(times)]

    return anyio.run(make)


@pytest.mark.parametrize(
    ("behave", "write"),
    [
        (status(401), "error"),
        (status(403), "error"),
        (status(404), "error"),
        (status(429), "error"),
        (status(500), "unknown"),
        (status(503), "unknown"),
        (hang, "unknown"),
        (die, "unknown"),
        (nonsense, "unknown"),
        (refusal, "error"),
    ],
)
def test_a_failing_server_ends_in_time_with_the_right_outcome(
    serve: Callable[[Behaviour], FaultyServer], behave: Behaviour, write: str
) -> None:
    server = serve(behave)
    started = time.monotonic()
    (outcome,) = call(server.url("/mcp"), read_only=False)
    assert (outcome.status, server.calls) == (write, 1), outcome
    (read,) = call(server.url("/mcp"), read_only=True)
    assert read.status == "error", read
    assert "t" in read.text
    assert time.monotonic() - started < 6 * SECONDS


def test_a_server_that_is_not_there_is_an_error_and_certainly_did_nothing() -> None:
    (outcome,) = call("http://127.0.0.1:9/mcp", read_only=False)
    assert (outcome.status, "could not be reached" in outcome.text) == ("error", True)


def test_after_a_failure_the_next_call_connects_anew(serve: Callable[[Behaviour], FaultyServer]) -> None:
    server = serve(status(503))
    first, second = call(server.url("/mcp"), read_only=True, times=2)
    assert first.status == second.status == "error"
    assert server.calls == 2


def test_a_private_address_is_refused_where_it_is_not_allowed() -> None:
    registration = Registration(name="s", url="https://127.0.0.1:9/mcp", mode="2026-07-28")
    tool = Tool(name="t", server="s", original_name="t", description="t", parameters={})

    async def make() -> CallOutcome:
        async with Servers(
            next(tenants), {"s": registration}, NoSecrets(), seconds=SECONDS, parallel=4, allow_private=False
        ) as servers:
            return await servers.call(tool, {})

    outcome = anyio.run(make)
    assert (outcome.status, "AddressRefused" in outcome.text) == ("error", True)
