"""What a tenant's servers offer, and which of their tools return more than a turn can show."""

from pydantic import computed_field

from turnkey.store.tallies import TallyStore
from turnkey.store.tenants import TenantStore
from turnkey.values import Value

REGULARLY = 3
"""Cuts that make it a habit."""


class ToolReport(Value):
    tenant: str
    server: str
    tool: str
    read_only: bool
    description: str
    cuts: int = 0
    full: int = 0
    """Characters a cut result had, on average."""
    shown: int = 0
    """Characters of it that were shown, on average."""
    days: int = 0
    """Days on which it was cut, of the last 90."""

    @computed_field
    @property
    def overflows(self) -> bool:
        return self.cuts >= REGULARLY


def tools(tenants: TenantStore, tallies: TallyStore, tenant: str) -> tuple[ToolReport, ...]:
    """Every tool of the tenant's servers, those that were cut most often first."""
    cuts = {(tally.server, tally.tool): tally for tally in tallies.cuts(tenant)}
    reports: list[ToolReport] = []
    for registration in tenants.all_registrations(tenant):
        for tool in registration.tools:
            tally = cuts.get((registration.name, tool.name))
            reports.append(
                ToolReport(
                    tenant=tenant,
                    server=registration.name,
                    tool=tool.name,
                    read_only=tool.hints.read_only,
                    description=tool.description,
                    cuts=tally.cuts if tally else 0,
                    full=tally.full // tally.cuts if tally else 0,
                    shown=tally.shown // tally.cuts if tally else 0,
                    days=len(tally.days) if tally else 0,
                )
            )
    return tuple(sorted(reports, key=lambda report: (-report.cuts, report.server, report.tool)))
