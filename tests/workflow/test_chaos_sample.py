"""A sample of the chaos suite (`make chaos` tries every point), in a process of its own: there is one moto a process."""

import subprocess
import sys


def test_a_death_at_any_fifteenth_point_of_a_turn_costs_no_reply_no_booking_and_no_message() -> None:
    command = [sys.executable, "-m", "tests.chaos", "--every", "15", "--scenarios", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 faults" in done.stdout
