"""Servers of the operator's catalogue, from registration to a call: what a call costs, what a tenant may say, and how
each failure of the server, and of its function, is told."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.servers import call, failed_snapshot, look, registration, snapshot
from tests.support.stdio import ARN, SCRIPT, WRITTEN, StdioFunction, gone, stdio_function
from turnkey.errors import InvocationFailed, Permanent, TenantMisconfigured
from turnkey.mcp import stdio_catalogue
from turnkey.mcp.failures import FailureKind, ServerFailed
from turnkey.mcp.registration import Registration, ServerTimeouts
from turnkey.store.invoking import FunctionStore

pytestmark = pytest.mark.long

PATIENT = ServerTimeouts(connect=20, list=20, call=20)
TIME = ("python3", "-m", "mcp_server_time")


class Catalogue:
    """The operator's, with one server "test"; counts what its function is asked."""

    def __init__(self, function: StdioFunction) -> None:
        self.function = function
        self.asked: list[list[str]] = []

    def use(self, patch: pytest.MonkeyPatch, settings: dict[str, Any]) -> None:
        allowed = {name: {"required": bool(setting.get("required"))} for name, setting in settings.items()}
        patch.setenv("TURNKEY_STDIO_SERVERS", json.dumps({"test": {"function": ARN, "settings": allowed}}))
        patch.setattr(FunctionStore, "invoke", lambda _, arn, payload: self.invoke(arn, payload))

    def invoke(self, arn: str, payload: bytes) -> bytes:
        self.asked.append([message["method"] for message in json.loads(payload)["messages"]])
        return self.function.invoke(arn, payload)


ZONE = {"local_timezone": {"argument": "--local-timezone"}}


@pytest.fixture(scope="module")
def written() -> Iterator[StdioFunction]:
    with stdio_function(WRITTEN, SCRIPT) as function:
        yield function


@pytest.fixture
def catalogue(written: StdioFunction, monkeypatch: pytest.MonkeyPatch) -> Catalogue:
    """Its server does what the setting "script" says."""
    opened = Catalogue(written)
    opened.use(monkeypatch, SCRIPT)
    return opened


@pytest.fixture(scope="module")
def time_function() -> Iterator[StdioFunction]:
    with stdio_function(TIME, ZONE) as function:
        yield function


@pytest.fixture
def time_catalogue(time_function: StdioFunction, monkeypatch: pytest.MonkeyPatch) -> Catalogue:
    opened = Catalogue(time_function)
    opened.use(monkeypatch, ZONE)
    return opened


def doing(code: str) -> dict[str, str]:
    """The secrets of a tenant that has the server do this."""
    return {"settings": json.dumps({"script": code})}


def stdio(**fields: Any) -> Registration:
    return registration(
        "", **{"transport": "stdio", "catalogue": "test", "settings_secret": "settings", "timeouts": PATIENT, **fields}
    )


LEGACY = """
shaken = False
for line in sys.stdin:
    message = json.loads(line)
    match message["method"]:
        case "initialize":
            answer(message, {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                             "serverInfo": {"name": "old", "version": "1"}})
        case "notifications/initialized":
            shaken = True
        case "server/discover":
            time.sleep(BEFORE_HANDSHAKE)
            say({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32602, "message": "not initialized"}})
        case "tools/list":
            assert shaken
            answer(message, {"tools": [{"name": "look", "inputSchema": {}}]})
        case "tools/call":
            assert shaken
            answer(message, {"content": [{"type": "text", "text": f"done by {os.getpid()}"}]})
"""


def test_a_call_to_a_modern_server_is_one_invocation(time_catalogue: Catalogue) -> None:
    secrets = {"settings": '{"local_timezone": "Asia/Tokyo"}'}
    found = snapshot(stdio(), secrets).registration
    assert [tool.name for tool in found.tools] == ["get_current_time", "convert_time"]
    assert "Asia/Tokyo" in str(found.tools[0].input_schema)
    time_catalogue.asked.clear()
    tool = look(name="convert_time")
    arguments = {"source_timezone": "Europe/Berlin", "time": "12:00", "target_timezone": "UTC"}
    (outcome,) = call(found, tool, arguments, secrets=secrets)
    assert (outcome.status, "time_difference" in outcome.text) == ("ok", True), outcome
    assert time_catalogue.asked == [["tools/call"]]


