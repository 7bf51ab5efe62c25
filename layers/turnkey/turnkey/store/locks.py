"""One change of a tenant at a time.

A row with an end, not a version that is checked: a change writes rows, secrets and objects over seconds, and no
transaction spans them. A version would tell that two had met when both had written; the lock keeps the second from
beginning. It ends when its holder's function must have ended, so one that died holds nothing up for longer.

Row (TENANT#<id>#LOCKS, PROVISION): holder, held_until (seconds), held_for.
"""

from collections.abc import Generator
from contextlib import contextmanager, suppress

from turnkey import ids
from turnkey.errors import TurnkeyError
from turnkey.store.table import ConditionFailed, Key, Table

SORT_KEY = "PROVISION"


class Busy(TurnkeyError):
    """Another change of the tenant is under way."""


class LockStore:
    def __init__(self, table: str) -> None:
        self._table = Table(table)

    @contextmanager
    def held(self, tenant: str, what: str, holder: str, now: float, until: float) -> Generator[None]:
        """Holds the tenant for its duration, `until` (seconds since the epoch) at the longest. Raises Busy."""
        self._take(tenant, what, holder, int(now), int(until))
        try:
            yield
        finally:
            self._release(tenant, holder)

    def _take(self, tenant: str, what: str, holder: str, now: int, until: int) -> None:
        try:
            self._table.update(
                _key(tenant),
                "SET holder = :holder, held_until = :until, held_for = :what, expires_at = :until",
                condition="attribute_not_exists(held_until) OR held_until < :now",
                values={":holder": holder, ":until": until, ":what": what, ":now": now},
            )
        except ConditionFailed as error:
            row = error.item or {}
            seconds = max(1, row.get("held_until", now) - now)
            raise Busy(
                f"tenant {tenant!r} is being changed by another request ({row.get('held_for', 'unknown')}): "
                f"try again once it has ended, in {seconds} s at the latest"
            ) from error

    def _release(self, tenant: str, holder: str) -> None:
        # Ours may have ended by time, and another's begun.
        with suppress(ConditionFailed):
            self._table.delete(_key(tenant), condition="holder = :holder", values={":holder": holder})


def _key(tenant: str) -> Key:
    return ids.partition(tenant, ids.LOCKS), SORT_KEY
