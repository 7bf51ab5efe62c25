"""A tenant's servers as their keepers see them: each registration with its health and what was approved before.

Beside what registrations.py says of a row SERVER#<name>, it has
  due_at           when the server is to be looked at again, in seconds; without it, now
  claimed_until    while somebody looks at it, in seconds
Whoever writes a registration anew, such as provisioning, leaves both out, so the server is looked at soon after.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from turnkey import ids
from turnkey.errors import TenantMisconfigured
from turnkey.mcp.health import Health
from turnkey.mcp.registration import Registration
from turnkey.mcp.trust import Remembered
from turnkey.store.registrations import Registrations
from turnkey.store.table import ConditionFailed, Item, Key, Table
from turnkey.store.tenants import pack, prefix, sort_key, unpack


@dataclass(frozen=True)
class Seen:
    """What was read of a server. `stamp` is the registration's head as it was, so that nothing newer is overwritten."""

    registration: Registration
    health: Health | None
    remembered: Remembered | None
    stamp: bytes
    due_at: int | None = None


@dataclass(frozen=True)
class After:
    """What is to be kept of a server, and when it is to be looked at again; None leaves that as it is."""

    registration: Registration
    health: Health | None
    remembered: Remembered
    due_at: datetime | None


class ServerStore:
    """Every read and write names its tenant, and stays in that tenant's partition."""

    def __init__(self, table: str) -> None:
        self._table = Table(table)
        self._registrations = Registrations(self._table)

    def find(self, tenant: str, name: str) -> Seen | None:
        keys = [_key(tenant, kind, name) for kind in (Registration, Health, Remembered)]
        rows = self._table.get_many(keys)
        registration, health, remembered = (rows.get(key) for key in keys)
        return self._seen(tenant, name, registration, health, remembered) if registration else None

    def all(self, tenant: str) -> tuple[Seen, ...]:
        """In the order of their names."""
        registrations, healths, approved = (
            {item["sk"].partition("#")[2]: item for item in self._table.query(ids.tenant_key(tenant), prefix(kind))}
            for kind in (Registration, Health, Remembered)
        )
        seen = (
            self._seen(tenant, name, item, healths.get(name), approved.get(name))
            for name, item in registrations.items()
        )
        return tuple(found for found in seen if found)

    def _seen(self, tenant: str, name: str, head: Item, health: Item | None, remembered: Item | None) -> Seen | None:
        """None for a server that is gone meanwhile."""
        registration = self._registrations.of_heads(tenant, {name: head}).get(name)
        if registration is None:
            # Its tools were replaced since the head was read: the others are read anew with it.
            keys = [_key(tenant, kind, name) for kind in (Registration, Health, Remembered)]
            rows = self._table.get_many(keys)
            newer, health, remembered = (rows.get(key) for key in keys)
            if newer is None or newer["gzip"] == head["gzip"]:
                return None
            return self._seen(tenant, name, newer, health, remembered)
        return Seen(
            registration,
            unpack(Health, health) if health else None,
            unpack(Remembered, remembered) if remembered else None,
            bytes(head["gzip"]),
            head.get("due_at"),
        )

    def claim(self, tenant: str, name: str, now: datetime, until: datetime) -> bool:
        """Whether the caller is the one to look at the server now; nobody else is before `until`."""
        try:
            self._table.update(
                _key(tenant, Registration, name),
                "SET claimed_until = :until",
                condition="attribute_exists(pk) AND (attribute_not_exists(claimed_until) OR claimed_until < :now)",
                values={":until": _seconds(until), ":now": _seconds(now)},
            )
        except ConditionFailed:
            return False
        return True

    def put_off(self, tenant: str, name: str, due_at: datetime) -> None:
        """Looks at the server later. One that is gone stays gone."""
        try:
            self._table.update(
                _key(tenant, Registration, name),
                "SET due_at = :due",
                condition="attribute_exists(pk)",
                values={":due": _seconds(due_at)},
            )
        except ConditionFailed:
            return

    def write(self, tenant: str, seen: Seen, after: After) -> bool:
        """All of it, unless the registration is no longer what was seen: False, and nothing is written. Raises
        TenantMisconfigured for definitions larger than a row can hold."""
        writes = self._registration(tenant, seen, after)
        if after.health is not None and after.health != seen.health:
            writes.append(self._table.put_write(_item(tenant, after.health)))
        if after.remembered.tools != (seen.remembered.tools if seen.remembered else ()):
            writes.append(self._table.put_write(_remembered(tenant, after.remembered)))
        return self._registrations.transact(writes)

    def _registration(self, tenant: str, seen: Seen, after: After) -> list[Any]:
        """Written whole only where it changed."""
        due_at = _seconds(after.due_at) if after.due_at else seen.due_at
        due = {} if due_at is None else {"due_at": due_at}
        if after.registration != seen.registration:
            return self._registrations.writes(tenant, after.registration, seen.stamp, **due)
        names = ", ".join(f"{name} = :{name}" for name in due)
        head = self._table.update_write(
            _key(tenant, Registration, seen.registration.name),
            f"SET {names} REMOVE claimed_until" if due else "REMOVE claimed_until",
            condition="gzip = :seen",
            values={":seen": seen.stamp, **{f":{name}": value for name, value in due.items()}},
        )
        return [head]


def _key(tenant: str, kind: type[Registration] | type[Health] | type[Remembered], name: str) -> Key:
    return ids.tenant_key(tenant), f"{prefix(kind)}{name}"


def _item(tenant: str, row: Health | Remembered) -> Item:
    return {"pk": ids.tenant_key(tenant), "sk": sort_key(row), "gzip": pack(row)}


def _remembered(tenant: str, row: Remembered) -> Item:
    try:
        return _item(tenant, row)
    except TenantMisconfigured:
        # Only changes are shown with it: better none of them than a server that cannot be refreshed.
        return _item(tenant, row.model_copy(update={"tools": ()}))


def _seconds(moment: datetime) -> int:
    return int(moment.timestamp())