@pytest.mark.parametrize("silent", ["0", "60"])
def test_a_call_to_an_old_server_is_one_invocation_that_shakes_hands(catalogue: Catalogue, silent: str) -> None:
    secrets = doing(LEGACY.replace("BEFORE_HANDSHAKE", silent))
    found = snapshot(stdio(timeouts=ServerTimeouts(connect=6, list=15, call=10)), secrets).registration
    assert (found.mode, found.protocol) == ("legacy", "2025-06-18")
    catalogue.asked.clear()
    first, second = call(found, times=2, secrets=secrets)
    assert catalogue.asked == [["initialize", "notifications/initialized", "tools/call"]] * 2
    assert first.text.startswith("done by ")
    assert first.text != second.text
    assert gone([int(outcome.text.split()[-1]) for outcome in (first, second)])


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("for request in requests(): time.sleep(60)", "TimedOut"),
        ("for request in requests(): sys.exit(3)", "InvalidAnswer"),
        ("for request in requests(): answer(request, 'x' * 6_000_000)", "TooLarge"),
        ("for request in requests(): say({'id': request['id'], 'result': 3})", "InvalidAnswer"),
    ],
)
def test_a_server_that_fails_is_told_with_its_class(catalogue: Catalogue, code: str, kind: str) -> None:
    timeouts = ServerTimeouts(connect=2.5, list=2.5, call=1.5)
    failure = failed_snapshot(stdio(timeouts=timeouts), doing(code))
    (outcome,) = call(stdio(mode="2026-07-28", timeouts=timeouts), secrets=doing(code))
    assert failure.kind == kind
    assert "stdio:test" in failure.message
    assert (outcome.status, outcome.error) == ("unknown", kind), outcome


@pytest.mark.parametrize(
    ("code", "kind", "acting"),
    [
        ("ResourceNotFoundException", "UnknownServer", "error"),
        ("TooManyRequestsException", "RateLimited", "error"),
        ("AccessDeniedException", "ServerError", "error"),
        ("RequestEntityTooLargeException", "TooLarge", "error"),
        ("Function.ResponseSizeTooLarge", "TooLarge", "unknown"),
        ("Sandbox.Timedout", "TimedOut", "unknown"),
        ("ReadTimeoutError", "TimedOut", "unknown"),
        ("Runtime.ExitError", "ServerError", "unknown"),
    ],
)
def test_a_function_that_fails_is_told_with_its_class(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch, code: str, kind: FailureKind, acting: str
) -> None:

    def invoke(*_: Any) -> bytes:
        raise InvocationFailed(code, f"function 'x' failed with {code}")

    monkeypatch.setattr(FunctionStore, "invoke", invoke)
    assert failed_snapshot(stdio(), doing("")).kind == kind
    (outcome,) = call(stdio(mode="2026-07-28"), secrets=doing(""))
    assert (outcome.status, outcome.error) == (acting, kind), outcome


def test_a_server_that_is_not_in_the_catalogue_is_unknown(catalogue: Catalogue) -> None:
    failure = failed_snapshot(stdio(catalogue="other"), doing(""))
    assert (failure.kind, "use one of test" in failure.message) == ("UnknownServer", True)
    (outcome,) = call(stdio(catalogue="other", mode="2026-07-28"), secrets=doing(""))
    assert (outcome.status, outcome.error) == ("error", "UnknownServer")


def test_a_tenants_words_never_become_a_command(time_catalogue: Catalogue) -> None:
    failure = failed_snapshot(stdio(), {"settings": '{"local_timezone": "--help"}'})
    assert (failure.kind, "hyphen" in failure.message) == ("Refused", True)
    time_catalogue.asked.clear()
    failed_snapshot(stdio(), {"settings": '{"command": "sh"}'})
    assert time_catalogue.asked == []


def test_settings_are_checked_against_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = {"key": {"required": True}, "zone": {}}
    monkeypatch.setenv("TURNKEY_STDIO_SERVERS", json.dumps({"test": {"function": ARN, "settings": settings}}))
    stdio_catalogue.check("test", ["key", "zone"])
    with pytest.raises(TenantMisconfigured, match="needs setting key"):
        stdio_catalogue.check("test", ["zone"])
    with pytest.raises(TenantMisconfigured, match="no setting cmd: it takes key, zone"):
        stdio_catalogue.check("test", ["key", "cmd"])
    with pytest.raises(ServerFailed, match="no server 'nope': use one of test"):
        stdio_catalogue.check("nope", [])


@pytest.mark.parametrize("text", ["[]", "{", '{"x": {"command": "sh"}}', '{"x": {"function": ""}}'])
def test_a_catalogue_that_cannot_be_read_is_the_operators_to_correct(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("TURNKEY_STDIO_SERVERS", text)
    with pytest.raises(Permanent, match="TURNKEY_STDIO_SERVERS"):
        stdio_catalogue.from_environment()
