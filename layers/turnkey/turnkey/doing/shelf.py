"""The documents that a conversation can reach: its own, and the tenant's as far as its manifest names them."""

from functools import cached_property

from turnkey.documents import naming
from turnkey.documents.document import SHARED, Head
from turnkey.documents.outcome import Refused
from turnkey.documents.shared import SharedDocument
from turnkey.store.documents import DocumentStore
from turnkey.tenancy.settings import Tenant

_TOLD = 20


class Shelf:
    """`scope` is the conversation's."""

    def __init__(self, store: DocumentStore, tenant: Tenant, scope: str) -> None:
        self._store = store
        self._tenant = tenant
        self.scope = scope

    @cached_property
    def own(self) -> tuple[Head, ...]:
        """The conversation's, by their names."""
        return self._store.heads(self._tenant.id, self.scope)

    def find(self, name: str) -> Head | None:
        """The conversation's document of that name, else the tenant's."""
        return self._store.find(self._tenant.id, self.scope, name) or self._shared(name)

    def may_change(self, head: Head) -> bool:
        if head.scope == self.scope:
            return True
        known = self._known(head.name)
        return known is not None and known.writable

    def unknown(self, name: str) -> Refused:
        names = [*(head.name for head in self.own), *self._tenant.documents]
        told = "; ".join(repr(one) for one in names[:_TOLD]) or "none"
        return Refused(why=f"There is no document {name!r} here. Documents there are: {told}.")

    def taken(self, name: str) -> Refused:
        return Refused(
            why=f"There is a document {name!r} already: nothing was created. Change that one, or choose another name."
        )

    def protected(self, head: Head) -> Refused:
        return Refused(
            why=f"{head.name!r} is the company's own and cannot be changed here: nothing was changed. To work on a "
            f"copy, create a document with another name and template {head.name!r}."
        )

    def _shared(self, name: str) -> Head | None:
        return self._store.find(self._tenant.id, SHARED, name) if self._known(name) else None

    def _known(self, name: str) -> SharedDocument | None:
        key = naming.key(name)
        return next((one for one in self._tenant.documents.values() if naming.key(one.name) == key), None)
