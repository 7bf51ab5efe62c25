"""Each function runs in processes of its own, and what can happen to one is told as Lambda tells it."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from local.deployment import Function
from local.invocation import UnknownFunction
from local.logs import Logs
from local.workers import Workers

ROOT = Path(__file__).parents[2]
HANDLER = """
import os, subprocess, sys, time
import shared

class Refused(Exception):
    pass

def handler(event, context):
    if "sleep" in event:
        time.sleep(event["sleep"])
    if "raise" in event:
        raise Refused(event["raise"])
    if "exit" in event:
        sys.exit(event["exit"])
    if "print" in event:
        print(event["print"])
    if "child" in event:
        child = subprocess.Popen(["sleep", "60"])
        open(event["child"], "w").write(f"{os.getpid()} {child.pid}")
        time.sleep(60)
    if "big" in event:
        return "x" * event["big"]
    if "modules" in event:
        return [name for name in event["modules"] if __import__("importlib.util").util.find_spec(name)]
    return {
        "pid": os.getpid(),
        "environment": dict(os.environ),
        "directory": os.getcwd(),
        "shared": shared.VALUE,
        "request_id": context.aws_request_id,
        "name": context.function_name,
        "arn": context.invoked_function_arn,
        "left": context.get_remaining_time_in_millis(),
    }
