"""What a tenant has used in the last days, beside what it may."""

from datetime import date, datetime

from pydantic import Field

from turnkey.store.tenants import TenantStore
from turnkey.store.usage import UsageStore
from turnkey.tenancy.settings import Quotas
from turnkey.values import Value


class UsedDay(Value):
    """UTC. `tokens` are prompt and completion together."""

    day: date
    turns: int
    tokens: int
    calls: int


class UsageReport(Value):
    tenant: str
    suspended: bool
    quotas: Quotas
    running: int = Field(description="turns that run now")
    days: tuple[UsedDay, ...] = Field(description="oldest first, today last")


def usage(tenants: TenantStore, store: UsageStore, tenant: str, days: int, now: datetime) -> UsageReport:
    """Raises TenantMisconfigured when there is no such tenant. Days are kept for turnkey.store.usage.USAGE_DAYS."""
    settings = tenants.tenant(tenant)
    last = store.last_days(tenant, days, now.date())
    return UsageReport(
        tenant=tenant,
        suspended=settings.suspended,
        quotas=settings.quotas,
        running=store.running(tenant, now),
        days=tuple(UsedDay(day=one.day, **one.used.model_dump()) for one in last),
    )
