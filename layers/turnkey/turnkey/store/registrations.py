"""Registrations in two kinds of rows, so that a warm turn reads what may change at any time and not 500 tools again.

  SERVER#<name>                    the head: everything but the tools, and which version of them goes with it
  TOOLS#<name>#<version>#<part>    the tools' definitions, in as many parts as rows can hold

A version is written once, under a name of its own, before the head that names it; one transaction then puts the head
and removes the version before. So no head is ever seen with other tools than its own, whoever writes at the same time.
A crash between the two leaves rows that no head names: a later `put` of that server removes them.
"""

import gzip
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import Field, TypeAdapter

from turnkey import ids
from turnkey.errors import TenantMisconfigured, Transient
from turnkey.mcp.registration import Registration, ToolDefinition
from turnkey.store.table import ConditionFailed, Item, Key, Table
from turnkey.values import Value
from turnkey.warm import Warm

SERVER, TOOLS = "SERVER#", "TOOLS#"
MAX_ROW_BYTES = 390_000
MAX_PARTS = 12
_WRITES = 5
_READS = 3
"""Tries to read tools that are replaced just then."""
_LEFT_OVER = timedelta(hours=1)
"""Older rows that no head names belong to nobody: no write takes as long."""
_TOOLS: TypeAdapter[tuple[ToolDefinition, ...]] = TypeAdapter(tuple[ToolDefinition, ...])


class Head(Value):
    """What a SERVER# row holds, compressed."""

    registration: dict[str, Any] = Field(description="without tools and approvals")
    fingerprint: str = Field(description="hash of the definitions")
    version: str
    parts: int
    not_as_found: dict[str, str] = Field(description="approved digests that are none of the tools' own; empty: none")


@dataclass(frozen=True)
class Kept:
    """In warm memory: the registration that a head's bytes stand for."""

    head: bytes
    fingerprint: str
    registration: Registration
    size: int


kept: Warm[tuple[str, str, str], Kept] = Warm(20_000_000, lambda one: one.size)
"""By table, tenant and server; so many characters of definitions in all."""


class Registrations:
    """Every read and write names its tenant, and stays in that tenant's partition."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def find(self, tenant: str, names: Iterable[str]) -> dict[str, Registration]:
        """Those that there are, by name. Raises Transient where one is being replaced over and over."""
        wanted, found = list(dict.fromkeys(names)), dict[str, Registration]()
        for _ in range(_READS):
            rows = self._table.get_many(head_key(tenant, name) for name in wanted)
            heads = {name: rows[head_key(tenant, name)] for name in wanted if head_key(tenant, name) in rows}
            found |= self.of_heads(tenant, heads)
            wanted = [name for name in heads if name not in found]
            if not wanted:
                return found
        raise Transient(f"the tools of {', '.join(wanted)} of tenant {tenant!r} are being replaced: try again")

    def of_heads(self, tenant: str, heads: Mapping[str, Item], rows: Iterable[Item] = ()) -> dict[str, Registration]:
        """The registrations whose tools are still there, by name. `rows`: some of the tools' rows, as already read."""
        cold = {name: _head(item) for name, item in heads.items() if self._warm(tenant, name, item) is None}
        known = {(item["pk"], item["sk"]): item for item in rows}
        needed = [key for name, head in cold.items() if head for key in _keys_of(tenant, name, head)]
        known |= self._table.get_many(key for key in needed if key not in known)
        for name, head in cold.items():
            self._keep(tenant, name, heads[name], head, known)
        warm = ((name, self._warm(tenant, name, item)) for name, item in heads.items())
        return {name: registration for name, registration in warm if registration}

    def _warm(self, tenant: str, name: str, item: Item) -> Registration | None:
        """What is kept, where it is of this very head, or of another with the same tools."""
        found = kept.get((self._table.name, tenant, name))
        packed = bytes(item["gzip"])
        if found is None:
            return None
        if found.head != packed:
            head = _head(item)
            if head is None or head.fingerprint != found.fingerprint:
                return None
            found = Kept(packed, head.fingerprint, _whole(head, found.registration.tools), found.size)
            kept.keep((self._table.name, tenant, name), found)
        return found.registration

    def _keep(self, tenant: str, name: str, item: Item, head: Head | None, rows: Mapping[Key, Item]) -> None:
        """Nothing, where the tools that the head names are gone."""
        packed = bytes(item["gzip"])
        if head is None:
            text = gzip.decompress(packed)
            one = Kept(packed, "", Registration.model_validate_json(text), len(text))
        else:
            keys = _keys_of(tenant, name, head)
            if any(key not in rows for key in keys):
                return
            text = gzip.decompress(b"".join(bytes(rows[key]["gzip"]) for key in keys))
            one = Kept(packed, head.fingerprint, _whole(head, _TOOLS.validate_json(text)), len(text))
        kept.keep((self._table.name, tenant, name), one)

    def put(self, tenant: str, registration: Registration) -> None:
        """Raises TenantMisconfigured for more definitions than are kept."""
        for _ in range(_WRITES):
            before = self._table.get(head_key(tenant, registration.name))
            staged = self.stage(tenant, registration, before)
            write = self._table.put_write(staged.head, **_unchanged(before))
            if self.finish(staged, write):
                return self._sweep(tenant, registration.name, staged.version)
        raise Transient(f"server {registration.name!r} of tenant {tenant!r} is written by others: try again")

    def stage(self, tenant: str, registration: Registration, before: Item | None) -> "Staged":
        """Writes the tools, unless `before`, the head that is to be replaced, has the same. What is left is the head's
        write, which must fail where the head is no longer `before`. Raises TenantMisconfigured for too many tools."""
        old = _head(before) if before else None
        fingerprint = registration.fingerprint
        if old and old.fingerprint == fingerprint:
            return Staged(_item(tenant, registration, fingerprint, old.version, old.parts), old.version, (), ())
        parts, version = _packed_tools(registration), secrets.token_hex(6)
        keys = _part_keys(tenant, registration.name, version, len(parts))
        now = int(datetime.now(UTC).timestamp())
        for (pk, sk), part in zip(keys, parts, strict=True):
            self._table.put({"pk": pk, "sk": sk, "gzip": part, "written_at": now})
        gone = _keys_of(tenant, registration.name, old) if old else []
        item = _item(tenant, registration, fingerprint, version, len(parts))
        return Staged(item, version, tuple(keys), tuple(gone))

    def finish(self, staged: "Staged", head_write: Any, *also: Any) -> bool:
        """Puts the head in place, with `also` these writes, and removes the tools before it: all or nothing. False
        where a condition failed."""
        try:
            self._table.transact(head_write, *also, *(self._table.delete_write(key) for key in staged.gone))
        except ConditionFailed:
            for key in staged.written:
                self._table.delete(key)
            return False
        return True

    def delete(self, tenant: str, name: str) -> None:
        for _ in range(_WRITES):
            item = self._table.get(head_key(tenant, name))
            if item is None:
                return self._sweep(tenant, name, "")
            head = _head(item)
            gone = _keys_of(tenant, name, head) if head else []
            staged = Staged(item, "", (), tuple(gone))
            if self.finish(staged, self._table.delete_write(head_key(tenant, name), **_unchanged(item))):
                return self._sweep(tenant, name, "")
        raise Transient(f"server {name!r} of tenant {tenant!r} is written by others: try again")

    def _sweep(self, tenant: str, name: str, version: str) -> None:
        """Removes rows of versions that no head names, as a crash leaves them."""
        before = int((datetime.now(UTC) - _LEFT_OVER).timestamp())
        for item in self._table.query(ids.tenant_key(tenant), f"{TOOLS}{name}#"):
            if item["sk"].split("#")[2] != version and item["written_at"] < before:
                self._table.delete((item["pk"], item["sk"]))


