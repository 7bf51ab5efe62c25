"""What the functions print, kept in memory by function and passed on line by line."""

from collections import deque
from collections.abc import Callable
from threading import Lock

# (function name, line without its end)
LineSink = Callable[[str, str], None]


class Logs:
    """The last `keep` lines of each function. Safe to use from many threads."""

    def __init__(self, sink: LineSink | None = None, keep: int = 5000) -> None:
        """`sink` is called with every line as it comes, from the thread that read it."""
        self._sink = sink
        self._keep = keep
        self._lines: dict[str, deque[str]] = {}
        self._lock = Lock()

    def add(self, function_name: str, line: str) -> None:
        """Keeps one line."""
        with self._lock:
            self._lines.setdefault(function_name, deque(maxlen=self._keep)).append(line)
        if self._sink:
            self._sink(function_name, line)

    def lines(self, function_name: str) -> list[str]:
        """The lines kept for a function, oldest first."""
        with self._lock:
            return list(self._lines.get(function_name, ()))
