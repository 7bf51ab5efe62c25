"""Customers' contact details: one row a customer, changed by one call at a time, until it is erased.

Rows (partition TENANT#<id>#CONTACTS, table of conversations):
  CUSTOMER#<id>  json; version, which every change raises; told_at, once the customer was sent the note on it. It has no
                 end of its own: it stays until the customer or the tenant has it erased, or the tenant is deleted
  ANEW#<id>      at: something of the customer was erased then, and what they wrote before that is not taken up again.
                 Kept for as long as what they wrote
"""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime

from turnkey import ids
from turnkey.contacts.contact import Contact, Customer, Given, forgotten, kept
from turnkey.errors import Transient
from turnkey.store.conversations import MESSAGE_DAYS
from turnkey.store.table import ConditionFailed, Item, Key, Table, pause

_ATTEMPTS = 6
_PREFIX, _ANEW = "CUSTOMER#", "ANEW#"
_DAY = 24 * 3600


class ContactStore:
    def __init__(self, table: str) -> None:
        self._table = Table(table)

    def find(self, tenant: str, contact: str) -> Contact | None:
        item = self._table.get(_key(tenant, contact))
        return _contact(item) if item else None

    def keep(self, tenant: str, customer: Customer, given: Mapping[str, Given], at: datetime, call: str) -> Contact:
        """The customer's contact with what a call has brought. The same call once more changes nothing."""

        def change(before: Contact | None) -> Contact:
            known = before or Contact(id=customer.id, customer=customer)
            return kept(known, given, at, call).model_copy(update={"customer": customer})

        return self._change(tenant, customer.id, change)

    def forget(self, tenant: str, contact: str, fields: Collection[str], at: datetime, call: str) -> None:
        """Erases these fields of the contact, what they were before included; all of it where no field is named. The
        same call once more changes nothing."""
        self._table.put(_anew(tenant, contact, at))
        before = self.find(tenant, contact)
        if before is None:
            return
        if not fields or not set(before.values) - set(fields):
            self.erase(tenant, contact, at)
            return
        self._change(tenant, contact, lambda now: forgotten(now or before, fields, call))

    def erase(self, tenant: str, contact: str, at: datetime) -> bool:
        """Whether there was something to erase."""
        try:
            self._table.transact(
                self._table.delete_write(_key(tenant, contact), condition="attribute_exists(pk)"),
                self._table.put_write(_anew(tenant, contact, at)),
            )
        except ConditionFailed:
            return False
        return True

    def erased_at(self, tenant: str, contact: str) -> datetime | None:
        """When something of the customer was erased last, if that is not long ago."""
        item = self._table.get((ids.partition(tenant, ids.CONTACTS), f"{_ANEW}{contact}"))
        return datetime.fromisoformat(item["at"]) if item else None

    def tell(self, tenant: str, contact: str, at: datetime) -> None:
        """The customer was sent the note on what is kept of them. Nothing happens where that is erased meanwhile."""
        try:
            self._table.update(
                _key(tenant, contact),
                "SET told_at = if_not_exists(told_at, :at) ADD version :one",
                condition="attribute_exists(pk)",
                values={":at": at.isoformat(), ":one": 1},
            )
        except ConditionFailed:
            return

    def page(self, tenant: str, after: str, limit: int) -> tuple[Contact, ...]:
        """At most `limit` contacts in the order of their ids, from behind `after` on (empty: from the first)."""
        partition = ids.partition(tenant, ids.CONTACTS)
        items = self._table.query(partition, "", after=f"{_PREFIX}{after}", limit=limit)
        return tuple(_contact(item) for item in items[:limit])

    def _change(self, tenant: str, contact: str, change: Callable[[Contact | None], Contact]) -> Contact:
        """Read, changed and written as it was read, or read again."""
        for attempt in range(_ATTEMPTS):
            item = self._table.get(_key(tenant, contact))
            before = _contact(item) if item else None
            after = change(before)
            if before == after or self._put(tenant, after, item):
                return after
            pause(attempt)
        raise Transient(f"contact {contact} of tenant {tenant!r} kept being changed by others")

    def _put(self, tenant: str, contact: Contact, before: Item | None) -> bool:
        pk, sk = _key(tenant, contact.id)
        version = before["version"] if before else 0
        condition = "version = :version" if before else "attribute_not_exists(pk)"
        row = {"pk": pk, "sk": sk, "version": version + 1, "json": contact.model_dump_json(exclude={"told_at"})}
        told = {"told_at": contact.told_at.isoformat()} if contact.told_at else {}
        try:
            self._table.put({**row, **told}, condition=condition, values={":version": version} if before else None)
        except ConditionFailed:
            return False
        return True


def _key(tenant: str, contact: str) -> Key:
    return ids.partition(tenant, ids.CONTACTS), f"{_PREFIX}{contact}"


def _anew(tenant: str, contact: str, at: datetime) -> Item:
    expires = int(at.timestamp()) + MESSAGE_DAYS * _DAY
    key = {"pk": ids.partition(tenant, ids.CONTACTS), "sk": f"{_ANEW}{contact}"}
    return {**key, "at": at.isoformat(), "expires_at": expires}


def _contact(item: Item) -> Contact:
    found = Contact.model_validate_json(item["json"])
    return found.model_copy(update={"told_at": datetime.fromisoformat(item["told_at"])}) if "told_at" in item else found
