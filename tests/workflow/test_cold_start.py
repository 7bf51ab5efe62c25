"""Cold start is a feature: what each function imports before its first event, and how long that takes.

Processor time is measured, against that of `import boto3` in the same run, since these machines are noisy.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SNIPPET = """
import json, sys, time
started = time.process_time()
import {module}
seconds = time.process_time() - started
heavy = [
    "openai", "mcp", "httpx2", "yaml", "jsonschema", "moto", "starlette",
    "dateparser", "fasttext", "vl_convert", "numpy",
]
print(json.dumps([seconds, [name for name in heavy if name in sys.modules]]))
"""
ENVIRONMENT = {
    "AWS_DEFAULT_REGION": "eu-central-1",
    "TURNKEY_TENANTS_TABLE": "t",
    "TURNKEY_CONVERSATIONS_TABLE": "c",
    "TURNKEY_OBJECTS_BUCKET": "o",
    "TURNKEY_TURN_STATE_MACHINE_ARN": "arn",
    "TURNKEY_SECRETS_PREFIX": "turnkey",
    "TURNKEY_MODEL": "m",
    "TURNKEY_SCHEDULE_GROUP": "g",
    "TURNKEY_SCHEDULE_ROLE_ARN": "arn",
    "TURNKEY_WAKE_FUNCTION": "arn",
    "TURNKEY_API_URL": "https://api.example.com",
    "TURNKEY_STDIO_COMMAND": '["true"]',
    "TURNKEY_MODEL_BASE_URL": "https://models.example.com/v1",
}
# Heavy modules each may import at init, and seconds as a multiple of boto3's own.
BUDGETS: dict[str, tuple[set[str], float]] = {
    "webhook": (set(), 3.0),
    "route": (set(), 3.5),
    "tool_loop": (set(), 3.5),
    "draw": (set(), 3.0),
    "assist": (set(), 3.5),
    "browse": ({"httpx2"}, 3.5),
    "wake": (set(), 3.0),
    "download": (set(), 3.0),
    "compose": (set(), 3.75),
    "deliver": ({"httpx2"}, 3.5),
    "apologise": ({"httpx2"}, 3.5),
    "provision": ({"yaml"}, 3.5),
    "refresh": (set(), 3.0),
    "stdio_server": (set(), 1.5),
}


def measure(module: str, folder: Path) -> tuple[float, set[str]]:
    """Best of two, in processes of their own."""
    path = os.pathsep.join([str(folder), str(Path("layers/turnkey").absolute())])
    found: list[tuple[float, set[str]]] = []
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-c", SNIPPET.format(module=module)],
            env={**ENVIRONMENT, "PYTHONPATH": path, "PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            check=True,
        )
        seconds, heavy = json.loads(run.stdout.splitlines()[-1])
        found.append((seconds, set(heavy)))
    return min(found)


ROUNDS = 4
"""Both are measured side by side, again while others on the machine are in the way."""


@pytest.mark.parametrize("function", BUDGETS)
def test_a_function_starts_within_its_budget(function: str) -> None:
    allowed, multiple = BUDGETS[function]
    found: list[float] = []
    while len(found) < ROUNDS and min(found, default=multiple) >= multiple:
        seconds, heavy = measure("app", Path("functions") / function)
        assert heavy <= allowed, f"{function} imports {heavy - allowed} before its first event"
        found.append(seconds / measure("boto3", Path())[0])
    print(f"{function}: {min(found):.2f} times boto3")
    assert min(found) < multiple, f"{', '.join(f'{ratio:.2f}' for ratio in found)} times boto3's own"


def test_every_function_has_a_budget() -> None:
    assert set(BUDGETS) == {path.parent.name for path in Path("functions").glob("*/app.py")}
