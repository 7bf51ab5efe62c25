"""Reminders and follow-ups, as rows. What wakes the platform when one is due is in alarms.py.

Rows (partition TENANT#<id>#SCHEDULES, table of conversations):
  <hash of the conversation>#R<number>  a schedule, by its fields
  COUNT#<yyyy-mm-dd>                    made: how many were made that day (UTC)
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from turnkey import ids
from turnkey.errors import TooManySchedules
from turnkey.schedules import Schedule, State, conversation_hash
from turnkey.store.table import ConditionFailed, Item, Table

A_DAY = 2000
"""Schedules that a tenant's customers may make in a day, all together."""
KEPT_DAYS = 30
"""After its time."""
_DAY = 24 * 3600
_AHEAD: tuple[State, ...] = ("making", "waiting")


class ScheduleStore:
    def __init__(self, table: str) -> None:
        self._table = Table(table)

    def find(self, tenant: str, key: str) -> Schedule | None:
        item = self._table.get((_partition(tenant), key))
        return _schedule(item) if item and "kind" in item else None

    def of_conversation(self, tenant: str, connection: str, conversation: str, now: datetime) -> list[Schedule]:
        """Oldest first."""
        prefix = f"{conversation_hash(connection, conversation)}#"
        # The hash is shortened: the whole id decides.
        found = [one for one in self._read(tenant, prefix, now) if one.conversation == conversation]
        return sorted((one for one in found if one.connection == connection), key=lambda one: (one.made_at, one.key))

    def all(self, tenant: str, now: datetime) -> list[Schedule]:
        """Of the whole tenant, by their time."""
        return sorted(self._read(tenant, "", now), key=lambda one: one.at)

    def keys(self, tenant: str) -> list[str]:
        """Of every row that may have an alarm."""
        return [row["sk"] for row in self._table.query(_partition(tenant), "") if "kind" in row]

    def _read(self, tenant: str, prefix: str, now: datetime) -> list[Schedule]:
        rows = self._table.query(_partition(tenant), prefix)
        # DynamoDB deletes late.
        return [_schedule(row) for row in rows if "kind" in row and row["expires_at"] > now.timestamp()]

    def add(self, tenant: str, schedule: Schedule, now: datetime) -> Schedule:
        """The schedule under that key: this one, or the one that was there already. Raises TooManySchedules."""
        day = (_partition(tenant), f"COUNT#{now.date().isoformat()}")
        try:
            self._table.transact(
                self._table.put_write(_row(tenant, schedule), condition="attribute_not_exists(pk)"),
                self._table.update_write(
                    day,
                    "SET expires_at = :expires ADD made :one",
                    condition="attribute_not_exists(made) OR made < :most",
                    values={":one": 1, ":most": A_DAY, ":expires": int(now.timestamp()) + 2 * _DAY},
                ),
            )
        except ConditionFailed as error:
            there = self.find(tenant, schedule.key)
            if there is None:
                raise TooManySchedules(f"tenant {tenant!r}: {A_DAY} schedules were made today") from error
            return there
        return schedule

    def move(
        self, tenant: str, key: str, to: State, *, of: Sequence[State] = _AHEAD, held: str = "", by: str = ""
    ) -> bool:
        """Changes its state if it is one of `of`; False if it is none of them. `by`: the call that changes it."""
        states = {f":of{place}": state for place, state in enumerate(of)}
        try:
            self._table.update(
                (_partition(tenant), key),
                "SET is_now = :to, held = :held" + (", changed_by = :by" if by else ""),
                condition=f"is_now IN ({', '.join(states)})",
                values={":to": to, ":held": held, **states, **({":by": by} if by else {})},
            )
        except ConditionFailed:
            return False
        return True

    def change(self, tenant: str, before: Schedule, after: Schedule) -> bool:
        """Gives it another time or text, if it is still to come and nobody has changed it meanwhile."""
        try:
            self._table.put(
                _row(tenant, after),
                condition="is_now IN (:making, :waiting) AND version = :version AND changed_by = :by",
                values={
                    ":making": "making",
                    ":waiting": "waiting",
                    ":version": before.version,
                    ":by": before.changed_by,
                },
            )
        except ConditionFailed:
            return False
        return True


def _partition(tenant: str) -> str:
    return ids.partition(tenant, ids.SCHEDULES)


def _row(tenant: str, schedule: Schedule) -> Item:
    fields: dict[str, Any] = schedule.model_dump(mode="json", exclude={"key", "state"})
    expires = int(schedule.at.timestamp()) + KEPT_DAYS * _DAY
    # `state` is a reserved word of DynamoDB's expressions.
    return {"pk": _partition(tenant), "sk": schedule.key, "is_now": schedule.state, **fields, "expires_at": expires}


def _schedule(row: Item) -> Schedule:
    fields = {name: row[name] for name in Schedule.model_fields if name in row}
    return Schedule.model_validate({**fields, "key": row["sk"], "state": row["is_now"]})
