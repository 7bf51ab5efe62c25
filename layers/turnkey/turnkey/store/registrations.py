"""Registrations in two kinds of rows, so that a warm turn reads what may change at any time and not 500 tools again.

  SERVER#<name>           the head: everything but the tools, and which version of them goes with it
  TOOLS#<name>#<part>     the tools' definitions, in as many parts as rows can hold, each with its `version`

Head and tools are written in one transaction: there is no moment, and no crash, after which they are of two versions.
They are read one after the other, so a reader compares the versions, and reads again where they differ.
"""

import gzip
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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
MAX_PARTS = 9
"""With them and the head a transaction stays below DynamoDB's 4 MB."""
_TRIES = 5
"""Of a read or a write that others' writes keep crossing."""
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
    """In warm memory: the registration that a head's bytes stand for, and the size of its tools in characters."""

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
        for _ in range(_TRIES):
            rows = self._table.get_many(head_key(tenant, name) for name in wanted)
            heads = {name: rows[head_key(tenant, name)] for name in wanted if head_key(tenant, name) in rows}
            found |= self.of_heads(tenant, heads)
            wanted = [name for name in heads if name not in found]
            if not wanted:
                return found
        raise Transient(f"the tools of {', '.join(wanted)} of tenant {tenant!r} are being replaced: try again")

    def of_heads(self, tenant: str, heads: Mapping[str, Item]) -> dict[str, Registration]:
        """The registrations of these heads, by name; without those whose tools were replaced since."""
        found = {name: self._warm(tenant, name, item) for name, item in heads.items()}
        cold = {name: _head(heads[name]) for name, registration in found.items() if registration is None}
        keys = (key for name, head in cold.items() if head for key in _part_keys(tenant, name, range(head.parts)))
        rows = self._table.get_many(keys)
        found |= {name: self._made(tenant, name, heads[name], head, rows) for name, head in cold.items()}
        return {name: registration for name, registration in found.items() if registration}

    def _warm(self, tenant: str, name: str, item: Item) -> Registration | None:
        """What is kept, where it is of this very head, or of another with the same tools."""
        found, packed = kept.get((self._table.name, tenant, name)), bytes(item["gzip"])
        if found and found.head != packed:
            head = _head(item)
            if head is None or head.fingerprint != found.fingerprint:
                return None
            found = Kept(packed, head.fingerprint, _whole(head, found.registration.tools), found.size)
            kept.keep((self._table.name, tenant, name), found)
        return found.registration if found else None

    def _made(
        self, tenant: str, name: str, item: Item, head: Head | None, rows: Mapping[Key, Item]
    ) -> Registration | None:
        """From its rows, and kept; None where its tools are of another version."""
        packed = bytes(item["gzip"])
        if head is None:
            text = gzip.decompress(packed)
            one = Kept(packed, "", Registration.model_validate_json(text), len(text))
        else:
            parts = [rows.get(key, {}) for key in _part_keys(tenant, name, range(head.parts))]
            if any(part.get("version") != head.version for part in parts):
                return None
            text = gzip.decompress(b"".join(bytes(part["gzip"]) for part in parts))
            one = Kept(packed, head.fingerprint, _whole(head, _TOOLS.validate_json(text)), len(text))
        return kept.keep((self._table.name, tenant, name), one).registration

    def put(self, tenant: str, registration: Registration) -> None:
        """Raises TenantMisconfigured for more definitions than are kept."""
        for _ in range(_TRIES):
            before = self._table.get(head_key(tenant, registration.name))
            writes = self.writes(tenant, registration, bytes(before["gzip"]) if before else None)
            if self.transact(writes):
                return
        raise Transient(f"server {registration.name!r} of tenant {tenant!r} is written by others: try again")

    def writes(self, tenant: str, registration: Registration, before: bytes | None, **also: Any) -> list[Any]:
        """The writes that put the registration in the place of the head that was `before`, or where there was none:
        to be made in one transaction. Tools that stay the same stay where they are. `also` are attributes of the head.
        Raises TenantMisconfigured for more definitions than are kept."""
        old, fingerprint = (_unpacked(before) if before else None), registration.fingerprint
        if old and old.fingerprint == fingerprint:
            version, parts, count = old.version, [], old.parts
        else:
            version, parts = secrets.token_hex(6), _packed_tools(registration)
            count = len(parts)
        head = _head_item(tenant, registration, fingerprint, version, count) | also
        gone = _part_keys(tenant, registration.name, range(count, old.parts if old else 0))
        return [
            self._table.put_write(head, **_unless_changed(before)),
            *(self._table.put_write(item) for item in _part_items(tenant, registration.name, version, parts)),
            *(self._table.delete_write(key) for key in gone),
        ]

    def transact(self, writes: Sequence[Any]) -> bool:
        """False, with nothing written, where a condition failed: somebody else was first."""
        try:
            self._table.transact(*writes)
        except ConditionFailed:
            return False
        return True

    def delete(self, tenant: str, name: str) -> None:
        for _ in range(_TRIES):
            item = self._table.get(head_key(tenant, name))
            if item is None:
                return
            head = _head(item)
            parts = _part_keys(tenant, name, range(head.parts if head else 0))
            gone = (self._table.delete_write(key) for key in parts)
            head_write = self._table.delete_write(head_key(tenant, name), **_unless_changed(bytes(item["gzip"])))
            if self.transact([head_write, *gone]):
                return
        raise Transient(f"server {name!r} of tenant {tenant!r} is written by others: try again")


