"""Servers that fail, each in its own way: when they are registered and when they are called it ends in time, with a
stated class; a call that may have happened is told as unknown."""

import json
import ssl
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.support import faulty_server as faults
from tests.support.faulty_server import Fault, FaultyServer
from tests.support.servers import MODERN, SECONDS, call, failed_snapshot, look, registration, snapshot
from tests.support.tls import Authority
from turnkey.mcp.failures import FailureKind
from turnkey.network.client import MAX_RESPONSE_BYTES

pytestmark = pytest.mark.long


@dataclass(frozen=True)
class Case:
    """`fault` is met when tools are listed and when one is called; `acting` is the outcome's status for a tool that
    acts, for one that reads it is an error."""

    fault: Fault
    kind: FailureKind
    acting: str
    status: int = 0
    others: dict[str, Any] = field(default_factory=dict[str, Any])


TOO_MUCH = faults.body(b" " * (MAX_RESPONSE_BYTES + 1))
CASES = {
    "hangs": Case(faults.hang, "TimedOut", "unknown"),
    "never ends": Case(faults.drip, "TimedOut", "unknown"),
    "401": Case(faults.status(401), "AuthFailed", "error", 401),
    "403": Case(faults.status(403), "AuthFailed", "error", 403),
    "404": Case(faults.status(404), "NotFound", "error", 404),
    "429": Case(faults.status(429, retry_after="7"), "RateLimited", "error", 429, {"retry_after": 7.0}),
    "500": Case(faults.status(500), "ServerError", "unknown", 500),
    "503": Case(faults.status(503), "ServerError", "unknown", 503),
    "redirects to another origin": Case(
        faults.status(307, location="http://localhost:9/mcp"), "RedirectRefused", "error"
    ),
    "redirects in a way that may have acted": Case(
        faults.status(302, location="http://localhost:9/mcp"), "RedirectRefused", "unknown"
    ),
    "dies midway": Case(faults.die, "InvalidAnswer", "unknown"),
    "invalid JSON": Case(faults.body(b"{nonsense"), "InvalidAnswer", "unknown"),
    "no JSON-RPC": Case(faults.body(b"[1, 2]"), "InvalidAnswer", "unknown"),
    "a web page": Case(faults.body(b"<html>", "text/html"), "InvalidAnswer", "unknown"),
    "an empty 200": Case(faults.body(b""), "InvalidAnswer", "unknown"),
    "202 and no body": Case(faults.status(202), "InvalidAnswer", "unknown"),
    "a result that is none": Case(faults.answering(lambda m: faults.result(m, {"x": 1})), "InvalidAnswer", "unknown"),
    "deeply nested JSON": Case(faults.nested(100_000), "InvalidAnswer", "unknown"),
    "more than the cap": Case(TOO_MUCH, "TooLarge", "unknown"),
    "a gzip bomb": Case(faults.bomb(MAX_RESPONSE_BYTES + 1), "TooLarge", "unknown"),
    "its own error": Case(faults.answering(lambda m: faults.error(m, -32603, "oops")), "ServerError", "unknown"),
    "its own no": Case(faults.answering(lambda m: faults.error(m, -32602, "no such book")), "Refused", "error"),
}
cases = pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
CPU_SECONDS = 6.0
"""Allowed beside what is waited for: these machines are busy, and reading 44 MB takes its time."""


@cases
def test_a_faulty_server_is_not_registered_and_says_why_in_time(case: Case) -> None:
    started = time.monotonic()
    with FaultyServer({"tools/list": case.fault}) as server:
        failure = failed_snapshot(registration(server.url("/mcp")))
    assert failure.kind == case.kind, failure
    assert time.monotonic() - started < 2 * SECONDS + CPU_SECONDS
    if case.status:
        assert failure.http_status == case.status
    assert {name: getattr(failure, name) for name in case.others} == case.others
    assert server.url("/mcp") in failure.message
    assert ("it answered with text/html" in failure.message) == (case is CASES["a web page"])


@cases
def test_a_call_to_a_faulty_server_ends_in_time_with_its_class(case: Case) -> None:
    started = time.monotonic()
    with FaultyServer({"tools/call": case.fault}) as server:
        (acting,) = call(registration(server.url("/mcp"), mode=MODERN))
        assert server.calls == 1
        (reading,) = call(registration(server.url("/mcp"), mode=MODERN), look(read_only=True))
    assert (acting.status, acting.error) == (case.acting, case.kind), acting
    assert (reading.status, reading.error) == ("error", case.kind), reading
    assert "look" in acting.text
    assert time.monotonic() - started < 2 * SECONDS + 2 * CPU_SECONDS


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (faults.hang, "TimedOut"),
        (faults.status(401), "AuthFailed"),
        (faults.status(404), "NotFound"),
        (faults.status(429), "RateLimited"),
        (faults.status(500), "ServerError"),
        (faults.die, "InvalidAnswer"),
        (faults.body(b"<html>", "text/html"), "InvalidAnswer"),
        (faults.status(301, location="http://localhost:9/"), "RedirectRefused"),
    ],
)
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_server_that_fails_when_it_is_connected_has_certainly_done_nothing(
    fault: Fault, kind: str, mode: str
) -> None:
    with FaultyServer({"server/discover": fault, "initialize": fault}) as server:
        failure = failed_snapshot(registration(server.url("/mcp"), mode=mode))
        (outcome,) = call(registration(server.url("/mcp"), mode=mode))
        assert server.calls == 0
    assert failure.kind == kind
    assert (outcome.status, outcome.error) == ("error", kind), outcome


