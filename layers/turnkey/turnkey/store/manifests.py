"""Each tenant's manifest as it was applied: in the tenants table, without a secret's value.

Row (TENANT#<id>#MANIFEST, MANIFEST), compressed.
"""

import gzip
from datetime import datetime

from pydantic import Field

from turnkey import ids
from turnkey.errors import TenantMisconfigured
from turnkey.store.table import Key, Table
from turnkey.store.tenants import MAX_ROW_BYTES
from turnkey.tools import JsonObject
from turnkey.values import Value


class Applied(Value):
    """`secrets` is written before the first secret is, so that none is ever left behind unknown."""

    document: JsonObject | None = Field(default=None, description="None: no manifest was ever applied to its end")
    secrets: tuple[str, ...] = Field(default=(), description="full names of the secrets that there may be")
    at: datetime | None = Field(default=None, description="when the document was applied")


class ManifestStore:
    def __init__(self, table: str) -> None:
        self._table = Table(table)

    def find(self, tenant: str) -> Applied | None:
        item = self._table.get(_key(tenant))
        return Applied.model_validate_json(gzip.decompress(bytes(item["gzip"]))) if item else None

    def put(self, tenant: str, applied: Applied) -> None:
        """Raises TenantMisconfigured for a manifest larger than a row can hold."""
        packed = gzip.compress(applied.model_dump_json().encode(), mtime=0)
        if len(packed) > MAX_ROW_BYTES:
            raise TenantMisconfigured(f"the manifest takes {len(packed):,} bytes, more than a row can hold: shorten it")
        partition, sort = _key(tenant)
        self._table.put({"pk": partition, "sk": sort, "gzip": packed})

    def delete(self, tenant: str) -> None:
        self._table.delete(_key(tenant))


def _key(tenant: str) -> Key:
    return ids.partition(tenant, ids.MANIFEST), "MANIFEST"
