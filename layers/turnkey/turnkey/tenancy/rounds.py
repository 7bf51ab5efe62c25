"""The round through the servers of all tenants: those that are due are asked again, the longest due first.

One invocation goes as far as its time allows and keeps the place; the next one goes on from there. None starts another:
the schedule alone does.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from turnkey.store.due import Due, DueStore
from turnkey.telemetry import logger
from turnkey.tenancy.refreshing import NEEDED_SECONDS, Refresher
from turnkey.values import Value

AT_ONCE = 8
"""Tenants worked for at the same time; the servers of one, one after the other."""


class RoundReport(Value):
    """`finished`: the round came to its end, and the next one begins anew."""

    looked_at: int = 0
    failed: int = 0
    finished: bool = False


@dataclass
class _Part:
    """What came of one tenant's servers."""

    looked_at: int = 0
    failed: int = 0
    stopped: bool = False


class Round:
    def __init__(
        self, due: DueStore, refresher: Refresher, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._due = due
        self._refresher = refresher
        self._clock = clock

    def run(self, remaining_seconds: Callable[[], float]) -> RoundReport:
        """Goes on from where the last run stopped, to the end of the table or of the time."""
        parts: list[_Part] = []
        place, finished = self._due.place(), False
        while not finished and remaining_seconds() > NEEDED_SECONDS:
            page = self._due.page(place, self._clock())
            parts += (worked := self._work(page.due, remaining_seconds))
            if any(part.stopped for part in worked):
                # What was done is no longer due: the next run finds the rest of this page.
                break
            place, finished = page.following, page.following is None
            self._due.keep_place(place)
        looked_at, failed = sum(part.looked_at for part in parts), sum(part.failed for part in parts)
        return RoundReport(looked_at=looked_at, failed=failed, finished=finished)

    def _work(self, due: Iterable[Due], remaining_seconds: Callable[[], float]) -> list[_Part]:
        by_tenant: dict[str, list[Due]] = defaultdict(list)
        for entry in sorted(due, key=lambda entry: entry.since):
            by_tenant[entry.tenant].append(entry)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return list(pool.map(partial(self._tenant, remaining_seconds), by_tenant.values()))

    def _tenant(self, remaining_seconds: Callable[[], float], due: list[Due]) -> _Part:
        part = _Part()
        for entry in due:
            if remaining_seconds() < NEEDED_SECONDS:
                part.stopped = True
                break
            try:
                self._refresher.refresh(entry.tenant, entry.server, patient=True)
                part.looked_at += 1
            except Exception as error:
                # Whatever is wrong with one tenant is not the others' trouble. It stays due.
                part.failed += 1
                logger.error(
                    "server not looked at", tenant=entry.tenant, server=entry.server, error=type(error).__name__
                )
        return part
