"""A sample of the chaos suite (`make chaos` tries every point), in a process of its own: there is one moto a process."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.long


def test_a_death_at_any_37th_point_of_a_turn_costs_no_reply_no_booking_and_no_message() -> None:
    """Of a booking, of a message that joins and of a chart. What a policy does not allow fails it too."""
    command = [sys.executable, "-m", "tests.chaos", "--every", "37", "--scenarios", "3"]
    sample = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert sample.returncode == 0, sample.stdout + sample.stderr
    assert sample.stdout.count(" 0 faults") == 3
