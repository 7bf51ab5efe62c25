"""Runs the functions on this machine, each in processes of its own, warm ones used again: a `Dispatch`."""

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from local.account import CREDENTIALS
from local.deployment import Function
from local.invocation import PAYLOAD_LIMIT_BYTES, Outcome, UnknownFunction, failure
from local.logs import Logs
from local.worker_process import WorkerProcess

# When a test wants a process to die: before the handler sees the event, after it is done but before anyone hears of
# it, or so many seconds into its run.
KillTime = Literal["before", "after"] | float


class Workers:
    """The functions' processes. Call it with a name and an event (JSON); safe from many threads."""

    def __init__(
        self,
        functions: Mapping[str, Function],
        services: Mapping[str, str],
        logs: Logs,
        most_per_function: int = 4,
        credentials: Callable[[Function], Mapping[str, str]] = lambda _: CREDENTIALS,
    ) -> None:
        """`services` is added to every function's environment, and the variables of its `credentials`. An invocation
        that finds `most_per_function` processes busy waits for one of them."""
        self._pools = {
            name: _Pool(function, {**services, **credentials(function)}, logs, most_per_function)
            for name, function in functions.items()
        }

    def __call__(self, function_name: str, event: bytes) -> Outcome:
        """Runs the function. Raises `UnknownFunction`."""
        outcome = self._pool(function_name).invoke(event)
        if len(outcome.payload) > PAYLOAD_LIMIT_BYTES:
            message = f"Response payload size exceeded maximum allowed payload size ({PAYLOAD_LIMIT_BYTES} bytes)."
            return failure("Function.ResponseSizeTooLarge", message)
        return outcome

    def prewarm(self, function_names: Iterable[str]) -> None:
        """Starts one process of each and returns; they import their handlers meanwhile."""
        for name in function_names:
            self._pool(name).prewarm()

    def pids(self, function_name: str) -> list[int]:
        """The function's processes, busy and idle."""
        return self._pool(function_name).pids()

    def kill_next(self, function_name: str, when: KillTime = "before") -> None:
        """For tests: the process that takes the function's next invocation dies at that time, once."""
        self._pool(function_name).kill_next(when)

    def close(self) -> None:
        """Kills every process. Invocations under way end as `Runtime.ExitError`."""
        for pool in self._pools.values():
            pool.close()

    def _pool(self, function_name: str) -> "_Pool":
        if function_name not in self._pools:
            raise UnknownFunction(f"{function_name}: no such function. There are {', '.join(self._pools)}.")
        return self._pools[function_name]


class _Pool:
    """One function's processes."""

    def __init__(self, function: Function, services: Mapping[str, str], logs: Logs, most: int) -> None:
        self._start = lambda: WorkerProcess(function, services, logs)
        self._most = most
        self._idle: list[WorkerProcess] = []
        self._busy: set[WorkerProcess] = set()
        self._changed = threading.Condition()
        self._closed = False
        self._fuses: list[KillTime] = []

    def invoke(self, event: bytes) -> Outcome:
        worker = self._acquire()
        if worker is None:
            return failure("Runtime.ExitError", "The stack is stopping.")
        try:
            fuse = self._take_fuse()
            return worker.invoke(event) if fuse is None else _burn(worker, event, fuse)
        finally:
            self._release(worker)

    def kill_next(self, when: KillTime) -> None:
        with self._changed:
            self._fuses.append(when)

    def prewarm(self) -> None:
        with self._changed:
            if not self._idle and not self._busy and not self._closed:
                self._idle.append(self._start())

    def pids(self) -> list[int]:
        with self._changed:
            return [worker.pid for worker in (*self._busy, *self._idle)]

    def close(self) -> None:
        with self._changed:
            self._closed = True
            for worker in (*self._idle, *self._busy):
                worker.kill()
            self._changed.notify_all()

    def _acquire(self) -> WorkerProcess | None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._idle or len(self._busy) < self._most)
            if self._closed:
                return None
            worker = next((warm for warm in iter(self._take_idle, None) if warm.alive), None) or self._start()
            self._busy.add(worker)
            return worker

    def _take_fuse(self) -> KillTime | None:
        with self._changed:
            return self._fuses.pop(0) if self._fuses else None

    def _take_idle(self) -> WorkerProcess | None:
        return self._idle.pop() if self._idle else None

    def _release(self, worker: WorkerProcess) -> None:
        with self._changed:
            self._busy.discard(worker)
            if worker.alive and not self._closed:
                self._idle.append(worker)
            self._changed.notify()


def _burn(worker: WorkerProcess, event: bytes, when: KillTime) -> Outcome:
    """An invocation whose process is killed on the way."""
    if when == "after":
        worker.invoke(event)
    if when in ("before", "after"):
        worker.kill()
        return worker.invoke(event)  # comes out as any invocation of a process that died
    timer = threading.Timer(float(when), worker.kill)
    timer.start()
    try:
        return worker.invoke(event)
    finally:
        timer.cancel()
