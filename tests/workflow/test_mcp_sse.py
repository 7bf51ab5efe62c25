"""The old transport: a stream for the answers, posts for the questions. Every way in which one of them fails ends in
time."""

import time
from typing import Any

import pytest

from tests.support import faulty_server as faults
from tests.support.faulty_server import Fault, FaultyServer
from tests.support.servers import SECONDS, call, failed_snapshot, registration, snapshot
from turnkey.mcp.registration import Registration

pytestmark = pytest.mark.long

CPU_SECONDS = 3.0


def sse(server: FaultyServer) -> Registration:
    return registration(server.url("/sse"), transport="sse", mode="legacy")


def test_a_server_is_registered_and_called_over_sse() -> None:
    with FaultyServer(legacy=True) as server:
        found = snapshot(sse(server)).registration
        assert (found.mode, [tool.name for tool in found.tools]) == ("legacy", ["look"])
        assert [outcome.text for outcome in call(found, times=2)] == ["done", "done"]


@pytest.mark.parametrize(
    ("stream", "kind"),
    [
        (faults.stream_without_endpoint, "TimedOut"),
        (faults.stream_to_elsewhere, "TimedOut"),
        (faults.hang, "TimedOut"),
        (faults.status(401), "AuthFailed"),
        (faults.status(404), "NotFound"),
        (faults.status(503), "ServerError"),
        (faults.body(b"{}"), "InvalidAnswer"),
        (faults.status(302, location="http://localhost:9/sse"), "RedirectRefused"),
        (faults.body(b"", "text/event-stream"), "InvalidAnswer"),
    ],
)
def test_a_stream_that_is_none_ends_in_time_before_anything_was_done(stream: Fault, kind: str) -> None:
    started = time.monotonic()
    with FaultyServer(legacy=True, faulty_stream=stream) as server:
        assert failed_snapshot(sse(server)).kind == kind
        (outcome,) = call(sse(server))
        assert server.asked == []
    assert (outcome.status, outcome.error) == ("error", kind)
    assert time.monotonic() - started < 2 * SECONDS + CPU_SECONDS


@pytest.mark.parametrize(
    ("post", "kind", "acting"),
    [
        (faults.status(401), "AuthFailed", "error"),
        (faults.status(404), "NotFound", "error"),
        (faults.status(500), "ServerError", "unknown"),
        (faults.hang, "TimedOut", "unknown"),
        (faults.die, "InvalidAnswer", "unknown"),
    ],
)
@pytest.mark.parametrize("at", ["initialize", "tools/call"])
def test_a_post_that_fails_ends_in_time(post: Fault, kind: str, acting: str, at: str) -> None:
    started = time.monotonic()
    with FaultyServer({at: post}, legacy=True) as server:
        (outcome,) = call(sse(server))
    assert (outcome.status, outcome.error) == (acting if at == "tools/call" else "error", kind), outcome
    assert time.monotonic() - started < SECONDS + CPU_SECONDS


def test_a_stream_that_ends_midway_is_told_at_once_and_the_next_call_connects_anew() -> None:
    def hang_up(request: Any, message: Any) -> bool:
        faults.send(request, 202, b"", {})
        server.hang_up()
        return True

    started = time.monotonic()
    with FaultyServer({"tools/call": faults.once(hang_up)}, legacy=True) as server:
        first, second = call(sse(server), times=2)
    assert (first.status, first.error, second.text) == ("unknown", "InvalidAnswer", "done")
    assert time.monotonic() - started < SECONDS + CPU_SECONDS


def test_an_answer_that_cannot_be_read_is_told_at_once() -> None:
    def nonsense(request: Any, message: Any) -> bool:
        faults.send(request, 202, b"", {})
        server.say("{nonsense")
        return True

    with FaultyServer({"tools/call": nonsense}, legacy=True) as server:
        (outcome,) = call(sse(server))
    assert (outcome.status, outcome.error) == ("unknown", "InvalidAnswer")
