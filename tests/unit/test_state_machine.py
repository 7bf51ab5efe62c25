"""The state machine's own promises, and that the check which keeps them can fail."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from local.state_machine_check import problems
from turnkey import errors
from turnkey.store.conversations import LEASE_SECONDS

MACHINE: dict[str, Any] = yaml.safe_load(Path("functions/turn.asl.yaml").read_text())
TASKS = {name: state for name, state in MACHINE["States"].items() if state["Type"] == "Task"}


def test_the_deployed_machine_has_no_problems() -> None:
    assert problems(MACHINE) == []


def task(**changes: Any) -> dict[str, Any]:
    whole = {
        "Type": "Task",
        "TimeoutSeconds": 1,
        "Retry": [{"ErrorEquals": ["States.ALL"]}],
        "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "End"}],
        "Next": "End",
    }
    return {field: value for field, value in {**whole, **changes}.items() if value is not None}


@pytest.mark.parametrize(
    ("state", "problem"),
    [
        (task(Next="Nowhere"), "Work leads to 'Nowhere', which is no state"),
        (task(Retry=None), "Work has no Retry"),
        (task(Catch=None), "Work has no Catch"),
        (task(TimeoutSeconds=None), "Work has no TimeoutSeconds"),
        (
            task(Catch=[{"ErrorEquals": ["Permanent"], "Next": "End"}]),
            "Work does not catch every error: its last Catch must match States.ALL",
        ),
    ],
)
def test_the_check_finds_what_is_wrong(state: dict[str, Any], problem: str) -> None:
    machine = {"StartAt": "Work", "States": {"Work": state, "End": {"Type": "Succeed"}}}
    assert problem in problems(machine)


def test_the_check_finds_a_state_that_nothing_leads_to() -> None:
    machine = {"StartAt": "End", "States": {"End": {"Type": "Succeed"}, "Lost": {"Type": "Succeed"}}}
    assert problems(machine) == ["Lost cannot be reached"]


def test_no_permanent_error_is_retried() -> None:
    """Error names are matched exactly: a subclass that is not listed would be retried in vain."""

    def below(kind: type[Exception]) -> set[str]:
        return {kind.__name__}.union(*(below(child) for child in kind.__subclasses__()))

    permanent = {name for name in below(errors.Permanent) if hasattr(errors, name)}
    for name, state in TASKS.items():
        (never,) = [retry for retry in state["Retry"] if retry["MaxAttempts"] == 0]
        assert permanent | {"LeaseLost"} == set(never["ErrorEquals"]), name


def test_a_turn_waits_for_a_place_longer_than_for_anything_else() -> None:
    """Its retries stand first, or those for every error would be used up on it."""
    waiting, *others = TASKS["Route"]["Retry"]
    assert waiting["ErrorEquals"] == [errors.TooManyTurns.__name__]
    # On average, with full jitter, half of each pause.
    assert 300 < waiting["MaxAttempts"] * waiting["MaxDelaySeconds"] / 2 < LEASE_SECONDS
    assert all(state["Retry"] == others for name, state in TASKS.items() if name != "Route")


def test_a_lease_outlasts_the_longest_execution_of_one_turn() -> None:
    """Every task at its timeout, at every attempt, with the longest waits in between. A turn that waits for a place
    takes the lease anew at each attempt, so that of its waiting the last pause alone counts."""
    seconds = 30.0  # Settle, at most
    waiting = TASKS["Route"]["Retry"][0]
    seconds += waiting["MaxDelaySeconds"] + TASKS["Route"]["TimeoutSeconds"]
    for state in TASKS.values():
        retry = state["Retry"][-1]
        seconds += (retry["MaxAttempts"] + 1) * state["TimeoutSeconds"] + retry["MaxAttempts"] * retry[
            "MaxDelaySeconds"
        ]
    assert seconds < LEASE_SECONDS


def test_a_function_ends_before_the_state_machine_gives_up_on_it() -> None:
    """Otherwise two runs of one step could overlap."""
    template = yaml.load(Path("template.yaml").read_text(), Loader=_CloudFormation)
    for state in TASKS.values():
        function = state["Parameters"]["FunctionName"].removeprefix("${").removesuffix("Arn}")
        assert template["Resources"][function]["Properties"]["Timeout"] < state["TimeoutSeconds"]


class _CloudFormation(yaml.SafeLoader):
    """Reads past !Ref and its like."""


_CloudFormation.add_multi_constructor("!", lambda loader, suffix, node: f"!{suffix}")


# What each stage may answer beside its Default (turnkey.turn.reference.Stage).
ANSWERS = {
    "AfterRoute": {"route", "tool_loop", "deliver"},
    "AfterToolLoop": {"tool_loop", "draw", "assist", "browse"},
    "AfterCompose": {"tool_loop"},
    "AfterDeliver": {"route"},
}


def test_whatever_a_stage_answers_leads_on() -> None:
    """A turn that closes in Route hands over to the messages that came meanwhile: lost, they would wait for an hour."""
    choices = {name: state for name, state in MACHINE["States"].items() if state["Type"] == "Choice"}
    led = {name: {rule["StringEquals"]: rule["Next"] for rule in state["Choices"]} for name, state in choices.items()}
    assert {name: set(found) for name, found in led.items()} == ANSWERS
    for found in led.values():
        assert found == {stage: stage.title().replace("_", "") for stage in found}