"""


def function(directory: Path, name: str = "echo", code: str = HANDLER, timeout_seconds: int = 5) -> Function:
    """A function with its code and one layer under `directory`."""
    for folder, file, text in ((name, "app.py", code), ("layer", "shared.py", "VALUE = 42")):
        (directory / folder).mkdir(exist_ok=True)
        (directory / folder / file).write_text(text)
    arn = f"arn:aws:lambda:us-east-1:123456789012:function:{name}"
    environment = {"MINE": name}
    layers = (directory / "layer",)
    return Function("Echo", name, arn, directory / name, layers, "app.handler", timeout_seconds, 256, environment)


Run = Callable[..., Any]


@pytest.fixture
def logs() -> Logs:
    return Logs()


@pytest.fixture
def start(logs: Logs) -> Iterator[Callable[..., Workers]]:
    """Starts workers for functions, and ends them after the test."""
    started: list[Workers] = []

    def starter(*functions: Function, most: int = 4) -> Workers:
        services = {"AWS_ENDPOINT_URL": "http://aws"}
        started.append(Workers({one.name: one for one in functions}, services, logs, most))
        return started[-1]

    yield starter
    for workers in started:
        workers.close()


@pytest.fixture
def workers(tmp_path: Path, start: Callable[..., Workers]) -> Workers:
    return start(function(tmp_path))


def run(workers: Workers, name: str = "echo", **event: Any) -> Any:
    """The result of a function that must not fail."""
    outcome = workers(name, json.dumps(event).encode())
    assert not outcome.failed, outcome.payload
    return json.loads(outcome.payload)


def fail(workers: Workers, name: str = "echo", **event: Any) -> dict[str, Any]:
    """The error of a function that must fail."""
    outcome = workers(name, json.dumps(event).encode())
    assert outcome.failed, outcome.payload
    return json.loads(outcome.payload)


def test_a_handler_sees_its_own_environment_and_nothing_of_its_parents(
    workers: Workers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("AWS_PROFILE", "mine")
    seen = run(workers)
    assert (
        seen["environment"] | {"MINE": "echo", "AWS_ENDPOINT_URL": "http://aws", "HOME": "/tmp"} == seen["environment"]
    )
    assert {"OPENAI_API_KEY", "AWS_PROFILE", "PYTHONPATH", "VIRTUAL_ENV"} & set(seen["environment"]) == set()
    assert seen["directory"] == str(tmp_path / "echo")


def test_a_handler_can_import_its_layers_and_the_installed_packages_and_no_other_code(workers: Workers) -> None:
    assert run(workers)["shared"] == 42
    assert run(workers, modules=["boto3", "pydantic", "turnkey", "local", "worker", "tests"]) == ["boto3", "pydantic"]


def test_the_context_says_which_invocation_this_is_and_how_long_it_has(workers: Workers) -> None:
    first, second = run(workers), run(workers)
    assert first["request_id"] != second["request_id"]
    assert first["name"] == "echo"
    assert first["arn"].endswith(":function:echo")
    assert 4000 < first["left"] <= 5000


def test_a_warm_process_is_used_again(workers: Workers) -> None:
    assert run(workers)["pid"] == run(workers)["pid"]


def test_a_handler_that_raises_keeps_its_process_and_names_its_error(workers: Workers, logs: Logs) -> None:
    before = run(workers)["pid"]
    error = fail(workers, **{"raise": "too much"})
    assert (error["errorType"], error["errorMessage"]) == ("Refused", "too much")
    assert "in handler" in error["stackTrace"][0]
    assert run(workers)["pid"] == before
    assert any("Refused: too much" in line for line in logs.lines("echo"))


def test_concurrent_invocations_get_processes_of_their_own_up_to_the_limit(
    tmp_path: Path, start: Callable[..., Workers]
) -> None:
    workers = start(function(tmp_path), most=2)
    with ThreadPoolExecutor(5) as pool:
        results = list(pool.map(lambda _: run(workers, sleep=0.1), range(5)))
    assert len({result["pid"] for result in results}) == 2
    assert len(workers.pids("echo")) == 2


def test_a_timeout_kills_the_process_and_the_next_invocation_has_a_new_one(
    tmp_path: Path, start: Callable[..., Workers]
) -> None:
    workers = start(function(tmp_path, timeout_seconds=1))
    [pid] = {run(workers)["pid"]}
    error = fail(workers, sleep=30)
    assert error["errorType"] == "Sandbox.Timedout"
    assert error["errorMessage"].endswith("Task timed out after 1.00 seconds")
    assert run(workers)["pid"] != pid


def test_a_process_that_exits_is_an_exit_error(workers: Workers) -> None:
    error = fail(workers, exit=3)
    assert error["errorType"] == "Runtime.ExitError"
    assert error["errorMessage"].endswith("Runtime exited with error: exit status 3")


@pytest.mark.parametrize("when", ["before", "after", 0.1])
def test_a_kill_at_any_time_is_an_exit_error_once(workers: Workers, when: Any) -> None:
    run(workers)
    workers.kill_next("echo", when)
    error = fail(workers, sleep=0.3)
    assert error["errorType"] == "Runtime.ExitError"
    assert error["errorMessage"].endswith("signal: killed")
    assert run(workers)["shared"] == 42


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("import nothing_of_that_name", "Runtime.ImportModuleError"),
        ("def handler(:", "Runtime.UserCodeSyntaxError"),
        ("raise ValueError('no setting')", "ValueError"),
        ("def other(event, context): ...", "Runtime.HandlerNotFound"),
        ("import sys; sys.exit(1)", "Runtime.ExitError"),
        ("def handler(event, context): return {1, 2}", "Runtime.MarshalError"),
    ],
)
def test_code_that_cannot_run_says_why(tmp_path: Path, start: Callable[..., Workers], code: str, kind: str) -> None:
    workers = start(function(tmp_path, code=code))
    assert fail(workers)["errorType"] == kind
    assert fail(workers)["errorType"] == kind


def test_a_result_over_the_limit_is_refused(workers: Workers) -> None:
    assert fail(workers, big=6 * 1024 * 1024)["errorType"] == "Function.ResponseSizeTooLarge"


def test_what_a_function_prints_is_kept_in_its_own_log(
    tmp_path: Path, start: Callable[..., Workers], logs: Logs
) -> None:
    workers = start(function(tmp_path), function(tmp_path, "other"))
    run(workers, print="grün\nblau")
    run(workers, "other", print="rot")
    workers.close()
    assert logs.lines("echo") == ["grün", "blau"]
    assert logs.lines("other") == ["rot"]


def test_an_unknown_function_is_not_taken_for_a_failing_one(workers: Workers) -> None:
    with pytest.raises(UnknownFunction, match="There are echo"):
        workers("ecco", b"{}")


def test_prewarmed_processes_are_there_before_the_first_invocation(workers: Workers) -> None:
    workers.prewarm(["echo"])
    [pid] = workers.pids("echo")
    assert run(workers)["pid"] == pid


PARENT = """
import json, sys
from pathlib import Path
from local.logs import Logs
from local.workers import Workers
from tests.workflow.test_local_workers import function
workers = Workers({"echo": function(Path(sys.argv[1]))}, {}, Logs())
workers("echo", json.dumps({"child": sys.argv[1] + "/pids"}).encode())
"""


def test_no_process_survives_a_parent_that_is_killed(tmp_path: Path) -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(tmp_path)], cwd=ROOT)
    pids = wait_for(lambda: (tmp_path / "pids").exists() and (tmp_path / "pids").read_text().split())
    assert all(map(running, pids))
    parent.kill()
    parent.wait()
    wait_for(lambda: not any(map(running, pids)))


def running(pid: str) -> bool:
    """Whether a process is there and not just waiting to be reaped."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", pid], capture_output=True, text=True, check=False)
    return state.stdout.strip()[:1] not in ("", "Z")


def wait_for(condition: Callable[[], Any], seconds: float = 10) -> Any:
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)
    return found
