"""What a call costs a server in requests, over each transport and protocol version; what comes back of odd results; and
that nothing secret comes back."""

import logging
import time
from typing import Any

import pytest

from tests.support import faulty_server as faults
from tests.support.faulty_server import FaultyServer
from tests.support.servers import MODERN, call, calls_at_once, failed_snapshot, look, registration, snapshot
from turnkey.mcp.auth import BearerAuth
from turnkey.mcp.registration import Registration, ServerTimeouts
from turnkey.network.client import MAX_RESPONSE_BYTES

PATIENT = ServerTimeouts(connect=10, list=20, call=20)


def registered(server: FaultyServer, **fields: Any) -> Registration:
    """As it is kept after the server has been asked."""
    address = server.url("/sse") if fields.get("transport") == "sse" else server.url("/mcp")
    found = snapshot(registration(address, **fields)).registration
    server.asked.clear()
    server.requests.clear()
    return found


def test_a_warm_call_to_a_modern_server_is_one_request() -> None:
    with FaultyServer() as server:
        (outcome,) = call(registered(server))
        assert outcome.text == "done"
        assert (server.asked, len(server.requests)) == (["tools/call"], 1)


@pytest.mark.parametrize("protocol", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_every_old_protocol_is_spoken(protocol: str) -> None:
    with FaultyServer(legacy=True, protocol=protocol) as server:
        found = registered(server)
        assert (found.mode, found.protocol) == ("legacy", protocol)
        assert call(found)[0].text == "done"


def test_a_protocol_that_nobody_speaks_is_no_usable_answer() -> None:
    with FaultyServer(legacy=True, protocol="1999-12-31") as server:
        assert failed_snapshot(registration(server.url("/mcp"))).kind == "InvalidAnswer"


def test_further_calls_are_one_request_each() -> None:
    with FaultyServer() as server:
        call(registered(server), times=3)
        assert server.asked == ["tools/call"] * 3


def test_a_warm_call_to_a_stateful_server_shakes_hands_and_lists_nothing() -> None:
    with FaultyServer(legacy=True) as server:
        found = registered(server)
        assert (found.mode, found.protocol) == ("legacy", "2025-06-18")
        call(found)
        # And takes its leave; no stream is opened for what nobody asked.
        assert server.asked == ["initialize", "notifications/initialized", "tools/call"]
        assert [request.split()[0] for request in server.requests] == ["POST", "POST", "POST", "DELETE"]


def test_a_warm_call_over_sse_shakes_hands_and_lists_nothing() -> None:
    with FaultyServer(legacy=True) as server:
        call(registered(server, transport="sse"), times=2)
        assert server.asked == ["initialize", "notifications/initialized", "tools/call", "tools/call"]
        assert server.requests[0] == "GET /sse"
        assert len(server.requests) == 5


def test_a_result_of_40_mb_arrives_whole() -> None:
    size = 40 * 1024 * 1024
    answer = {"content": [{"type": "text", "text": "x" * size}]}
    with FaultyServer(result=answer) as server:
        (outcome,) = call(registration(server.url("/mcp"), mode=MODERN, timeouts=PATIENT))
    assert (outcome.status, len(outcome.text)) == ("ok", size)


@pytest.mark.parametrize(("size", "status"), [(5_000_000, "ok"), (MAX_RESPONSE_BYTES, "unknown")])
def test_an_event_may_be_as_large_as_any_answer(size: int, status: str) -> None:
    answer = {"content": [{"type": "text", "text": "x" * size}]}
    with FaultyServer(result=answer, legacy=True) as server:
        (outcome,) = call(registration(server.url("/sse"), transport="sse", mode="legacy", timeouts=PATIENT))
    assert (outcome.status, outcome.error) == (status, "" if status == "ok" else "TooLarge")


PROMISED = {
    "type": "object",
    "properties": {"degrees": {"type": "number"}, "days": {"type": "array", "items": {"type": "string"}}},
    "required": ["degrees"],
}
TEXT = [{"type": "text", "text": "It is 20 degrees."}]


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ({"content": TEXT, "structuredContent": {"degrees": 20}}, '{"degrees":20}'),
        ({"content": TEXT}, "It is 20 degrees."),
        ({"content": TEXT, "structuredContent": None}, "It is 20 degrees."),
        ({"content": TEXT, "structuredContent": {"degrees": "warm"}}, "It is 20 degrees."),
        ({"content": TEXT, "structuredContent": {"nonsense": 1}}, "It is 20 degrees."),
        ({"content": TEXT, "structuredContent": "nonsense"}, "It is 20 degrees."),
        ({"content": TEXT, "structuredContent": {"degrees": 20, "days": ["Monday", 2]}}, "It is 20 degrees."),
        ({"content": [], "structuredContent": {"nonsense": 1}}, '{"nonsense":1}'),
        ({"structuredContent": {"degrees": 20}}, '{"degrees":20}'),
        ({"content": [*TEXT, "stray", {"type": "unheard-of"}]}, "It is 20 degrees.\n[unheard-of , 0 bytes: not shown]"),
    ],
)
def test_wrong_structured_content_never_costs_the_text(result: dict[str, Any], text: str) -> None:
    tool = look().model_copy(update={"output_schema": PROMISED})
    with FaultyServer(result=result) as server:
        (outcome,) = call(registration(server.url("/mcp"), mode=MODERN), tool)
    assert (outcome.status, outcome.text) == ("ok", text)


