"""What is done with a tenant that there is: exporting it, closing it, rotating its secrets, deleting it.

Each answer is for a tenant acted for. All raise Refused for a tenant that there is not, and those that change one raise
Busy while another request does.
"""

from dataclasses import dataclass

from turnkey.store.acting import acting_for
from turnkey.store.audit import AuditStore
from turnkey.store.deletions import DeletionStore
from turnkey.store.manifests import ManifestStore
from turnkey.store.secrets import SecretStore
from turnkey.store.tenants import TenantStore
from turnkey.tenancy import rotation
from turnkey.tenancy.answers import AuditLog, Changed, Exported
from turnkey.tenancy.changing import Changing
from turnkey.tenancy.circumstances import Circumstances
from turnkey.tenancy.closing import close
from turnkey.tenancy.deletion import Deleted, Deleter
from turnkey.tenancy.problems import Problem, Refused
from turnkey.tenancy.request import (
    AuditRequest,
    DeleteRequest,
    ExportRequest,
    ResumeRequest,
    RotateRequest,
    SuspendRequest,
)


@dataclass(frozen=True)
class Desk:
    tenants: TenantStore
    manifests: ManifestStore
    secrets: SecretStore
    deletions: DeletionStore
    audit_log: AuditStore
    changing: Changing
    deleter: Deleter
    allow_private: bool

    def export(self, request: ExportRequest, _: Circumstances) -> Exported:
        with acting_for(request.tenant):
            self.check(request.tenant)
            applied = self.manifests.find(request.tenant)
        if applied is None or applied.document is None:
            problem = f"no manifest of {request.tenant!r} was applied to its end: apply it again"
            raise Refused(Problem(path="tenant", problem=problem))
        return Exported(tenant=request.tenant, manifest=applied.document, applied_at=applied.at)

    def rotate(self, request: RotateRequest, circumstances: Circumstances) -> Changed:
        tenant, value = request.tenant, request.value.get_secret_value()
        with self.changing.open(tenant, "rotate_secret", request.actor, circumstances) as change:
            self.check(tenant)
            applied = self.manifests.find(tenant)
            document = (applied.document if applied else None) or {}
            part = rotation.find(document, request.name, value, allow_private=self.allow_private)
            change.begin((f"secret {part.alias}",))
            self.secrets.rotate(part.name, rotation.text(part, value, self.secrets.find), at_once=request.at_once)
        return Changed(tenant=tenant, changed=True, what=f"secret {part.alias}")

    def suspend(self, request: SuspendRequest | ResumeRequest, circumstances: Circumstances) -> Changed:
        """Or has its webhooks taken again."""
        tenant, suspended = request.tenant, isinstance(request, SuspendRequest)
        with self.changing.open(tenant, request.action, request.actor, circumstances) as change:
            self.check(tenant)
            change.begin(("tenant: suspended",), request.reason)
            changed = close(self.tenants, tenant, suspended=suspended)
        return Changed(tenant=tenant, changed=changed, what="suspended" if suspended else "resumed")

    def delete(self, request: DeleteRequest, circumstances: Circumstances) -> Deleted:
        tenant = request.tenant
        if request.confirm != tenant:
            raise Refused(Problem(path="confirm", problem=f"is not the tenant's id: repeat {tenant!r} to delete it"))
        with self.changing.alone(tenant, "delete", circumstances):
            self.check(tenant)
            return self.deleter.run(tenant, request.actor, circumstances, request.quiet_seconds)

    def audit(self, request: AuditRequest, _: Circumstances) -> AuditLog:
        """Also of a tenant that was deleted."""
        with acting_for(request.tenant):
            entries = self.audit_log.entries(request.tenant, request.limit)
            if not entries:
                self.check(request.tenant)
        return AuditLog(tenant=request.tenant, entries=entries)

    def check(self, tenant: str) -> None:
        """Raises Refused unless there is something of the tenant: perhaps only what a first manifest that was cut off,
        or a deletion that is under way, has left."""
        known = (
            self.tenants.find_tenant(tenant) is not None
            or self.manifests.find(tenant) is not None
            or self.deletions.find(tenant) is not None
            or bool(self.tenants.all_rows(tenant))
        )
        if not known:
            raise Refused(Problem(path="tenant", problem=f"there is no tenant {tenant!r}: see `turnkey list`"))
