"""Closing a tenant: its webhooks are refused, and turns that run come to their end."""

from turnkey.store.tenants import TenantStore


def close(tenants: TenantStore, tenant: str, *, suspended: bool = True) -> bool:
    """Or opens it again. Returns whether that changed something."""
    row = tenants.find_tenant(tenant)
    if row is None or row.suspended == suspended:
        return False
    tenants.put(tenant, row.model_copy(update={"suspended": suspended}))
    return True