def test_a_server_that_asks_back_gets_no_answer_and_the_model_goes_on() -> None:
    wanted = {"resultType": "input_required", "inputRequests": {}, "requestState": "x"}
    with FaultyServer({"tools/call": faults.answering(lambda m: faults.result(m, wanted))}) as server:
        (outcome,) = call(registration(server.url("/mcp"), mode=MODERN))
    assert (outcome.status, outcome.error, server.calls) == ("error", "Refused", 1)


@pytest.mark.parametrize("as_error", [True, False])
def test_a_server_that_repeats_the_token_is_not_repeated(caplog: pytest.LogCaptureFixture, as_error: bool) -> None:
    caplog.set_level(logging.DEBUG)
    secrets = {"token": "tk-3f9a2b71c"}

    def leak(request: Any, message: Any) -> bool:
        told = f"bad credentials: {request.headers['authorization']}"
        assert secrets["token"] in told
        content = {"content": [{"type": "text", "text": told}], "isError": True}
        faults.send_json(request, faults.error(message, -32602, told) if as_error else faults.result(message, content))
        return True

    with FaultyServer({"tools/call": leak, "tools/list": leak}) as server:
        address = f"{server.url('/mcp')}?api_key=hunter2"
        kept = registration(address, mode=MODERN, auth=BearerAuth(token_secret="token"))
        failure = failed_snapshot(kept, secrets)
        (outcome,) = call(kept, secrets=secrets)
    told = failure.message + outcome.text + caplog.text
    assert "bad credentials" in outcome.text
    assert secrets["token"] not in told
    assert "hunter2" not in told


def test_arguments_that_travel_as_headers_do() -> None:
    schema = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}
    seen: list[str | None] = []

    def note(request: Any, message: Any) -> bool:
        seen.append(request.headers["mcp-param-region"])
        return False

    with FaultyServer({"tools/call": note}, tools=[{**faults.TOOL, "inputSchema": schema}]) as server:
        call(registered(server), arguments={"region": "eu"})
    assert seen == ["eu"]


def test_calls_at_the_same_time_do_not_share_a_failure() -> None:
    """One answer that breaks off, or is too large, costs that call alone."""

    def some(request: Any, message: Any) -> bool:
        match message["params"]["arguments"]["n"]:
            case 0:
                return faults.die(request, message)
            case 1:
                return faults.body(b" " * (MAX_RESPONSE_BYTES + 1))(request, message)
            case _:
                time.sleep(0.2)
                return False

    with FaultyServer({"tools/call": some}) as server:
        outcomes = calls_at_once(
            registration(server.url("/mcp"), mode=MODERN, timeouts=PATIENT), [{"n": n} for n in range(4)]
        )
    assert [outcome.error for outcome in outcomes] == ["InvalidAnswer", "TooLarge", "", ""]
    assert [outcome.text for outcome in outcomes[2:]] == ["done", "done"]