def test_a_redirect_to_plain_http_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority = Authority(tmp_path)
    trusting = ssl.create_default_context(cafile=str(authority.bundle))
    monkeypatch.setattr("turnkey.network.client._ssl_context", lambda: trusting)
    server = FaultyServer({"tools/list": faults.status(308, location="http://localhost/mcp/")})
    server.use(authority.server_context("localhost"))
    with server:
        address = server.url("/mcp", host="localhost").replace("http:", "https:")
        failure = failed_snapshot(registration(address))
        assert (failure.kind, "plain http" in failure.message) == ("RedirectRefused", True), failure
        assert server.asked == ["server/discover", "tools/list"]


def test_a_server_that_hangs_after_the_handshake_ends_in_time() -> None:
    with FaultyServer({"notifications/initialized": faults.hang}, legacy=True) as server:
        assert failed_snapshot(registration(server.url("/mcp"))).kind == "TimedOut"
        (outcome,) = call(registration(server.url("/mcp"), mode="legacy"))
    assert outcome.error == "TimedOut"


def test_a_server_that_is_busy_once_is_asked_again_when_it_is_registered() -> None:
    with FaultyServer({"tools/list": faults.once(faults.status(503))}) as server:
        assert [tool.name for tool in snapshot(registration(server.url("/mcp"))).registration.tools] == ["look"]


def test_a_modern_server_that_is_busy_once_is_not_taken_for_an_old_one() -> None:
    with FaultyServer({"server/discover": faults.once(faults.status(503))}) as server:
        assert snapshot(registration(server.url("/mcp"))).registration.mode == MODERN


def test_a_server_that_is_busy_once_answers_the_next_call() -> None:
    with FaultyServer({"tools/call": faults.once(faults.status(503))}) as server:
        first, second = call(registration(server.url("/mcp"), mode=MODERN), times=2)
    assert (first.status, first.error, second.text) == ("unknown", "ServerError", "done")
    assert server.calls == 2


def test_a_server_that_was_started_anew_gets_the_call_in_a_new_session() -> None:
    with FaultyServer(legacy=True) as server:

        def restart() -> None:
            server.session += 1

        outcomes = call(registration(server.url("/mcp"), mode="legacy"), times=2, between=restart)
        assert [outcome.text for outcome in outcomes] == ["done", "done"]
        # The second found the session gone, and was made again.
        assert server.calls == 3


def test_a_server_that_forgets_every_session_is_not_asked_for_ever() -> None:
    with FaultyServer({"tools/call": faults.status(404)}, legacy=True) as server:
        (outcome,) = call(registration(server.url("/mcp"), mode="legacy"))
        assert server.calls == 2
    assert (outcome.status, outcome.error) == ("error", "SessionLost")


def test_words_about_the_session_count_as_much_as_the_status() -> None:
    def forgotten(request: Any, message: Any) -> bool:
        body = json.dumps(faults.error(message, -32000, "Bad Request: No valid session ID provided")).encode()
        faults.send(request, 400, body, {"content-type": "application/json"})
        return True

    with FaultyServer({"tools/call": faults.once(forgotten)}, legacy=True) as server:
        (outcome,) = call(registration(server.url("/mcp"), mode="legacy"))
    assert (outcome.text, server.calls) == ("done", 2)


@pytest.mark.parametrize(
    "words", ["Unknown tool: look", "Tool look not found", "MCP error -32602: Tool 'look' does not exist"]
)
@pytest.mark.parametrize("as_result", [True, False])
def test_a_tool_that_is_gone_is_told_once_for_the_server_and_never_called_again_by_itself(
    words: str, as_result: bool
) -> None:
    failing = {"content": [{"type": "text", "text": words}], "isError": True}
    make = (lambda m: faults.result(m, failing)) if as_result else (lambda m: faults.error(m, -32602, words))
    gone: list[str] = []
    with FaultyServer({"tools/call": faults.answering(make)}) as server:
        outcomes = call(registration(server.url("/mcp"), mode=MODERN), times=3, on_gone=gone.append)
        assert server.calls == 3
    assert {(outcome.status, outcome.error) for outcome in outcomes} == {("error", "ToolGone")}
    assert gone == ["s"]


def test_an_error_that_speaks_of_something_else_that_is_not_found_is_the_tools_own() -> None:
    result = {"content": [{"type": "text", "text": "Book 'Moby Dick' not found"}], "isError": True}
    gone: list[str] = []
    with FaultyServer(result=result) as server:
        (outcome,) = call(registration(server.url("/mcp"), mode=MODERN), on_gone=gone.append)
    assert (outcome.status, outcome.error, gone) == ("error", "", [])


def test_a_server_that_is_not_there_certainly_did_nothing() -> None:
    assert failed_snapshot(registration("http://127.0.0.1:9/mcp")).kind == "Unreachable"
    (outcome,) = call(registration("http://127.0.0.1:9/mcp", mode=MODERN))
    assert (outcome.status, outcome.error) == ("error", "Unreachable")


def test_a_private_address_is_refused_where_it_is_not_allowed() -> None:
    (outcome,) = call(registration("https://127.0.0.1:9/mcp", mode=MODERN), allow_private=False)
    assert (outcome.status, outcome.error) == ("error", "AddressRefused")
