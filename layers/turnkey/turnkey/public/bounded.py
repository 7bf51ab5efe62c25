"""Running what reads strangers' data in a process of its own that is ended when its time or memory is used up: neither
lxml nor pypdf can be stopped from within."""

import logging
import os
import resource
import select
import signal
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from turnkey.values import Value

Answer = TypeVar("Answer", bound=Value)
EXTRA_BYTES = 512 * 1024 * 1024
"""Of memory beyond what the process has when it begins."""
_PIECE = 1 << 16
_GOOD, _BAD = b"+", b"-"


class Overrun(Exception):
    """Time or memory is used up, or the process died. The message says which."""


def run(kind: type[Answer], work: Callable[[], Answer], seconds: float) -> Answer:
    """What `work` gives. Raises ValueError as `work` does, and Overrun. The work sees all that this process has and
    changes nothing of it."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # That other threads are not there any more in the new process does no harm to what runs in it.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        os.close(reading)
        _work(writing, work, seconds)
    os.close(writing)
    try:
        said = _read(reading, time.monotonic() + seconds)
    finally:
        os.close(reading)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if said[:1] == _GOOD:
        return kind.model_validate_json(said[1:])
    if said[:1] == _BAD:
        raise ValueError(said[1:].decode())
    raise Overrun("takes more memory to read than is allowed")


def _read(pipe: int, deadline: float) -> bytes:
    """All that comes until the other end is closed. Raises Overrun past the deadline."""
    parts: list[bytes] = []
    while True:
        ready, _, _ = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise Overrun("takes longer to read than is allowed")
        piece = os.read(pipe, _PIECE)
        if not piece:
            return b"".join(parts)
        parts.append(piece)


def _work(pipe: int, work: Callable[[], Value], seconds: float) -> None:
    """In the new process; never returns."""
    try:
        _limit(seconds)
        said = _GOOD + work().model_dump_json().encode("utf-8", "replace")
    except ValueError as error:
        said = _BAD + str(error)[:300].encode("utf-8", "replace")
    except BaseException:
        # Whatever it was, it must not run on as a second copy of the function.
        said = b""
    with suppress(OSError):
        view = memoryview(said)
        while view:
            view = view[os.write(pipe, view) :]
    os._exit(0)


def _limit(seconds: float) -> None:
    logging.disable(logging.CRITICAL)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    whole = int(seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))
    if sys.platform == "linux":
        with open("/proc/self/statm", encoding="ascii") as sizes:
            now = int(sizes.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + EXTRA_BYTES, now + EXTRA_BYTES))
