"""The function that runs a stdio server, in a process of its own as on the local stack, with a command of the test's."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local.deployment import Function
from local.logs import Logs
from local.workers import Workers

ROOT = Path(__file__).parents[2]
NAME = "stdio-test"
ARN = f"arn:aws:lambda:us-east-1:123456789012:function:{NAME}"


@dataclass(frozen=True)
class StdioFunction:
    workers: Workers
    logs: Logs
    folder: Path
    """Where the function makes its servers' homes."""

    def invoke(self, arn: str, payload: bytes) -> bytes:
        """As turnkey.store.invoking.FunctionStore has it; a function that fails fails the test."""
        outcome = self.workers(arn.rpartition(":")[2], payload)
        assert not outcome.failed, outcome.payload
        return outcome.payload

    def ask(self, *messages: Mapping[str, Any], settings: Mapping[str, str] | None = None, seconds: float = 10) -> Any:
        """The function's answer, as plain data."""
        event = {"tenant": "t", "settings": settings or {}, "messages": messages, "seconds": seconds}
        return json.loads(self.invoke(ARN, json.dumps(event).encode()))

    @property
    def pids(self) -> list[int]:
        return self.workers.pids(NAME)

    @property
    def homes(self) -> list[str]:
        """Directories that servers were given and that are still there."""
        return os.listdir(self.folder)

    @property
    def log(self) -> str:
        return "\n".join(self.logs.lines(NAME))


@contextmanager
def stdio_function(
    command: Sequence[str], settings: Mapping[str, Mapping[str, Any]] | None = None, *, timeout_seconds: int = 20
) -> Generator[StdioFunction]:
    """`settings` as TURNKEY_STDIO_SETTINGS has them."""
    folder = Path(tempfile.mkdtemp(prefix="homes-"))
    function = Function(
        logical_id="StdioTestFunction",
        name=NAME,
        arn=ARN,
        code_dir=ROOT / "functions" / "stdio_server",
        layer_dirs=(ROOT / "layers" / "turnkey",),
        handler="app.handler",
        timeout_seconds=timeout_seconds,
        memory_mb=512,
        environment={
            "TURNKEY_STDIO_COMMAND": json.dumps(list(command)),
            "TURNKEY_STDIO_SETTINGS": json.dumps(settings or {}),
            "TMPDIR": str(folder),
        },
    )
    logs = Logs()
    workers = Workers({NAME: function}, {}, logs, most_per_function=1)
    try:
        yield StdioFunction(workers, logs, folder)
    finally:
        workers.close()
        shutil.rmtree(folder)


_PREFACE = """
import json, os, signal, subprocess, sys, time

def say(message):
    print(json.dumps(message), flush=True)

def answer(request, result):
    say({"jsonrpc": "2.0", "id": request["id"], "result": result})

def requests():
    for line in sys.stdin:
        message = json.loads(line)
        if "method" in message and "id" in message:
            yield message

exec(os.environ["SCRIPT"])
"""
WRITTEN = (sys.executable, "-u", "-c", _PREFACE)
"""The command of a server that does what its setting "script" says, in Python. The script has `requests()`, `say(message)`
and `answer(request, result)`; one function then serves many tests."""
SCRIPT = {"script": {"environment": "SCRIPT"}}


def is_running(pid: int) -> bool:
    """Whether there is such a process, zombies not counted."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone(pids: Sequence[int], seconds: float = 5) -> bool:
    """True as soon as none of them runs, False when one still does after `seconds`."""
    deadline = time.monotonic() + seconds
    while any(map(is_running, pids)):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
