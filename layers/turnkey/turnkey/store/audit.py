"""Who changed what, and when: names alone, never values. What is written here stays when its tenant is deleted.

Row (TENANT#<id>#AUDIT, <time>#<request>) of the tenants table: json.
"""

from datetime import datetime

from pydantic import Field

from turnkey import ids
from turnkey.store.table import Key, Table
from turnkey.values import Value

MOST_CHANGES = 1000
"""Named in one entry."""


class Entry(Value):
    """One change. `actor` is what the caller says of himself; `request` is the id of the Lambda request, by which
    CloudTrail's Invoke event tells who it really was."""

    at: datetime
    request: str
    action: str
    actor: str = ""
    changes: tuple[str, ...] = ()
    reason: str = ""
    ended: bool = Field(default=False, description="False: begun, and not known to have come to its end")


class AuditStore:
    """Written before the change is made, so that none is without its entry."""

    def __init__(self, table: str) -> None:
        self._table = Table(table)

    def begin(self, tenant: str, entry: Entry) -> None:
        self._put(tenant, entry)

    def end(self, tenant: str, entry: Entry) -> None:
        """With what is known by now of the changes."""
        self._put(tenant, entry.model_copy(update={"ended": True}))

    def entries(self, tenant: str, most: int) -> tuple[Entry, ...]:
        """The newest first."""
        items = self._table.query(ids.partition(tenant, ids.AUDIT), "", newest_first=True, limit=most)
        return tuple(Entry.model_validate_json(item["json"]) for item in items[:most])

    def _put(self, tenant: str, entry: Entry) -> None:
        row = entry.model_copy(update={"changes": _bounded(entry.changes)})
        partition, sort = _key(tenant, entry)
        self._table.put({"pk": partition, "sk": sort, "json": row.model_dump_json()})


def _key(tenant: str, entry: Entry) -> Key:
    # To the microsecond in every case, so that the order of texts is the order of time.
    moment = entry.at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return ids.partition(tenant, ids.AUDIT), f"{moment}#{entry.request}"


def _bounded(changes: tuple[str, ...]) -> tuple[str, ...]:
    more = len(changes) - MOST_CHANGES
    return (*changes[:MOST_CHANGES], f"and {more:,} more") if more > 0 else changes
