"""What there is of a tenant before a manifest is applied."""

from collections.abc import Mapping
from dataclasses import dataclass

from turnkey.documents.shared import SharedDocument
from turnkey.mcp.registration import Registration
from turnkey.mcp.trust import Remembered
from turnkey.store.manifests import Applied, ManifestStore
from turnkey.store.tenants import Row, TenantStore
from turnkey.tenancy.manifest import Manifest, parse
from turnkey.tenancy.plan import SecretPart, desired
from turnkey.tenancy.references import secret_names
from turnkey.tenancy.settings import Tenant


@dataclass(frozen=True)
class Existing:
    """`rows` by sort key. `secrets` are those of the manifest that was applied last."""

    rows: Mapping[str, Row]
    applied: Applied
    secrets: tuple[SecretPart, ...]

    @property
    def suspended(self) -> bool:
        return any(row.suspended for row in self.rows.values() if isinstance(row, Tenant))

    @property
    def documents(self) -> dict[str, SharedDocument]:
        """By name."""
        tenants = (row.documents for row in self.rows.values() if isinstance(row, Tenant))
        none: dict[str, SharedDocument] = {}
        return next(tenants, none)

    @property
    def registrations(self) -> dict[str, Registration]:
        """By name."""
        return {row.name: row for row in self.rows.values() if isinstance(row, Registration)}

    @property
    def remembered(self) -> dict[str, Remembered]:
        """By the server's name."""
        return {row.name: row for row in self.rows.values() if isinstance(row, Remembered)}

    @property
    def secret_names(self) -> frozenset[str]:
        """In full, of every secret that there may be."""
        return secret_names(self.rows.values()) | frozenset(self.applied.secrets)


def read(tenant: str, tenants: TenantStore, manifests: ManifestStore) -> Existing:
    """Of a tenant that may not exist."""
    applied = manifests.find(tenant) or Applied()
    # Whatever its addresses: they were looked at when it was applied.
    manifest = parse(applied.document, allow_private=True) if applied.document else None
    secrets = desired(manifest).secrets if isinstance(manifest, Manifest) else ()
    return Existing(tenants.all_rows(tenant), applied, secrets)
