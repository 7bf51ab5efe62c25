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
    for tool in ("search_books", "check_stock", "get_book"):
        assert f"tool       {tool} " in demo.stdout
    assert demo.stdout.count("turn       delivered") == 3
    assert "<tool_call>" not in demo.stdout
