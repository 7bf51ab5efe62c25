"""The demo as README promises it, with the real small model."""

import os
import subprocess
import sys
from pathlib import Path

TURNKEY = Path(sys.executable).with_name("turnkey")


def test_the_demo_ends_well_with_the_model_that_comes_with_pip() -> None:
    own = {name: value for name, value in os.environ.items() if name not in ("OPENAI_BASE_URL", "OPENAI_API_KEY")}
    demo = subprocess.run([TURNKEY, "demo"], env=own, capture_output=True, text=True, timeout=300, check=False)
    assert demo.returncode == 0, demo.stdout + demo.stderr
    assert demo.stdout.count("tool       search_books ") == 2
    # "Any others like that?" names no tool and no subject; others than before are shown all the same.
    assert demo.stdout.count("handed     ") == 2
    assert '"offset": 5' in demo.stdout
    assert demo.stdout.count("turn       delivered") == 2
    assert "<tool_call>" not in demo.stdout
