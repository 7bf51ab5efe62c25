"""Wherever a process dies in a turn, the customer gets one reply and one booking, and no message is lost."""

from collections.abc import Iterator

import pytest

from tests.chaos import scenarios
from tests.chaos.bench import Bench
from tests.chaos.report import operations_of, table
from tests.chaos.scenarios import Scenario
from tests.chaos.survey import survey


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with Bench() as running:
        yield running


@pytest.mark.parametrize("scenario", scenarios.ALL, ids=lambda scenario: scenario.name.replace(" ", "_"))
def test_a_death_at_any_point_costs_no_reply_no_booking_and_no_message(
    bench: Bench, scenario: Scenario, capsys: pytest.CaptureFixture[str]
) -> None:
    done = survey(bench, scenario)
    with capsys.disabled():
        print(f"\n{operations_of(done.operations)}\n{table(done)}")
    assert len(done.played) == len(done.points)
    assert not done.faults
    assert not bench.denials
