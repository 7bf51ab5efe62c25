"""Hand-overs to people, and whose each conversation is.

Rows (partition TENANT#<id>#PEOPLE, table of conversations):
  <handover id>   json (a Handover as it began), told_at, and once it is over returned_at and note
The conversation's STATE row (conversations.py) has standing_person while the hand-over is open, and standing_returned,
the id of the one that was given back last. Both rows change together.
"""

from datetime import datetime
from typing import Any, Literal

from turnkey import ids
from turnkey.people.handover import Handover
from turnkey.store.conversations import MESSAGE_DAYS, STATE_DAYS
from turnkey.store.table import ConditionFailed, Item, Key, Table

_DAY = 24 * 3600

_NOBODYS = "(attribute_not_exists(standing_person) OR standing_person = :no)"

Opened = Literal["opened", "known", "owned", "unknown"]


class PeopleStore:
    def __init__(self, table: str) -> None:
        self._table = Table(table)

    def open(self, tenant: str, handover: Handover) -> Opened:
        """Marks the conversation as the person's, once for each id: "known" where this hand-over was opened before,
        whatever has become of it; "owned" where another one holds the conversation; "unknown" where there is no such
        conversation. In all three nothing is written."""
        row = {
            "pk": ids.partition(tenant, ids.PEOPLE),
            "sk": handover.id,
            "json": handover.model_dump_json(),
            "expires_at": _end(handover.since, STATE_DAYS),
            **({"told_at": handover.told_at.isoformat()} if handover.told_at else {}),
        }
        state = _state_key(tenant, handover)
        try:
            self._table.transact(
                self._table.put_write(row, condition="attribute_not_exists(pk)"),
                self._table.update_write(
                    state,
                    "SET standing_person = :id",
                    condition=f"attribute_exists(pk) AND {_NOBODYS}",
                    values={":id": handover.id, ":no": ""},
                ),
            )
        except ConditionFailed as error:
            if 0 in error.failed:
                return "known"
            return "owned" if self._table.get(state) else "unknown"
        return "opened"

    def find(self, tenant: str, handover: str) -> Handover | None:
        row = self._table.get(_key(tenant, handover))
        return _read(row) if row else None

    def told(self, tenant: str, handover: str, now: datetime) -> None:
        """The person has been told."""
        self._table.update(
            _key(tenant, handover),
            "SET told_at = if_not_exists(told_at, :at)",
            condition="attribute_exists(pk)",
            values={":at": now.isoformat()},
        )

    def give_back(self, tenant: str, handover: Handover, note: str, now: datetime) -> bool:
        """The agent answers again. False where the hand-over was given back before: then nothing changes, the note
        included."""
        try:
            self._table.transact(
                self._table.update_write(
                    _key(tenant, handover.id),
                    "SET returned_at = :at, note = :note, expires_at = :end",
                    condition="attribute_exists(pk) AND attribute_not_exists(returned_at)",
                    values={":at": now.isoformat(), ":note": note, ":end": _end(now, MESSAGE_DAYS)},
                ),
                self._table.update_write(
                    _state_key(tenant, handover),
                    "SET standing_person = :no, standing_returned = :id",
                    condition="standing_person = :id",
                    values={":no": "", ":id": handover.id},
                ),
            )
        except ConditionFailed:
            return False
        return True

    def all(self, tenant: str) -> tuple[Handover, ...]:
        """Those that are open and those given back in the last month, the newest first."""
        found = [_read(row) for row in self._table.query(ids.partition(tenant, ids.PEOPLE), "")]
        return tuple(sorted(found, key=lambda handover: handover.since, reverse=True))


def _key(tenant: str, handover: str) -> Key:
    return ids.partition(tenant, ids.PEOPLE), handover


def _state_key(tenant: str, handover: Handover) -> Key:
    return ids.conversation_key(tenant, handover.connection, handover.conversation), "STATE"


def _read(row: Item) -> Handover:
    began = Handover.model_validate_json(row["json"])
    since: dict[str, Any] = {name: row[name] for name in ("told_at", "returned_at", "note") if name in row}
    return Handover.model_validate({**began.model_dump(), **since})


def _end(moment: datetime, days: int) -> int:
    return int(moment.timestamp()) + days * _DAY
