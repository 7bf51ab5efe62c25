"""The parent's side of one `local.worker`: a process that runs one function's handler, one invocation at a time."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing import Pipe
from pathlib import Path
from threading import Thread
from uuid import uuid4

from local.account import CREDENTIALS, REGION
from local.deployment import Function
from local.invocation import Outcome, failure
from local.logs import Logs
from local.worker import kill_session

# Lambda allows ten seconds, on machines that do nothing else at the time.
INIT_SECONDS = 60
_WORKER = Path(__file__).with_name("worker.py")


class WorkerProcess:
    """A handler's process. Not for use by two threads at once, except `kill`."""

    def __init__(self, function: Function, services: Mapping[str, str], logs: Logs) -> None:
        """Starts the process and returns at once; the first invocation waits until its handler is imported.

        `services` is added to the function's environment: where the emulated services are.
        """
        self._function = function
        self._clock_offset = float(services.get("LOCAL_CLOCK_OFFSET_SECONDS", "0"))
        self._ready = False
        self._killed = False
        self._parent, child = Pipe()
        self._process = subprocess.Popen(
            # -I and -S: nothing of this process's paths and settings, not even this package, reaches the handler.
            [sys.executable, "-I", "-S", "-u", str(_WORKER), str(child.fileno()), function.name],
            env=runtime_environment(function, services),
            cwd=function.code_dir,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=[child.fileno()],
            start_new_session=True,
        )
        child.close()
        self._log_reader = Thread(target=self._read_log, args=(logs,), daemon=True)
        self._log_reader.start()
        self._send({"handler": function.handler, "sys_path": _search_path(function)})

    @property
    def pid(self) -> int:
        """The process's id, which is its group's too."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether another invocation can be sent."""
        return self._process.poll() is None

    def invoke(self, event: bytes) -> Outcome:
        """Runs the handler on `event` (JSON). After an outcome that left the process unusable, `alive` is false."""
        if not self._ready:
            outcome = self._receive(time.monotonic() + INIT_SECONDS, "init")
            if outcome.failed:
                self.kill()
                return outcome
            self._ready = True
        request_id, seconds = str(uuid4()), self._function.timeout_seconds
        deadline_ms = int((time.time() + self._clock_offset + seconds) * 1000)  # by the handler's clock
        self._send({"request_id": request_id, "arn": self._function.arn, "deadline_ms": deadline_ms}, event)
        return self._receive(time.monotonic() + seconds, request_id)

    def kill(self) -> None:
        """Ends the process and everything it started, at once."""
        if not self._killed:  # once: later the id may be another's
            self._killed = True
            kill_session(self.pid)
        self._process.wait()
        self._log_reader.join(timeout=1)

    def _send(self, head: Mapping[str, object], *more: bytes) -> None:
        with suppress(OSError):  # if it died, receiving says so
            for message in (json.dumps(head).encode(), *more):
                self._parent.send_bytes(message)

    def _receive(self, deadline: float, request_id: str) -> Outcome:
        try:
            if not self._parent.poll(max(0.0, deadline - time.monotonic())):
                return self._timed_out(request_id)
            answer = self._parent.recv_bytes()
        except (EOFError, OSError):
            return self._died(request_id)
        return Outcome(answer[1:], failed=answer[:1] == b"E")

    def _timed_out(self, request_id: str) -> Outcome:
        self.kill()
        seconds = self._function.timeout_seconds if request_id != "init" else INIT_SECONDS
        message = f"RequestId: {request_id} Error: Task timed out after {seconds:.2f} seconds"
        return failure("Sandbox.Timedout", message)

    def _died(self, request_id: str) -> Outcome:
        self.kill()
        code = self._process.returncode
        how = f"signal: {(signal.strsignal(-code) or '').lower()}" if code < 0 else f"exit status {code}"
        return failure("Runtime.ExitError", f"RequestId: {request_id} Error: Runtime exited with error: {how}")

    def _read_log(self, logs: Logs) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                logs.add(self._function.name, line.decode(errors="replace").rstrip("\n"))


def runtime_environment(function: Function, services: Mapping[str, str]) -> dict[str, str]:
    """All the environment that a function gets: its own from the template, and what Lambda adds."""
    return {
        **function.environment,
        **CREDENTIALS,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(function.memory_mb),
        "AWS_LAMBDA_FUNCTION_NAME": function.name,
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "AWS_LAMBDA_LOG_GROUP_NAME": f"/aws/lambda/{function.name}",
        "AWS_LAMBDA_LOG_STREAM_NAME": "local",
        "AWS_REGION": REGION,
        "AWS_XRAY_SDK_ENABLED": "false",
        "HOME": "/tmp",
        "LAMBDA_TASK_ROOT": str(function.code_dir),
        "LANG": "C.UTF-8",
        "PATH": os.environ.get("PATH", os.defpath),
        "POWERTOOLS_TRACE_DISABLED": "true",
        "TZ": "UTC",
        "_HANDLER": function.handler,
        **services,
    }


def _search_path(function: Function) -> tuple[list[str], list[str]]:
    """What comes before and after the standard library in the handler's search path: its code and layers, and the
    installed packages, which stand for the dependency layers."""
    own = [str(path) for path in (function.code_dir, *function.layer_dirs)]
    return own, [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