def head_key(tenant: str, name: str) -> Key:
    return ids.tenant_key(tenant), f"{SERVER}{name}"


def check_size(registration: Registration) -> None:
    """Raises TenantMisconfigured for more definitions than are kept."""
    _packed_tools(registration)


def _unless_changed(before: bytes | None) -> dict[str, Any]:
    """The condition that the head is still what was read."""
    if before is None:
        return {"condition": "attribute_not_exists(pk)"}
    return {"condition": "gzip = :seen", "values": {":seen": before}}


def _part_keys(tenant: str, name: str, parts: Iterable[int]) -> list[Key]:
    return [(ids.tenant_key(tenant), f"{TOOLS}{name}#{part}") for part in parts]


def _part_items(tenant: str, name: str, version: str, parts: Sequence[bytes]) -> list[Item]:
    keys = _part_keys(tenant, name, range(len(parts)))
    return [{"pk": pk, "sk": sk, "gzip": part, "version": version} for (pk, sk), part in zip(keys, parts, strict=True)]


def _packed_tools(registration: Registration) -> list[bytes]:
    """What the tools' rows hold. Raises TenantMisconfigured."""
    packed = gzip.compress(_TOOLS.dump_json(registration.tools), mtime=0)
    parts = [packed[start : start + MAX_ROW_BYTES] for start in range(0, len(packed), MAX_ROW_BYTES)]
    if len(parts) > MAX_PARTS:
        raise TenantMisconfigured(
            f"the tools of server {registration.name!r} take {len(packed):,} bytes, more than the "
            f"{MAX_PARTS * MAX_ROW_BYTES:,} that are kept: split the server"
        )
    return parts


def _head_item(tenant: str, registration: Registration, fingerprint: str, version: str, parts: int) -> Item:
    """Raises TenantMisconfigured for a head larger than a row can hold."""
    head = Head(
        registration=registration.model_dump(mode="json", exclude={"tools", "approved"}),
        fingerprint=fingerprint,
        version=version,
        parts=parts,
        not_as_found=_not_as_found(registration),
    )
    packed = gzip.compress(head.model_dump_json().encode(), mtime=0)
    if len(packed) > MAX_ROW_BYTES:
        raise TenantMisconfigured(
            f"server {registration.name!r} takes {len(packed):,} bytes beside its tools, more than a row can hold"
        )
    pk, sk = head_key(tenant, registration.name)
    return {"pk": pk, "sk": sk, "gzip": packed}


def _not_as_found(registration: Registration) -> dict[str, str]:
    """How the approvals differ from those of all tools as they are: mostly in nothing."""
    as_found = {tool.name: tool.digest for tool in registration.tools}
    differing = {name: digest for name, digest in registration.approved.items() if as_found.get(name) != digest}
    return {**{name: "" for name in as_found if name not in registration.approved}, **differing}


def _head(item: Item) -> Head | None:
    return _unpacked(bytes(item["gzip"]))


def _unpacked(packed: bytes) -> Head | None:
    """None for a row from before tools had rows of their own: it holds the whole registration."""
    text = gzip.decompress(packed)
    return Head.model_validate_json(text) if text.startswith(b'{"registration":') else None


def _whole(head: Head, tools: tuple[ToolDefinition, ...]) -> Registration:
    approved = {tool.name: tool.digest for tool in tools} | head.not_as_found
    real = {name: digest for name, digest in approved.items() if digest}
    return Registration.model_validate(head.registration).model_copy(update={"tools": tools, "approved": real})
