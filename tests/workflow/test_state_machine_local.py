"""The deployed state machine takes the paths it should, with scripted functions in the handlers' place."""

import json
import time
from collections import defaultdict
from itertools import count
from threading import Lock
from typing import Any

import pytest

from local.invocation import Outcome, failure
from local.stack import Stack

_numbers = count(1)


class Script:
    """Plays the functions: each answers with the next of its lines, or with `end`.

    A line is what the function sets `next` to, or, with an exclamation mark, the error it raises.
    """

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._lines: dict[str, list[str]] = defaultdict(list)
        self._lock = Lock()
        self.calls: list[str] = []

    def __call__(self, function_name: str, event: bytes) -> Outcome:
        name = function_name.removeprefix("turnkey-")
        with self._lock:
            self.calls.append(name)
            line = self._lines[name].pop(0) if self._lines[name] else "end"
        if line.startswith("!"):
            return failure(line[1:], "scripted")
        return Outcome(json.dumps({**json.loads(event), "next": line}).encode())

    def run(self, settle_seconds: int = 0, **lines: list[str]) -> dict[str, Any]:
        """One execution with these lines (underscores stand for dashes); returns its description."""
        self._lines.update({name.replace("_", "-"): list(said) for name, said in lines.items()})
        self.calls.clear()
        client = self._stack.client("stepfunctions")
        [machine] = self._stack.deployment.state_machines
        event = json.dumps({"tenant": "t", "settle_seconds": settle_seconds})
        name = f"scripted-{next(_numbers)}"
        arn = client.start_execution(stateMachineArn=machine.arn, name=name, input=event)["executionArn"]
        while (execution := client.describe_execution(executionArn=arn))["status"] == "RUNNING":
            time.sleep(0.01)
        return execution


@pytest.fixture
def script(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> Script:
    script = Script(stack)
    monkeypatch.setattr(stack, "workers", script)
    return script


def test_a_turn_goes_through_its_four_functions_and_hands_on_what_it_got(script: Script) -> None:
    execution = script.run(route=["tool_loop"])
    assert script.calls == ["route", "tool-loop", "compose", "deliver"]
    assert execution["status"] == "SUCCEEDED"
    assert json.loads(execution["output"]) == {"tenant": "t", "settle_seconds": 0, "next": "end"}


def test_the_burst_window_is_waited_for(script: Script) -> None:
    started = time.monotonic()
    script.run(settle_seconds=1)
    assert 1.0 <= time.monotonic() - started < 2.0


def test_nothing_to_do_ends_the_turn_after_route(script: Script) -> None:
    assert script.run(route=["end"])["status"] == "SUCCEEDED"
    assert script.calls == ["route"]


def test_the_tool_loop_is_handed_over_as_often_as_it_asks(script: Script) -> None:
    script.run(route=["tool_loop"], tool_loop=["tool_loop", "tool_loop", "compose"])
    assert script.calls == ["route", *["tool-loop"] * 3, "compose", "deliver"]


def test_compose_can_send_the_turn_back_to_the_tools(script: Script) -> None:
    script.run(route=["tool_loop"], compose=["tool_loop", "deliver"])
    assert script.calls == ["route", "tool-loop", "compose", "tool-loop", "compose", "deliver"]


def test_a_chart_is_drawn_by_a_function_of_its_own_and_the_loop_goes_on(script: Script) -> None:
    script.run(route=["tool_loop"], tool_loop=["draw", "compose"], draw=["tool_loop"])
    assert script.calls == ["route", "tool-loop", "draw", "tool-loop", "compose", "deliver"]


def test_a_message_that_came_meanwhile_opens_the_next_turn(script: Script) -> None:
    script.run(route=["tool_loop", "end"], deliver=["route"])
    assert script.calls == ["route", "tool-loop", "compose", "deliver", "route"]


def test_a_turn_that_lost_its_lease_ends_without_a_word(script: Script) -> None:
    assert script.run(route=["tool_loop"], compose=["!LeaseLost"])["status"] == "SUCCEEDED"
    assert script.calls == ["route", "tool-loop", "compose"]


def test_a_transient_error_is_tried_again(script: Script) -> None:
    assert script.run(route=["!Transient", "!Sandbox.Timedout", "tool_loop"])["status"] == "SUCCEEDED"
    assert script.calls == ["route", "route", "route", "tool-loop", "compose", "deliver"]


def test_an_error_that_does_not_pass_is_tried_four_times_and_apologised_for(script: Script) -> None:
    assert script.run(route=["!Transient"] * 9)["status"] == "SUCCEEDED"
    assert script.calls == [*["route"] * 4, "apologise"]


def test_each_visit_of_a_state_has_its_own_tries(script: Script) -> None:
    script.run(route=["tool_loop"], tool_loop=["!Transient", "!Transient", "tool_loop"] * 3)
    assert script.calls == ["route", *["tool-loop"] * 10, "compose", "deliver"]


@pytest.mark.parametrize("error", ["Permanent", "TenantMisconfigured", "ModelAnswerInvalid", "ReplyRefused"])
def test_an_error_that_cannot_pass_is_apologised_for_at_once(script: Script, error: str) -> None:
    execution = script.run(route=["tool_loop"], tool_loop=[f"!{error}"])
    assert script.calls == ["route", "tool-loop", "apologise"]
    assert execution["status"] == "SUCCEEDED"
    caught = json.loads(execution["output"])["error"]
    assert caught["Error"] == error
    assert json.loads(caught["Cause"])["errorMessage"] == "scripted"


def test_an_apology_opens_the_next_turn_too(script: Script) -> None:
    script.run(route=["!Permanent", "end"], apologise=["route"])
    assert script.calls == ["route", "apologise", "route"]


def test_an_apology_that_fails_is_left_for_the_operator(script: Script) -> None:
    execution = script.run(route=["!Permanent"], apologise=["!Permanent"])
    assert script.calls == ["route", "apologise"]
    assert (execution["status"], execution["error"]) == ("FAILED", "Unanswered")


def test_an_execution_of_one_name_runs_once(stack: Stack, script: Script) -> None:
    client = stack.client("stepfunctions")
    [machine] = stack.deployment.state_machines
    request = {"stateMachineArn": machine.arn, "name": "once", "input": '{"settle_seconds": 0}'}
    first = client.start_execution(**request)["executionArn"]
    try:
        again = client.start_execution(**request)["executionArn"]
    except client.exceptions.ExecutionAlreadyExists:
        again = first  # it was over already
    assert again == first
    while client.describe_execution(executionArn=first)["status"] == "RUNNING":
        time.sleep(0.01)
    assert script.calls == ["route"]
    with pytest.raises(client.exceptions.ExecutionAlreadyExists):
        client.start_execution(**request)
