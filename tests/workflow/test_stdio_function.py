"""A stdio server in a function of its own: a clean start, a conversation with bounds, and nothing left, however hostile
the server is."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.stdio import ROOT, SCRIPT, WRITTEN, StdioFunction, gone, stdio_function

pytestmark = pytest.mark.long

PING = {"jsonrpc": "2.0", "id": 1, "method": "work"}
CPU_SECONDS = 5.0


SETTINGS = {
    **SCRIPT,
    "key": {"environment": "API_KEY"},
    "zone": {"argument": "--zone"},
    "home": {"environment": "HOME"},
}


@pytest.fixture(scope="module")
def function() -> Iterator[StdioFunction]:
    with stdio_function(WRITTEN, SETTINGS) as opened:
        yield opened


Ask = Callable[..., Any]


@pytest.fixture
def ask(function: StdioFunction) -> Iterator[Ask]:
    """Gives the function's answer for a server that does what the code says; nothing of it is left afterwards."""

    def run(code: str, *messages: Any, settings: dict[str, str] | None = None, seconds: float = 10) -> Any:
        return function.ask(*(messages or (PING,)), settings={"script": code, **(settings or {})}, seconds=seconds)

    yield run
    assert_nothing_left(function)
    assert function.homes == []


def assert_nothing_left(function: StdioFunction) -> None:
    (worker,) = function.pids
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(worker)], capture_output=True, text=True, check=False)
    assert children.stdout.split() == []


def failure(answer: Any) -> str:
    return str(answer["failure"]["kind"])


ECHO = """
for request in requests():
    answer(request, {"got": request.get("params")})
"""


def test_every_request_is_answered_in_order(ask: Ask) -> None:
    messages = [{**PING, "id": number, "params": {"n": number}} for number in (1, 2, 3)]
    answer = ask(ECHO, *messages)
    assert answer["failure"] is None
    assert [message["result"]["got"]["n"] for message in answer["messages"]] == [1, 2, 3]


def test_a_request_is_written_only_when_the_one_before_is_answered(ask: Ask) -> None:
    code = """
import select
for request in requests():
    time.sleep(0.2)
    answer(request, {"early": bool(select.select([sys.stdin], [], [], 0)[0])})
"""
    answer = ask(code, PING, {"jsonrpc": "2.0", "method": "note"}, {**PING, "id": 2})
    assert [message["result"] for message in answer["messages"]] == [{"early": False}, {"early": False}]


def test_what_a_server_asks_is_refused_and_a_ping_is_answered(ask: Ask) -> None:
    code = """
for request in requests():
    for method in ("ping", "sampling/createMessage", "roots/list"):
        say({"jsonrpc": "2.0", "id": f"own-{method}", "method": method})
    heard = [json.loads(sys.stdin.readline()) for _ in range(3)]
    say({"jsonrpc": "2.0", "method": "notifications/message", "params": {}})
    answer(request, {"heard": heard})
"""
    (message,) = ask(code)["messages"]
    ping, sampling, roots = message["result"]["heard"]
    assert ping["result"] == {}
    assert sampling["error"]["code"] == roots["error"]["code"] == -32601


def test_lines_that_are_nothing_are_let_go_by(ask: Ask) -> None:
    code = """
for request in requests():
    print("starting up…"); print("[1, 2"); print("[]"); print("null"); print("[" * 100000); print('{"id": 1}x')
    say({"jsonrpc": "2.0", "id": 99, "result": {}})
    answer(request, "fine")
"""
    answer = ask(code)
    assert [message["result"] for message in answer["messages"]] == ["fine"]


