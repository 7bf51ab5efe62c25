"""What a tenant has used, by day, and which of its turns are running.

Rows (partition TENANT#<id>#QUOTA, table of conversations):
  DAY#<yyyy-mm-dd>#<shard>  turns, tokens, calls: a day's counters, spread over SHARDS rows
  RUNNING#<place>           holder (a turn's execution name) until held_until; one a turn that may run

Counters change only inside the transaction that opens or ends the turn, so that nothing counts twice. DynamoDB refuses
a transaction on a row that another one is writing: of 50 turns at the same moment (simulated, a row busy for 15 ms)
7 to 10 failed with one row, after six attempts each, and none with 16.
"""

from datetime import date, datetime, timedelta
from typing import Any
from zlib import crc32

from turnkey import ids
from turnkey.store.conversations import LEASE_SECONDS
from turnkey.store.table import ConditionFailed, Table
from turnkey.turn.quota import Usage
from turnkey.values import Value

SHARDS = 16
USAGE_DAYS = 62
_ATTEMPTS = 8
_DAY = 24 * 3600

Write = dict[str, Any]


class DayUsage(Value):
    """Of one day, UTC. `turns_by_shard` is for counting the next turn."""

    day: date
    used: Usage
    turns_by_shard: tuple[int, ...]


class UsageStore:
    def __init__(self, table: str) -> None:
        self._table = Table(table)

    def of_day(self, tenant: str, day: date) -> DayUsage:
        rows = self._table.query(_partition(tenant), f"{_day_key(day)}#")
        turns = dict.fromkeys(range(SHARDS), 0) | {int(row["sk"][-2:]): row.get("turns", 0) for row in rows}
        used = [Usage(**{name: row.get(name, 0) for name in ("turns", "tokens", "calls")}) for row in rows]
        return DayUsage(day=day, used=sum(used, Usage()), turns_by_shard=tuple(turns[n] for n in range(SHARDS)))

    def last_days(self, tenant: str, days: int, today: date) -> tuple[DayUsage, ...]:
        """Oldest first, today last."""
        return tuple(self.of_day(tenant, today - timedelta(days=back)) for back in reversed(range(days)))

    def turn_writes(self, tenant: str, turn: str, day: DayUsage, most: int, now: datetime) -> list[Write]:
        """Writes that count one turn, named by its execution: each alone would do. All fail when the day has `most`
        turns, however many open at the same time: each shard has a fixed share."""
        shares = [most // SHARDS + (shard < most % SHARDS) for shard in range(SHARDS)]
        room = [shard for shard in range(SHARDS) if day.turns_by_shard[shard] < shares[shard]]
        room.sort(key=lambda shard: (shard - _spread(turn)) % SHARDS)
        return [
            self._table.update_write(
                (_partition(tenant), f"{_day_key(day.day)}#{shard:02d}"),
                "SET expires_at = :expires ADD turns :one",
                condition="attribute_not_exists(turns) OR turns < :share",
                values={":one": 1, ":share": shares[shard], ":expires": _end(now)},
            )
            for shard in room
        ]

    def work_write(self, tenant: str, turn: str, day: date, used: Usage, now: datetime) -> Write:
        """The write that counts what a turn used: part of the transaction that ends it."""
        return self._table.update_write(
            (_partition(tenant), f"{_day_key(day)}#{_spread(turn) % SHARDS:02d}"),
            "SET expires_at = :expires ADD tokens :tokens, calls :calls",
            values={":tokens": used.tokens, ":calls": used.calls, ":expires": _end(now)},
        )

    def take_place(self, tenant: str, holder: str, most: int, now: datetime) -> bool:
        """Whether the turn has one of the tenant's places to run in: one it holds already, or a free one. A place whose
        holder died is free when a lease would be."""
        for _ in range(_ATTEMPTS):
            held = self._held(tenant, now)
            if holder in held.values():
                return True
            free = [place for place in range(most) if place not in held]
            if len(held) >= most or not free:
                return False
            if self._take(tenant, free[_spread(holder) % len(free)], holder, now):
                return True
        return False

    def leave_writes(self, tenant: str, holder: str, now: datetime) -> list[Write]:
        """The writes that give the turn's places back: part of the transaction that ends it."""
        # One that is about to run out may be another's by the time this is written.
        held = self._held(tenant, now + timedelta(minutes=1))
        return [
            self._table.update_write(_place_key(tenant, place), "REMOVE holder")
            for place, by in held.items()
            if by == holder
        ]

    def running(self, tenant: str, now: datetime) -> int:
        """Turns that hold a place."""
        return len(self._held(tenant, now))

    def _held(self, tenant: str, now: datetime) -> dict[int, str]:
        """Holder by place."""
        rows = self._table.query(_partition(tenant), "RUNNING#")
        live = [row for row in rows if "holder" in row and row["held_until"] > now.timestamp()]
        return {int(row["sk"].partition("#")[2]): row["holder"] for row in live}

    def _take(self, tenant: str, place: int, holder: str, now: datetime) -> bool:
        seconds = int(now.timestamp())
        until = seconds + LEASE_SECONDS
        try:
            self._table.update(
                _place_key(tenant, place),
                "SET holder = :holder, held_until = :until, expires_at = :expires",
                condition="attribute_not_exists(holder) OR held_until <= :now",
                values={":holder": holder, ":until": until, ":now": seconds, ":expires": until + _DAY},
            )
        except ConditionFailed:
            return False
        return True


def _partition(tenant: str) -> str:
    return ids.partition(tenant, ids.QUOTA)


def _spread(turn: str) -> int:
    """Chosen by the turn's name, not by chance: a stage that is tried again does the same again."""
    return crc32(turn.encode())


def _day_key(day: date) -> str:
    return f"DAY#{day.isoformat()}"


def _place_key(tenant: str, place: int) -> tuple[str, str]:
    return _partition(tenant), f"RUNNING#{place:04d}"


def _end(now: datetime) -> int:
    return int(now.timestamp()) + USAGE_DAYS * _DAY
