"""Ten thousand tenants and 500 tools cost a turn's routing no more than ten tenants and five."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.support.scale import QUESTIONS, RUNS, WORLDS

pytestmark = pytest.mark.long

MORE = 1.2
"""How much longer it may take, in the same run."""


@pytest.fixture(scope="module")
def measured() -> dict[str, Any]:
    """In a process of its own: moto's backend there is no other test's."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.support.scale"],
        env={**os.environ, "POWERTOOLS_LOG_LEVEL": "CRITICAL"},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(run.stdout.splitlines()[-1])


@pytest.mark.parametrize("question", QUESTIONS)
def test_routing_reads_no_more_items_however_many_tenants_and_tools_there_are(
    measured: dict[str, Any], question: str
) -> None:
    small, large = (measured[question][world]["items"] for world in ("small", "large"))
    assert large == small


def test_the_first_routing_of_a_process_reads_no_more_items_either(measured: dict[str, Any]) -> None:
    assert measured["first"]["large"]["items"] == measured["first"]["small"]["items"]


@pytest.mark.parametrize("question", QUESTIONS)
def test_routing_takes_no_longer_however_many_tenants_and_tools_there_are(
    measured: dict[str, Any], question: str
) -> None:
    small, large = (measured[question][world]["processor"] for world in ("small", "large"))
    assert large < MORE * small, measured


def test_only_what_is_suspected_costs_a_small_call(measured: dict[str, Any]) -> None:
    assert measured["small calls"] == len(WORLDS) * (RUNS + 1)