NEVER = "for request in requests(): time.sleep(60)"
FLOOD = "for request in requests():\n  while True: sys.stdout.write('x' * 65536 + chr(10))"
ONE_LINE = "for request in requests():\n  while True: sys.stdout.write('x' * 65536)"
HUGE = "for request in requests(): answer(request, 'x' * 6_000_000)"
DEEP = "for request in requests(): print('{\"id\": 1, \"result\": ' + '[' * 500 + ']' * 500 + '}', flush=True)"
SILENT_DEATH = "for request in requests(): sys.exit(3)"
CLOSED = "for request in requests():\n  os.close(1); time.sleep(60)"
DEAF = "time.sleep(60)"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (NEVER, "TimedOut"),
        (FLOOD, "TooLarge"),
        (ONE_LINE, "TooLarge"),
        (HUGE, "TooLarge"),
        (DEEP, "InvalidAnswer"),
        (SILENT_DEATH, "InvalidAnswer"),
        (CLOSED, "InvalidAnswer"),
        ("syntax error(", "InvalidAnswer"),
        (DEAF, "TimedOut"),
    ],
)
def test_a_server_that_gives_no_answer_ends_in_time_and_says_why(ask: Ask, code: str, kind: str) -> None:
    big = {**PING, "params": {"x": "y" * 1_000_000}} if code == DEAF else PING
    started = time.monotonic()
    answer = ask(code, big, seconds=1.5)
    assert failure(answer) == kind, answer
    assert answer["failure"]["begun"]
    assert time.monotonic() - started < 1.5 + CPU_SECONDS


def test_a_failure_before_the_last_request_is_one_before_anything_was_done(ask: Ask) -> None:
    answer = ask(SILENT_DEATH, {**PING, "method": "initialize"}, {**PING, "id": 2})
    assert answer["failure"]["begun"] is False


def test_a_command_that_is_not_there_is_the_operators_to_correct() -> None:
    with stdio_function(["no-such-command"]) as function:
        answer = function.ask(PING)
    assert (failure(answer), answer["failure"]["begun"]) == ("ServerError", False)


def test_no_process_is_left_of_one_that_ignores_its_end_and_starts_others(ask: Ask, tmp_path: Path) -> None:
    code = f"""
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen(["sleep", "300"])
daemon = subprocess.Popen(["sleep", "300"], start_new_session=True)
twice = subprocess.run([sys.executable, "-c", '''
import os, sys
os.setsid()
if os.fork() == 0:
    os.setsid()
    open({str(tmp_path / "new")!r}, "w").write(str(os.getpid()))
    os.rename({str(tmp_path / "new")!r}, {str(tmp_path / "daemon")!r})
    os.execlp("sleep", "sleep", "300")
'''])
for request in requests():
    while not os.path.exists({str(tmp_path / "daemon")!r}):
        time.sleep(0.01)
    answer(request, [os.getpid(), child.pid, daemon.pid, int(open({str(tmp_path / "daemon")!r}).read())])
"""
    (message,) = ask(code)["messages"]
    pids = message["result"]
    assert len(set(pids)) == 4
    assert gone(pids)


def test_no_process_is_left_when_the_function_itself_is_killed(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    code = f"""
child = subprocess.Popen(["sleep", "300"])
open({str(pids)!r}, "w").write(f"{{os.getpid()}} {{child.pid}}")
time.sleep(60)
"""
    with stdio_function(WRITTEN, SCRIPT) as function:
        function.workers.kill_next("stdio-test", 2.0)
        event = json.dumps({"messages": [PING], "settings": {"script": code}, "seconds": 15}).encode()
        assert function.workers("stdio-test", event).failed
    assert gone([int(pid) for pid in pids.read_text().split()])


def test_one_invocation_finds_nothing_of_the_one_before(ask: Ask, function: StdioFunction) -> None:
    code = """
for request in requests():
    home = os.environ["HOME"]
    found = sorted(os.listdir(home)) + sorted(os.listdir(os.environ["TMPDIR"]))
    open(os.path.join(home, "secret"), "w").write("of a tenant")
    os.mkdir("locked"); os.chmod("locked", 0)
    answer(request, {"home": home, "cwd": os.getcwd(), "found": found, "mode": oct(os.stat(home).st_mode & 0o777)})
"""
    first, second = (ask(code)["messages"][0]["result"] for _ in range(2))
    assert len(function.pids) == 1
    assert first["found"] == second["found"] == []
    assert first["home"] == first["cwd"] != second["home"]
    assert first["mode"] == "0o700"


ENVIRONMENT = "for request in requests(): answer(request, dict(os.environ))"


def test_the_servers_environment_is_made_from_nothing(ask: Ask) -> None:
    settings = {"key": "k-1", "home": "/elsewhere"}
    (message,) = ask(ENVIRONMENT, settings=settings)["messages"]
    environment = message["result"]
    allowed = {"PATH", "LANG", "HOME", "TMPDIR", "PYTHONPATH", "LD_LIBRARY_PATH", "API_KEY", "SCRIPT", "LC_CTYPE"}
    assert set(environment) <= allowed
    assert environment["API_KEY"] == "k-1"
    # What is the function's to say stays the function's.
    assert "/stdio-" in environment["HOME"]


def test_a_setting_goes_where_the_operator_said_and_nowhere_else(ask: Ask) -> None:
    code = "for request in requests(): answer(request, sys.argv[1:])"
    (message,) = ask(code, settings={"zone": "a; rm -rf / $(x)"})["messages"]
    assert message["result"] == ["--zone", "a; rm -rf / $(x)"]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"zone": "--verbose"}, "hyphen"),
        ({"zone": "a\0b"}, "zero byte"),
        ({"zone": " "}, "empty"),
        ({"other": "x"}, "no setting 'other'"),
    ],
)
def test_a_setting_that_is_none_is_refused_before_anything_runs(ask: Ask, settings: dict[str, str], words: str) -> None:
    answer = ask(ECHO, settings=settings)
    assert (failure(answer), answer["failure"]["begun"]) == ("Refused", False)
    assert words in answer["failure"]["message"]


