"""Deleting a tenant: everything it has, in as many runs as that takes, and the proof that nothing is left.

First it is closed: its webhooks are refused, and what was under way there is waited for. Conversations go as soon as no
turn holds them; what turns need goes once none runs, and the tenant's own row last, so that every run finds the rest.
The audit log stays.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime

from turnkey import ids
from turnkey.store.audit import AuditStore, Entry
from turnkey.store.deletions import Deletion, DeletionStore
from turnkey.store.erasing import Eraser
from turnkey.tenancy.belongings import Kind
from turnkey.tenancy.circumstances import Circumstances
from turnkey.values import Value

QUIET_SECONDS = 20.0
"""Longer than a webhook runs and the index of conversations lags: after that nothing new comes up."""
_SPARE_SECONDS = 15.0
"""Of a run, for what is written at its end."""
_LOOK_AGAIN_SECONDS = 1.0


class Deleted(Value):
    """How far it is. All count by kind: `removed` over all runs; `left` is read back at the end; `kept` stays by
    intention."""

    tenant: str
    done: bool = False
    removed: dict[str, int] = {}
    left: dict[str, int] = {}
    kept: dict[str, int] = {}
    waiting_for: str = ""


class Deleter:
    """`close` has the tenant's webhooks refused from now on. `kinds` go in their order, after all conversations: a part
    of the platform that keeps something of a tenant elsewhere, such as schedules, adds its own kind."""

    def __init__(
        self,
        eraser: Eraser,
        deletions: DeletionStore,
        audit: AuditStore,
        close: Callable[[str], object],
        kinds: tuple[Kind, ...],
    ) -> None:
        self.eraser = eraser
        self.deletions = deletions
        self.audit = audit
        self.close = close
        self.kinds = kinds

    def run(self, tenant: str, actor: str, circumstances: Circumstances, quiet_seconds: float) -> Deleted:
        """As much of it as this run has time for; called again until it is `done`. `quiet_seconds` is how long the
        tenant must have been closed before anything is erased."""
        deletion = self.deletions.find(tenant) or self._begun(tenant, actor, circumstances)
        return _Run(self, tenant, circumstances, deletion).go(quiet_seconds)

    def _begun(self, tenant: str, actor: str, circumstances: Circumstances) -> Deletion:
        self.close(tenant)
        now = circumstances.now
        entry = Entry(at=now, request=circumstances.request_id, action="delete", actor=actor)
        self.audit.begin(tenant, entry)
        deletion = Deletion(closed_at=datetime.now(UTC), entry=entry)
        self.deletions.put(tenant, deletion)
        return deletion


class _Run:
    """One run of a function on one deletion."""

    def __init__(self, deleter: Deleter, tenant: str, circumstances: Circumstances, deletion: Deletion) -> None:
        self._deleter = deleter
        self._tenant = tenant
        self._circumstances = circumstances
        self._deletion = deletion

    def go(self, quiet_seconds: float) -> Deleted:
        if not self._quiet(quiet_seconds):
            return self._so_far("messages that were under way when it was closed")
        if turns := self._erase_conversations():
            return self._so_far(f"turns that run: {turns}. One that died holds its conversation for an hour")
        if not self._go_on():
            return self._so_far("the other conversations, which need more time")
        for kind in self._deleter.kinds:
            self._count({kind.name: kind.erase(self._tenant, self._go_on)})
        left = self._left()
        if any(left.values()) or not self._go_on():
            return self._so_far("the rest, which needs more time").model_copy(update={"left": left})
        return self._ended()

    def _go_on(self) -> bool:
        return self._circumstances.remaining() > _SPARE_SECONDS

    def _quiet(self, seconds: float) -> bool:
        """Waits until the tenant has been closed for so long; False when this run has not the time."""
        while (datetime.now(UTC) - self._deletion.closed_at).total_seconds() < seconds:
            if not self._go_on():
                return False
            time.sleep(_LOOK_AGAIN_SECONDS)
        return True

    def _erase_conversations(self) -> int:
        """Returns how many are left that a turn holds. With none, all are erased, unless the time is over."""
        while (held := self._erase_idle()) and self._go_on():
            time.sleep(_LOOK_AGAIN_SECONDS)
        return held

    def _erase_idle(self) -> int:
        eraser, held = self._deleter.eraser, 0
        for keys in eraser.conversation_keys(self._tenant):
            if not self._go_on():
                break
            running = eraser.running(keys, datetime.now(UTC))
            held += len(running)
            whole, rows = eraser.erase_conversations([key for key in keys if key not in running], self._go_on)
            self._count({"conversations": whole, "rows of conversations": rows})
        return held

    def _count(self, removed: dict[str, int]) -> None:
        for kind, count in removed.items():
            self._deletion = self._deletion.with_removed(kind, count)
        if any(removed.values()):
            self._deleter.deletions.put(self._tenant, self._deletion)

    def _left(self) -> dict[str, int]:
        """Read back, kind by kind."""
        eraser = self._deleter.eraser
        keys = (key for page in eraser.conversation_keys(self._tenant) for key in page)
        # The index may still name what is gone.
        conversations = sum(eraser.count(eraser.conversations, key) > 0 for key in keys)
        return {"conversations": conversations, **{kind.name: kind.left(self._tenant) for kind in self._deleter.kinds}}

    def _ended(self) -> Deleted:
        """The tenant's own row and then the note of this deletion: nothing else is left by which to find it."""
        eraser, tenant = self._deleter.eraser, self._tenant
        settings = ids.tenant_key(tenant)
        self._count({"settings": eraser.erase(eraser.tenants, settings, self._go_on)})
        left = {**self._left(), "settings": eraser.count(eraser.tenants, settings)}
        if any(left.values()):
            return self._so_far("what was written meanwhile").model_copy(update={"left": left})
        changes = tuple(f"removed {count} {kind}" for kind, count in self._deletion.removed.items())
        self._deleter.audit.end(tenant, self._deletion.entry.model_copy(update={"changes": changes}))
        self._deleter.deletions.delete(tenant)
        kept = {"entries of the audit log": eraser.count(eraser.tenants, ids.partition(tenant, ids.AUDIT))}
        return Deleted(tenant=tenant, done=True, removed=self._deletion.removed, left=left, kept=kept)

    def _so_far(self, waiting_for: str) -> Deleted:
        return Deleted(tenant=self._tenant, removed=self._deletion.removed, waiting_for=waiting_for)
