"""Each tenant's manifest as it was applied: in the tenants table, without a secret's value.

Partition TENANT#<id>#MANIFEST, compressed:
  MANIFEST                     all of it; or, where a row does not hold it, which version's parts it is in
  MANIFEST#<version>#<part>    as many parts as it takes: skills come with all their files
"""

import gzip
import secrets
from datetime import datetime

from pydantic import Field

from turnkey import ids
from turnkey.errors import TenantMisconfigured, Transient
from turnkey.store.table import Item, Key, Table
from turnkey.store.tenants import MAX_ROW_BYTES
from turnkey.tools import JsonObject
from turnkey.values import Value

MAX_PARTS = 16
"""6 MB: more than a Lambda function takes in one request."""
_TRIES = 5


class Applied(Value):
    """`secrets` is written before the first secret is, so that none is ever left behind unknown."""

    document: JsonObject | None = Field(default=None, description="None: no manifest was ever applied to its end")
    secrets: tuple[str, ...] = Field(default=(), description="full names of the secrets that there may be")
    at: datetime | None = Field(default=None, description="when the document was applied")


class ManifestStore:
    def __init__(self, table: str) -> None:
        self._table = Table(table)

    def find(self, tenant: str) -> Applied | None:
        """Raises Transient where it is being replaced over and over."""
        for _ in range(_TRIES):
            item = self._table.get(_key(tenant))
            if item is None:
                return None
            packed = self._packed(tenant, item)
            if packed is not None:
                return Applied.model_validate_json(gzip.decompress(packed))
        raise Transient(f"the manifest of tenant {tenant!r} is being replaced: try again")

    def _packed(self, tenant: str, head: Item) -> bytes | None:
        """None where another version has come in its place."""
        if "gzip" in head:
            return bytes(head["gzip"])
        keys = [_part_key(tenant, head["version"], part) for part in range(head["parts"])]
        rows = self._table.get_many(keys)
        return b"".join(bytes(rows[key]["gzip"]) for key in keys) if len(rows) == len(keys) else None

    def put(self, tenant: str, applied: Applied) -> None:
        """Raises TenantMisconfigured for a manifest larger than is kept."""
        packed = gzip.compress(applied.model_dump_json().encode(), mtime=0)
        parts = [packed[start : start + MAX_ROW_BYTES] for start in range(0, len(packed), MAX_ROW_BYTES)]
        if len(parts) > MAX_PARTS:
            raise TenantMisconfigured(f"the manifest takes {len(packed):,} bytes, more than is kept: shorten it")
        version = secrets.token_hex(6) if len(parts) > 1 else ""
        for number, part in enumerate(parts) if version else ():
            self._table.put(_item(_part_key(tenant, version, number)) | {"gzip": part})
        head = {"version": version, "parts": len(parts)} if version else {"gzip": packed}
        # From here on it is this version that is found.
        self._table.put(_item(_key(tenant)) | head)
        self._clear(tenant, but=version)

    def _clear(self, tenant: str, *, but: str) -> None:
        """Parts of other versions, also those that a run which was cut off has left."""
        for item in self._table.query(_key(tenant)[0], "MANIFEST#"):
            if not but or not item["sk"].startswith(f"MANIFEST#{but}#"):
                self._table.delete((item["pk"], item["sk"]))

    def delete(self, tenant: str) -> None:
        self._table.delete(_key(tenant))
        self._clear(tenant, but="")


def _key(tenant: str) -> Key:
    return ids.partition(tenant, ids.MANIFEST), "MANIFEST"


def _part_key(tenant: str, version: str, part: int) -> Key:
    return ids.partition(tenant, ids.MANIFEST), f"MANIFEST#{version}#{part:02d}"


def _item(key: Key) -> Item:
    return {"pk": key[0], "sk": key[1]}