def test_a_required_setting_is_asked_for() -> None:
    with stdio_function(WRITTEN, {"key": {"environment": "API_KEY", "required": True}}) as function:
        answer = function.ask(PING)
    assert (failure(answer), "key is missing" in answer["failure"]["message"]) == ("Refused", True)


def test_the_log_has_the_end_of_what_a_failing_server_wrote_and_no_setting(ask: Ask, function: StdioFunction) -> None:
    code = "sys.stderr.write('x' * 100_000 + os.environ['API_KEY'] + ' is wrong'); sys.exit(1)"
    answer = ask(code, settings={"key": "k-4711"})
    deadline = time.monotonic() + 5
    while "is wrong" not in function.log and time.monotonic() < deadline:
        time.sleep(0.05)
    assert "is wrong" in function.log
    assert "k-4711" not in function.log + json.dumps(answer)
    assert "x" * 4096 not in function.log


def test_an_event_that_is_none_is_refused_without_repeating_a_setting(function: StdioFunction) -> None:
    event = {"settings": {"key": ["k-4711"]}, "messages": [PING], "seconds": 5}
    outcome = function.workers("stdio-test", json.dumps(event).encode())
    time.sleep(0.2)
    assert outcome.failed
    assert "k-4711" not in outcome.payload.decode() + function.log


READS_PARENT = """
for request in requests():
    try:
        found = open(f"/proc/{os.getppid()}/environ", "rb").read().decode(errors="replace")
    except OSError as error:
        found = type(error).__name__
    answer(request, found)
"""


def test_the_functions_own_environment_holds_nothing_of_a_tenant(ask: Ask) -> None:
    """Somebody with root's rights can read it, as tests often have them."""
    (message,) = ask(READS_PARENT, settings={"key": "k-4711"})["messages"]
    assert "k-4711" not in message["result"]


DRIVER = r'''
import ctypes, os, sys
sys.path[:0] = sys.argv[2:]
from turnkey.stdio import Command, StdioRequest, prepare, run

os.setgid(65534)
os.setuid(65534)
ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # readable again, as a process that begins as somebody is
if sys.argv[1] == "prepared":
    prepare()
reads = 'tr "\\0" " " < /proc/$PPID/environ || echo refused'
server = f"""read line; printf '{{"id": 1, "result": "%s"}}\\n' "$({reads})"; sleep 9"""
request = StdioRequest(messages=[{"jsonrpc": "2.0", "id": 1, "method": "work"}], seconds=10)
print(run(Command(words=("sh", "-c", server)), request, print).messages[0]["result"])
'''


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
def test_a_server_cannot_read_the_environment_of_its_function() -> None:
    """As in Lambda, where neither of them is root."""
    found: dict[str, str] = {}
    places = [str(ROOT / "layers/turnkey"), *(path for path in sys.path if "site-packages" in path)]
    for how in ("prepared", "unprepared"):
        environment = {"AWS_SECRET_ACCESS_KEY": "the-functions-own", "PATH": os.environ["PATH"]}
        command = [sys.executable, "-c", DRIVER, how, *places]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        found[how] = ended.stdout.strip() or ended.stderr
    assert found["prepared"] == "refused"
    assert "the-functions-own" in found["unprepared"], "the test would not notice"
