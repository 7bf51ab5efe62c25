"""Keeps a dead server from eating every turn's time: after failures in a row it is left alone for a while.

Powertools' circuit breaker wraps functions that are not async, and shares its state in a table that the tool loop would
need to write for every tenant (docs/decisions/0006-a-breaker-in-warm-memory.md).
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

FAILURES = 3
"""In a row, before a server is left alone."""
PAUSE_SECONDS = 30.0


@dataclass
class _Circuit:
    failures: int = 0
    closed_until: float = 0.0


class Breaker:
    """By key; a key holds the tenant, so no tenant's server speaks for another's."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._circuits: dict[str, _Circuit] = {}

    def allows(self, key: str) -> bool:
        """False while the server is left alone. After the pause one failure is enough to leave it alone again."""
        circuit = self._circuits.get(key)
        return circuit is None or self._clock() >= circuit.closed_until

    def succeeded(self, key: str) -> None:
        self._circuits.pop(key, None)

    def failed(self, key: str) -> None:
        circuit = self._circuits.setdefault(key, _Circuit())
        circuit.failures += 1
        if circuit.failures >= FAILURES:
            circuit.closed_until = self._clock() + PAUSE_SECONDS
