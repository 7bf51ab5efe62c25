"""Applying a manifest: all of it or nothing, and nothing twice.

What is written goes in an order in which a run that is cut off leaves nothing behind that the next one does not find:
first the names of the secrets, then the secrets, then the rows that name them; what is no longer needed goes last, and
at the end the manifest itself is kept. Applying it again does the rest.
"""

from typing import Any

from turnkey.store.acting import acting_for
from turnkey.store.manifests import Applied, ManifestStore
from turnkey.store.secrets import SecretStore
from turnkey.store.tenants import TenantStore
from turnkey.tenancy.changing import Changing
from turnkey.tenancy.circumstances import Circumstances
from turnkey.tenancy.documents import SharedDocuments
from turnkey.tenancy.manifest import Manifest
from turnkey.tenancy.preparing import NotPrepared, Prepared, Preparer
from turnkey.tenancy.report import Report

_REMOVED_IN_ORDER = ("CONNECTION#", "AGENT#", "")
"""Rows that name others go before those."""


class Provisioner:
    def __init__(
        self,
        preparer: Preparer,
        changing: Changing,
        tenants: TenantStore,
        manifests: ManifestStore,
        secrets: SecretStore,
        documents: SharedDocuments,
    ) -> None:
        self._preparer = preparer
        self._changing = changing
        self._tenants = tenants
        self._manifests = manifests
        self._secrets = secrets
        self._documents = documents

    def plan(self, content: Any, circumstances: Circumstances) -> Report:
        """What applying would do. Servers are asked; nothing is changed."""
        tenant = ""
        try:
            manifest = self._preparer.parse(content)
            tenant = manifest.tenant.id
            with acting_for(tenant):
                return _report(self._preparer.prepare(manifest, circumstances))
        except NotPrepared as refused:
            return Report(tenant=tenant, servers=refused.servers, errors=refused.problems)

    def apply(self, content: Any, actor: str, circumstances: Circumstances) -> Report:
        """Brings the tenant to what the manifest says. A manifest with errors, or a server that cannot be reached,
        changes nothing and comes back with every error. Raises Busy, and Refused for a tenant that is being deleted."""
        tenant = ""
        try:
            manifest = self._preparer.parse(content)
            tenant = manifest.tenant.id
            return self._apply(manifest, actor, circumstances)
        except NotPrepared as refused:
            return Report(tenant=tenant, servers=refused.servers, errors=refused.problems)

    def _apply(self, manifest: Manifest, actor: str, circumstances: Circumstances) -> Report:
        with self._changing.open(manifest.tenant.id, "apply", actor, circumstances) as change:
            prepared = self._preparer.prepare(manifest, circumstances)
            change.begin(str(made) for made in prepared.changes if made.change != "unchanged")
            self._write(prepared, circumstances)
        return _report(prepared)

    def _write(self, prepared: Prepared, circumstances: Circumstances) -> None:
        tenant, existing = prepared.tenant, prepared.existing
        before = existing.applied
        names = existing.secret_names | prepared.secret_names
        if names != frozenset(before.secrets):
            self._manifests.put(tenant, before.model_copy(update={"secrets": tuple(sorted(names))}))
        for name, value in prepared.secrets.items():
            if prepared.stored.get(name) != value:
                self._secrets.put(name, value)
        sections = prepared.manifest.documents
        self._documents.put(tenant, sections, existing.documents, circumstances.now)
        for key, row in prepared.rows.items():
            if existing.rows.get(key) != row:
                self._tenants.put(tenant, row)
        for key in _removed(prepared):
            self._tenants.delete(tenant, key)
        for name in prepared.orphans:
            self._secrets.delete(name)
        self._documents.forget_others(tenant, sections)
        self._manifests.put(tenant, _applied(prepared, circumstances))


def _removed(prepared: Prepared) -> list[str]:
    def place(key: str) -> int:
        return next(place for place, start in enumerate(_REMOVED_IN_ORDER) if key.startswith(start))

    return sorted(prepared.existing.rows.keys() - prepared.rows.keys(), key=place)


def _applied(prepared: Prepared, circumstances: Circumstances) -> Applied:
    # Every secret is written as kept.
    document = prepared.manifest.model_dump(mode="json", exclude_unset=True, by_alias=True)
    return Applied(document=document, secrets=tuple(sorted(prepared.secret_names)), at=circumstances.now)


def _report(prepared: Prepared) -> Report:
    return Report(
        tenant=prepared.tenant,
        changed=prepared.changed,
        changes=prepared.changes,
        servers=prepared.servers,
        skills=prepared.skills,
    )
