"""Changing a tenant: one request at a time, on that tenant's behalf, with an entry in the audit log."""

from collections.abc import Generator, Iterable
from contextlib import contextmanager

from turnkey.store.acting import acting_for
from turnkey.store.audit import AuditStore, Entry
from turnkey.store.deletions import DeletionStore
from turnkey.store.locks import LockStore
from turnkey.tenancy.circumstances import Circumstances
from turnkey.tenancy.problems import Problem, Refused

AFTERWARDS_SECONDS = 5
"""By which a lock outlives the run that holds it."""


class OpenChange:
    """A change that is being made; in the audit log from `begin` on, which comes before the first write."""

    def __init__(self, audit: AuditStore, tenant: str, entry: Entry) -> None:
        self._audit = audit
        self._tenant = tenant
        self._entry = entry
        self._begun = False

    def begin(self, changes: Iterable[str] = (), reason: str = "") -> None:
        self._entry = self._entry.model_copy(update={"changes": tuple(changes), "reason": reason})
        self._audit.begin(self._tenant, self._entry)
        self._begun = True

    def became(self, changes: Iterable[str]) -> None:
        """What was changed in the end."""
        self._entry = self._entry.model_copy(update={"changes": tuple(changes)})

    def end(self) -> None:
        if self._begun:
            self._audit.end(self._tenant, self._entry)


class Changing:
    def __init__(self, locks: LockStore, deletions: DeletionStore, audit: AuditStore) -> None:
        self._locks = locks
        self._deletions = deletions
        self._audit = audit

    @contextmanager
    def alone(self, tenant: str, action: str, circumstances: Circumstances) -> Generator[None]:
        """Acts for the tenant, and nobody else changes it meanwhile. Raises Busy."""
        now = circumstances.now.timestamp()
        until = now + circumstances.remaining() + AFTERWARDS_SECONDS
        with acting_for(tenant), self._locks.held(tenant, action, circumstances.request_id, now, until):
            yield

    @contextmanager
    def open(self, tenant: str, action: str, actor: str, circumstances: Circumstances) -> Generator[OpenChange]:
        """The same, for a change of its own. Raises Busy, and Refused for a tenant that is being deleted."""
        with self.alone(tenant, action, circumstances):
            if self._deletions.find(tenant):
                problem = f"{tenant!r} is being deleted: call delete until it is done, then it can be applied anew"
                raise Refused(Problem(path="tenant", problem=problem))
            entry = Entry(at=circumstances.now, request=circumstances.request_id, action=action, actor=actor)
            change = OpenChange(self._audit, tenant, entry)
            yield change
            change.end()
