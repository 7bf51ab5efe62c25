"""How far the deletion of a tenant is: it may take more than one run of a function.

Row (TENANT#<id>#LOCKS, DELETION): json. While it is there, the tenant can only be deleted.
"""

from datetime import datetime

from turnkey import ids
from turnkey.store.audit import Entry
from turnkey.store.table import Key, Table
from turnkey.values import Value

SORT_KEY = "DELETION"


class Deletion(Value):
    """`removed` counts by kind, over all runs; `entry` is that of the audit log."""

    closed_at: datetime
    entry: Entry
    removed: dict[str, int] = {}

    def with_removed(self, kind: str, count: int) -> "Deletion":
        return self.model_copy(update={"removed": {**self.removed, kind: self.removed.get(kind, 0) + count}})


class DeletionStore:
    def __init__(self, table: str) -> None:
        self._table = Table(table)

    def find(self, tenant: str) -> Deletion | None:
        item = self._table.get(_key(tenant))
        return Deletion.model_validate_json(item["json"]) if item else None

    def put(self, tenant: str, deletion: Deletion) -> None:
        partition, sort = _key(tenant)
        self._table.put({"pk": partition, "sk": sort, "json": deletion.model_dump_json()})

    def delete(self, tenant: str) -> None:
        self._table.delete(_key(tenant))


def _key(tenant: str) -> Key:
    return ids.partition(tenant, ids.LOCKS), SORT_KEY
