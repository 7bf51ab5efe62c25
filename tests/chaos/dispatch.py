"""Lambda's place: runs each invocation in a process of its own, which the run's fuse may kill."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock
from typing import Any
from uuid import uuid4

from local.deployment import Deployment, Function
from local.invocation import Outcome, UnknownFunction, failure
from local.worker_process import runtime_environment
from tests.chaos.forker import Job
from tests.chaos.points import Point


@dataclass(frozen=True)
class Run:
    """One conversation: where it is logged, and where a process of it dies, if at all."""

    conversation: str
    folder: Path
    point: Point | None = None

    @property
    def log(self) -> Path:
        return self.folder / f"{self.conversation}.jsonl"

    @property
    def output(self) -> Path:
        """What the functions wrote."""
        return self.folder / f"{self.conversation}.out"


class Forks(AbstractContextManager["Forks"]):
    """A `Dispatch`. Invocations are told apart by their conversation; those of an unknown one go by no fuse."""

    def __init__(
        self, deployment: Deployment, folder: Path, credentials: Callable[[Function], Mapping[str, str]]
    ) -> None:
        """`credentials` gives the variables with which a function signs its requests."""
        self._deployment = deployment
        self._credentials = credentials
        self._nobody = Run("nobody", folder)
        self._runs: dict[str, Run] = {}
        self._failures: dict[str, list[str]] = {}
        self._lock = Lock()
        self.services: Mapping[str, str] = {}
        """Added to every function's environment; to be set before the first invocation."""

    def __enter__(self) -> "Forks":
        self._control, other = socket.socketpair()
        with other:
            command = [sys.executable, "-m", "tests.chaos.forker", str(other.fileno())]
            paths = os.pathsep.join(path for path in sys.path if path)
            environment = {"PYTHONPATH": paths, "PATH": os.environ.get("PATH", os.defpath)}
            self._forker = subprocess.Popen(command, pass_fds=[other.fileno()], env=environment)
        return self

    def __exit__(self, *_: object) -> None:
        self._control.close()
        self._forker.wait(timeout=10)

    def add(self, run: Run) -> None:
        """Before the run's first invocation."""
        self._failures[run.conversation] = []
        self._runs[run.conversation] = run

    def failures(self, run: Run) -> list[str]:
        """Error types of the run's invocations that failed, in order."""
        return self._failures[run.conversation]

    def __call__(self, function_name: str, event: bytes) -> Outcome:
        function = self._deployment.functions.get(function_name)
        if function is None:
            raise UnknownFunction(function_name)
        run = self._runs.get(conversation_of(json.loads(event)), self._nobody)
        ours, childs = socket.socketpair()
        with Connection(ours.detach()) as answers:
            with childs, self._lock:
                socket.send_fds(self._control, [b"1"], [childs.fileno()])
            outcome = _ask(answers, self._job(function, event, run), function.timeout_seconds)
        if outcome.failed and run is not self._nobody:
            self._failures[run.conversation].append(json.loads(outcome.payload)["errorType"])
        return outcome

    def _job(self, function: Function, event: bytes, run: Run) -> Job:
        operation = run.point.operation if run.point else None
        deadline_ms = int((time.time() + function.timeout_seconds) * 1000)
        return {
            "function": function.logical_id.removesuffix("Function"),
            "handler": function.handler,
            "code_dir": str(function.code_dir),
            "search_path": [str(path) for path in (function.code_dir, *function.layer_dirs)],
            "environment": runtime_environment(function, {**self.services, **self._credentials(function)}),
            "circumstances": {"request_id": str(uuid4()), "arn": function.arn, "deadline_ms": deadline_ms},
            "event": event.decode(),
            "output": str(run.output),
            "log": str(run.log) if run is not self._nobody else "",
            "point": ((operation.function, operation.name, operation.occurrence), run.point.when)
            if operation and run.point
            else None,
        }


def conversation_of(event: Mapping[str, Any]) -> str:
    """From the event of a webhook or of a state of the machine; nothing for others."""
    if "requestContext" not in event:
        return str(event.get("conversation", ""))
    return str(json.loads(event["body"])["data"]["conversation_id"])


def _ask(answers: Connection, job: Job, seconds: float) -> Outcome:
    try:
        answers.send_bytes(json.dumps(job).encode())
        if not answers.poll(seconds):
            return failure("Sandbox.Timedout", f"Task timed out after {seconds:.2f} seconds")
        answer = answers.recv_bytes()
    except (EOFError, OSError):
        return failure("Runtime.ExitError", "Error: Runtime exited with error: exit status 137")
    return Outcome(answer[1:], failed=answer[:1] == b"E")