@dataclass(frozen=True)
class Staged:
    """A registration whose tools are in place: its head's item, which rows were written for it, and which go with the
    head before it."""

    head: Item
    version: str
    written: tuple[Key, ...]
    gone: tuple[Key, ...]


def head_key(tenant: str, name: str) -> Key:
    return ids.tenant_key(tenant), f"{SERVER}{name}"


def check_size(registration: Registration) -> None:
    """Raises TenantMisconfigured for more definitions than are kept."""
    _packed_tools(registration)


def _unchanged(before: Item | None) -> dict[str, Any]:
    """The condition that the head is still what was read."""
    if before is None:
        return {"condition": "attribute_not_exists(pk)"}
    return {"condition": "gzip = :seen", "values": {":seen": bytes(before["gzip"])}}


def _part_keys(tenant: str, name: str, version: str, parts: int) -> list[Key]:
    return [(ids.tenant_key(tenant), f"{TOOLS}{name}#{version}#{part:02d}") for part in range(parts)]


def _keys_of(tenant: str, name: str, head: Head) -> list[Key]:
    return _part_keys(tenant, name, head.version, head.parts)


def _packed_tools(registration: Registration) -> Sequence[bytes]:
    """What the tools' rows hold. Raises TenantMisconfigured."""
    text = _TOOLS.dump_json(registration.tools)
    packed = gzip.compress(text, mtime=0)
    parts = [packed[start : start + MAX_ROW_BYTES] for start in range(0, len(packed), MAX_ROW_BYTES)]
    if len(parts) > MAX_PARTS:
        raise TenantMisconfigured(
            f"the tools of server {registration.name!r} take {len(packed):,} bytes, more than the "
            f"{MAX_PARTS * MAX_ROW_BYTES:,} that are kept: allow fewer, or split the server"
        )
    return parts


def _item(tenant: str, registration: Registration, fingerprint: str, version: str, parts: int) -> Item:
    """The head's item. Raises TenantMisconfigured for one larger than a row can hold."""
    head = _head_of(registration, fingerprint, version, parts)
    packed = gzip.compress(head.model_dump_json().encode(), mtime=0)
    if len(packed) > MAX_ROW_BYTES:
        raise TenantMisconfigured(
            f"server {registration.name!r} takes {len(packed):,} bytes beside its tools, more than a row can hold"
        )
    pk, sk = head_key(tenant, registration.name)
    return {"pk": pk, "sk": sk, "gzip": packed}


def _head_of(registration: Registration, fingerprint: str, version: str, parts: int) -> Head:
    as_found = {tool.name: tool.digest for tool in registration.tools}
    differing = {name: digest for name, digest in registration.approved.items() if as_found.get(name) != digest}
    missing = {name: "" for name in as_found if name not in registration.approved}
    return Head(
        registration=registration.model_dump(mode="json", exclude={"tools", "approved"}),
        fingerprint=fingerprint,
        version=version,
        parts=parts,
        not_as_found=differing | missing,
    )


def _head(item: Item) -> Head | None:
    """None for a row from before tools had rows of their own: it holds the whole registration."""
    text = gzip.decompress(bytes(item["gzip"]))
    return Head.model_validate_json(text) if text.startswith(b'{"registration":') else None


def _whole(head: Head, tools: tuple[ToolDefinition, ...]) -> Registration:
    approved = {tool.name: tool.digest for tool in tools} | head.not_as_found
    found = Registration.model_validate(head.registration)
    real = {name: digest for name, digest in approved.items() if digest}
    return found.model_copy(update={"tools": tools, "approved": real})
