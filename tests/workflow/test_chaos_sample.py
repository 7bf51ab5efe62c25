"""A sample of the chaos suite (`make chaos` tries every point), in a process of its own: there is one moto a process.

Its list of operations also tells whether each function's policy allows what the function really does: moto would allow
anything.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

_OPERATION = re.compile(r" +\d+ (dynamodb|secretsmanager|stepfunctions|s3)\.(\w+) ?(.*)")


@pytest.fixture(scope="module")
def sample() -> subprocess.CompletedProcess[str]:
    """Every 37th point of a booking, of a message that joins and of a chart, and all their operations."""
    command = [sys.executable, "-m", "tests.chaos", "--every", "37", "--scenarios", "3", "--list"]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_a_death_at_any_37th_point_of_a_turn_costs_no_reply_no_booking_and_no_message(
    sample: subprocess.CompletedProcess[str],
) -> None:
    assert sample.returncode == 0, sample.stdout + sample.stderr
    assert sample.stdout.count(" 0 faults") == 3


def test_a_functions_policy_allows_what_the_function_does(sample: subprocess.CompletedProcess[str]) -> None:
    policies = dict(_policies())
    done = set(_needed(sample.stdout))
    assert {function for function, _ in done} == {"Webhook", "Route", "ToolLoop", "Draw", "Compose", "Deliver"}
    assert {(function, action) for function, action in done if action not in policies[function]} == set()


def _needed(listing: str) -> Iterator[tuple[str, str]]:
    """(function, IAM action) of every operation listed."""
    function = ""
    for line in listing.splitlines():
        if re.fullmatch(r"  [A-Z]\w+", line):
            function = line.strip()
        if found := _OPERATION.fullmatch(line):
            service, operation, rows = found.groups()
            if operation == "TransactWriteItems":
                # A row with an attribute behind it is updated, one without is put.
                for row in re.sub(r" \(\d+\)$", "", rows).split(" + "):
                    yield function, f"dynamodb:{'UpdateItem' if ' ' in row else 'PutItem'}"
            else:
                yield function, f"{'states' if service == 'stepfunctions' else service}:{operation}"


def _policies() -> Iterator[tuple[str, set[str]]]:
    template = yaml.load(Path("template.yaml").read_text(), Loader=_CloudFormation)
    for logical_id, resource in template["Resources"].items():
        if resource["Type"] == "AWS::Serverless::Function":
            statements = resource["Properties"]["Policies"][0]["Statement"]
            actions = [statement["Action"] for statement in statements]
            flat = {one for entry in actions for one in ([entry] if isinstance(entry, str) else entry)}
            yield logical_id.removesuffix("Function"), flat


class _CloudFormation(yaml.SafeLoader):
    """Reads past !Ref and its like."""


def _tag(_loader: yaml.SafeLoader, suffix: str, _node: Any) -> str:
    return f"!{suffix}"


_CloudFormation.add_multi_constructor("!", _tag)
