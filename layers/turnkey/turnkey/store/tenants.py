"""The tenants table: settings and registrations (their rows: registrations.py). Written by provisioning alone."""

import gzip
from collections.abc import Iterable
from typing import TypeVar

from turnkey import ids
from turnkey.errors import TenantMisconfigured
from turnkey.mcp.health import Health
from turnkey.mcp.registration import Registration
from turnkey.mcp.trust import Remembered
from turnkey.skills.skill import Skill
from turnkey.store.registrations import MAX_ROW_BYTES, SERVER, TOOLS, Registrations, check_size
from turnkey.store.table import Item, Table
from turnkey.tenancy.settings import Agent, Connection, Tenant
from turnkey.values import Value

Row = Tenant | Agent | Connection | Registration | Health | Remembered | Skill
_Kind = TypeVar("_Kind", bound=Value)
_PREFIXES: dict[type[Value], str] = {
    Tenant: "TENANT",
    Agent: "AGENT",
    Connection: "CONNECTION",
    Registration: "SERVER",
    Health: "HEALTH",
    Remembered: "APPROVED",
    Skill: "SKILL",
}


def sort_key(row: Row) -> str:
    """Such as AGENT#clerk."""
    return _sort_key(type(row), row.id if isinstance(row, Tenant) else row.name)


def prefix(kind: type[Value]) -> str:
    """What the sort keys of a kind of row begin with, such as AGENT#."""
    return f"{_PREFIXES[kind]}#"


def _sort_key(kind: type[Value], name: str) -> str:
    return f"{prefix(kind)}{name}"


def pack(row: Row) -> bytes:
    """Raises TenantMisconfigured for a row larger than a table can hold. Not for registrations, see `check`."""
    packed = gzip.compress(row.model_dump_json().encode(), mtime=0)
    if len(packed) > MAX_ROW_BYTES:
        raise TenantMisconfigured(f"{sort_key(row)} takes {len(packed):,} bytes, more than a row can hold: split it")
    return packed


def check(row: Row) -> None:
    """Raises TenantMisconfigured for a row larger than a table can hold."""
    if isinstance(row, Registration):
        check_size(row)
    else:
        pack(row)


class TenantStore:
    """Every read and write names its tenant, and stays in that tenant's partition."""

    def __init__(self, table: str) -> None:
        self._table = Table(table)
        self._registrations = Registrations(self._table)

    def connection(self, tenant: str, name: str) -> Connection:
        return self._get(Connection, tenant, name)

    def find_entry(self, tenant: str, connection: str) -> tuple[Tenant, Connection] | None:
        """The tenant and one of its connections, in one read."""
        pk = ids.tenant_key(tenant)
        keys = (pk, _sort_key(Tenant, tenant)), (pk, _sort_key(Connection, connection))
        rows = self._table.get_many(keys)
        if len(rows) < len(keys):
            return None
        return unpack(Tenant, rows[keys[0]]), unpack(Connection, rows[keys[1]])

    def entry(self, tenant: str, connection: str) -> tuple[Tenant, Connection]:
        """The same. Raises TenantMisconfigured when one of them is gone."""
        found = self.find_entry(tenant, connection)
        if found is None:
            raise TenantMisconfigured(f"tenant {tenant!r} has no connection {connection!r}: apply its manifest again")
        return found

    def find_tenant(self, tenant: str) -> Tenant | None:
        return self._find(Tenant, tenant, tenant)

    def tenant(self, tenant: str) -> Tenant:
        return self._get(Tenant, tenant, tenant)

    def agent(self, tenant: str, name: str) -> Agent:
        return self._get(Agent, tenant, name)

    def registrations(self, tenant: str, names: tuple[str, ...]) -> tuple[Registration, ...]:
        """In the order of `names`. Raises TenantMisconfigured for one that is not there."""
        found = self._registrations.find(tenant, names)
        missing = [name for name in names if name not in found]
        if missing:
            raise TenantMisconfigured(f"tenant {tenant!r} has no server {', '.join(missing)}: apply its manifest again")
        return tuple(found[name] for name in names)

    def skills(self, tenant: str, names: Iterable[str]) -> tuple[Skill, ...]:
        """Those that there are, in the order of `names`."""
        keys = [(ids.tenant_key(tenant), _sort_key(Skill, name)) for name in dict.fromkeys(names)]
        rows = self._table.get_many(keys)
        return tuple(unpack(Skill, rows[key]) for key in keys if key in rows)

    def tenant_ids(self) -> tuple[str, ...]:
        """Every tenant there is. Reads the whole table: for operators alone."""
        return tuple(tenant.id for tenant in self.all_tenants())

    def all_tenants(self) -> tuple[Tenant, ...]:
        """The same with what each is. In the order of their ids."""
        found = [unpack(Tenant, item) for item in self._table.scan(prefix(Tenant))]
        return tuple(sorted(found, key=lambda tenant: tenant.id))

    def all_registrations(self, tenant: str) -> tuple[Registration, ...]:
        """In the order of their names."""
        items = self._table.query(ids.tenant_key(tenant), SERVER)
        return tuple(self._registrations.find(tenant, (item["sk"].removeprefix(SERVER) for item in items)).values())

    def all_rows(self, tenant: str) -> dict[str, Row]:
        """Everything kept of a tenant, by sort key."""
        kinds = {prefix: kind for kind, prefix in _PREFIXES.items()}
        items = self._table.query(ids.tenant_key(tenant), "")
        servers = [item["sk"].removeprefix(SERVER) for item in items if item["sk"].startswith(SERVER)]
        found = {f"{SERVER}{name}": row for name, row in self._registrations.find(tenant, servers).items()}
        others = (item for item in items if not item["sk"].startswith((SERVER, TOOLS)))
        plain = {item["sk"]: unpack(kinds[item["sk"].split("#")[0]], item) for item in others}
        return plain | found  # type: ignore[return-value]

    def put(self, tenant: str, row: Row) -> None:
        """Raises TenantMisconfigured for a row larger than a table can hold."""
        if isinstance(row, Registration):
            return self._registrations.put(tenant, row)
        self._table.put({"pk": ids.tenant_key(tenant), "sk": sort_key(row), "gzip": pack(row)})

    def delete(self, tenant: str, key: str) -> None:
        if key.startswith(SERVER):
            return self._registrations.delete(tenant, key.removeprefix(SERVER))
        self._table.delete((ids.tenant_key(tenant), key))

    def _find(self, kind: type[_Kind], tenant: str, name: str) -> _Kind | None:
        item = self._table.get((ids.tenant_key(tenant), _sort_key(kind, name)))
        return unpack(kind, item) if item else None

    def _get(self, kind: type[_Kind], tenant: str, name: str) -> _Kind:
        row = self._find(kind, tenant, name)
        if row is None:
            what = _PREFIXES[kind].lower()
            raise TenantMisconfigured(f"tenant {tenant!r} has no {what} {name!r}: apply its manifest again")
        return row


def unpack(kind: type[_Kind], item: Item) -> _Kind:
    """The row in an item."""
    return kind.model_validate_json(gzip.decompress(bytes(item["gzip"])))
