"""Ending what a server started, all of it, and keeping the function's own environment from it. Linux's means where they
are there; elsewhere the process group alone."""

import ctypes
import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

ROUNDS = 50
PAUSE_SECONDS = 0.02
_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36


def prepare() -> None:
    """Once a process, before the first server: orphans of its servers become its own children, and its environment can
    be read by no other process of the same user (proc(5), prctl(2)); by one with root's rights it still can."""
    with suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def children() -> set[int]:
    """Of this process."""
    return _children_of({os.getpid()})


def end(process: "subprocess.Popen[bytes]", before: set[int]) -> None:
    """Kills the process, its group, and every child that this process did not have `before`, with theirs. Raises
    RuntimeError if one is left, which SIGKILL leaves only while the kernel itself holds it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    left = _descendants(children() - before)
    for _ in range(ROUNDS):
        if not left:
            return
        for pid in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        _reap(left)
        time.sleep(PAUSE_SECONDS)
        left = _descendants(children() - before)
    raise RuntimeError(f"processes {sorted(left)} of a stdio server are still there")


def _reap(pids: set[int]) -> None:
    for pid in pids:
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def _descendants(pids: set[int]) -> set[int]:
    found, layer = set(pids), set(pids)
    while layer:
        layer = _children_of(layer) - found
        found |= layer
    return found


def _children_of(parents: set[int]) -> set[int]:
    found: set[int] = set()
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError):
            # pid (name) state parent …; the name may hold anything.
            if int(place.read_text().rpartition(")")[2].split()[1]) in parents:
                found.add(int(place.parent.name))
    return found
