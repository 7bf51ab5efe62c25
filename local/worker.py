"""Runs one function's handler in a process of its own, as Lambda's runtime does. Started by `local.worker_process`.

    python -I -S -u worker.py FD NAME

FD is a socket to the parent; NAME, the function's, is for who looks at the list of processes. Messages are those of
`multiprocessing.connection`. The parent sends the set-up (JSON: `sys_path`, `handler`), then for each invocation its
circumstances (JSON) and the event. This process answers each of them with one letter and JSON: `R` and the handler's
result, or `E` and Lambda's error object; to the set-up, `R null`.

Imports nothing but the standard library: the function must not see more modules than it will in the cloud.
"""

import importlib
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from glob import glob
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from typing import Any

Handler = Callable[[Any, "Context"], Any]


class Context:
    """The object that Lambda hands to a handler beside the event."""

    def __init__(self, request_id: str, arn: str, deadline_ms: int) -> None:
        self.aws_request_id = request_id
        self.invoked_function_arn = arn
        self.function_name = os.environ["AWS_LAMBDA_FUNCTION_NAME"]
        self.function_version = os.environ["AWS_LAMBDA_FUNCTION_VERSION"]
        self.memory_limit_in_mb = os.environ["AWS_LAMBDA_FUNCTION_MEMORY_SIZE"]  # a string in Lambda too
        self.log_group_name = os.environ["AWS_LAMBDA_LOG_GROUP_NAME"]
        self.log_stream_name = os.environ["AWS_LAMBDA_LOG_STREAM_NAME"]
        self.identity = None
        self.client_context = None
        self._deadline_ms = deadline_ms

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until this process is killed."""
        return max(0, self._deadline_ms - int(time.time() * 1000))


class _RuntimeFault(Exception):
    """An error of the runtime's own, reported under Lambda's name for it."""

    def __init__(self, error_type: str, message: str) -> None:
        super().__init__(message)
        self.error_type = error_type


def main() -> None:
    """Loads the handler and answers invocations until the parent goes away."""
    parent = Connection(int(sys.argv[1]))
    os.set_inheritable(parent.fileno(), False)
    inbox: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_receive, args=(parent, inbox), daemon=True).start()
    setup = json.loads(inbox.get())
    sys.path[:] = [*setup["sys_path"][0], *sys.path, *setup["sys_path"][1]]
    if os.environ.get("LOCAL_CLOCK_OFFSET_SECONDS"):
        _shift_clock(float(os.environ["LOCAL_CLOCK_OFFSET_SECONDS"]))
    try:
        handler = _load(setup["handler"])
    except Exception as error:
        parent.send_bytes(_failure(error))
        return
    parent.send_bytes(b"Rnull")
    while True:
        parent.send_bytes(_run(handler, inbox.get(), inbox.get()))


def _shift_clock(seconds: float) -> None:
    """For measurements that are about one day: "on Friday" then means the same Friday whenever they run."""
    travel: Any = importlib.import_module("time_machine").travel
    travel(time.time() + seconds, tick=True).start()


def _receive(parent: Connection, inbox: SimpleQueue[bytes]) -> None:
    """Takes messages as they come, so that the parent's end is noticed even while the handler runs."""
    try:
        while True:
            inbox.put(parent.recv_bytes())
    except (EOFError, OSError):
        # The parent is gone, perhaps killed. Go at once, with everything the handler started.
        kill_session(os.getpgrp())


def kill_session(leader: int) -> None:
    """Kills the leader of a session with its process group, and what the handler put into groups of its own."""
    _kill(_members(leader) - {os.getpid()})
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)
    _kill(_members(leader))


def _members(session: int) -> set[int]:
    """Processes of the session; none where there is no /proc."""
    found: set[int] = set()
    for place in glob("/proc/[0-9]*/stat"):
        with suppress(OSError, ValueError), open(place) as stat:
            # pid (name) state parent group session …; the name may hold anything.
            if int(stat.read().rpartition(")")[2].split()[3]) == session:
                found.add(int(place.split("/")[2]))
    return found


def _kill(pids: set[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _load(name: str) -> Handler:
    module_name, _, attribute = name.rpartition(".")
    try:
        module = importlib.import_module(module_name.replace("/", "."))
    except ImportError as error:
        fault = _RuntimeFault("Runtime.ImportModuleError", f"Unable to import module '{module_name}': {error}")
        raise fault from error
    except SyntaxError as error:
        fault = _RuntimeFault("Runtime.UserCodeSyntaxError", f"Syntax error in module '{module_name}': {error}")
        raise fault from error
    if not hasattr(module, attribute):
        message = f"Handler '{attribute}' missing on module '{module_name}'"
        raise _RuntimeFault("Runtime.HandlerNotFound", message)
    return getattr(module, attribute)


def _run(handler: Handler, circumstances: bytes, event: bytes) -> bytes:
    """One invocation. `SystemExit` is let through: it ends the process, as it does in Lambda."""
    try:
        result = handler(_unmarshal(event), Context(**json.loads(circumstances)))
        return b"R" + _marshal(result)
    except Exception as error:
        return _failure(error)


def _unmarshal(event: bytes) -> Any:
    try:
        return json.loads(event)
    except ValueError as error:
        raise _RuntimeFault("Runtime.UnmarshalError", f"Unable to unmarshal input: {error}") from error


def _marshal(result: Any) -> bytes:
    try:
        return json.dumps(result, ensure_ascii=False).encode()
    except (TypeError, ValueError) as error:
        raise _RuntimeFault("Runtime.MarshalError", f"Unable to marshal response: {error}") from error


def _failure(error: Exception) -> bytes:
    traceback.print_exc()  # Lambda writes it to the function's log as well
    runtime_fault = isinstance(error, _RuntimeFault)
    below_this_file = error.__traceback__.tb_next if error.__traceback__ else None
    report = {
        "errorType": error.error_type if runtime_fault else type(error).__name__,
        "errorMessage": str(error),
        "stackTrace": [] if runtime_fault else traceback.format_tb(below_this_file),
    }
    return b"E" + json.dumps(report).encode()


if __name__ == "__main__":
    main()
