"""The tenants table: settings and registrations. Written by provisioning alone."""

import gzip
from typing import TypeVar

from turnkey import ids
from turnkey.errors import TenantMisconfigured
from turnkey.mcp.health import Health
from turnkey.mcp.registration import Registration
from turnkey.store.table import Item, Table
from turnkey.tenancy.settings import Agent, Connection, Tenant
from turnkey.values import Value

Row = Tenant | Agent | Connection | Registration | Health
_Kind = TypeVar("_Kind", bound=Value)
_PREFIXES: dict[type[Value], str] = {
    Tenant: "TENANT",
    Agent: "AGENT",
    Connection: "CONNECTION",
    Registration: "SERVER",
    Health: "HEALTH",
}
MAX_ROW_BYTES = 390_000


def sort_key(row: Row) -> str:
    """Such as AGENT#clerk."""
    return _sort_key(type(row), row.id if isinstance(row, Tenant) else row.name)


def _sort_key(kind: type[Value], name: str) -> str:
    return f"{_PREFIXES[kind]}#{name}"


class TenantStore:
    """Every read and write names its tenant, and stays in that tenant's partition."""

    def __init__(self, table: str) -> None:
        self._table = Table(table)

    def find_connection(self, tenant: str, name: str) -> Connection | None:
        return self._find(Connection, tenant, name)

    def connection(self, tenant: str, name: str) -> Connection:
        return self._get(Connection, tenant, name)

    def tenant(self, tenant: str) -> Tenant:
        return self._get(Tenant, tenant, tenant)

    def agent(self, tenant: str, name: str) -> Agent:
        return self._get(Agent, tenant, name)

    def registrations(self, tenant: str, names: tuple[str, ...]) -> tuple[Registration, ...]:
        """In the order of `names`. Raises TenantMisconfigured for one that is not there."""
        keys = {name: (ids.tenant_key(tenant), _sort_key(Registration, name)) for name in names}
        rows = self._table.get_many(keys.values())
        missing = [name for name, key in keys.items() if key not in rows]
        if missing:
            raise TenantMisconfigured(f"tenant {tenant!r} has no server {', '.join(missing)}: apply its manifest again")
        return tuple(_read(Registration, rows[key]) for key in keys.values())

    def tenant_ids(self) -> tuple[str, ...]:
        """Every tenant there is. Reads the whole table: for operators alone."""
        return tuple(sorted(_read(Tenant, item).id for item in self._table.scan(f"{_PREFIXES[Tenant]}#")))

    def all_registrations(self, tenant: str) -> tuple[Registration, ...]:
        items = self._table.query(ids.tenant_key(tenant), f"{_PREFIXES[Registration]}#")
        return tuple(_read(Registration, item) for item in items)

    def all_rows(self, tenant: str) -> dict[str, Row]:
        """Everything kept of a tenant, by sort key."""
        kinds = {prefix: kind for kind, prefix in _PREFIXES.items()}
        items = self._table.query(ids.tenant_key(tenant), "")
        return {item["sk"]: _read(kinds[item["sk"].split("#")[0]], item) for item in items}  # type: ignore[misc]

    def put(self, tenant: str, row: Row) -> None:
        """Raises TenantMisconfigured for a row larger than a table can hold."""
        packed = gzip.compress(row.model_dump_json().encode(), mtime=0)
        if len(packed) > MAX_ROW_BYTES:
            raise TenantMisconfigured(
                f"{sort_key(row)} takes {len(packed):,} bytes, more than a row can hold: split it"
            )
        self._table.put({"pk": ids.tenant_key(tenant), "sk": sort_key(row), "gzip": packed})

    def delete(self, tenant: str, key: str) -> None:
        self._table.delete((ids.tenant_key(tenant), key))

    def _find(self, kind: type[_Kind], tenant: str, name: str) -> _Kind | None:
        item = self._table.get((ids.tenant_key(tenant), _sort_key(kind, name)))
        return _read(kind, item) if item else None

    def _get(self, kind: type[_Kind], tenant: str, name: str) -> _Kind:
        row = self._find(kind, tenant, name)
        if row is None:
            what = _PREFIXES[kind].lower()
            raise TenantMisconfigured(f"tenant {tenant!r} has no {what} {name!r}: apply its manifest again")
        return row


def _read(kind: type[_Kind], item: Item) -> _Kind:
    return kind.model_validate_json(gzip.decompress(bytes(item["gzip"])))
