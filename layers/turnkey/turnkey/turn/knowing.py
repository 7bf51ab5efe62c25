"""What the built-in tools' reasons are judged by, beside the messages: from settings and standing. Plain."""

from collections.abc import Sequence

from turnkey.tenancy.settings import Agent, Tenant
from turnkey.tools.builtins.situation import Known, Standing
from turnkey.turn.record import Exchange


def known_of(tenant: Tenant, agent: Agent, standing: Standing, history: Sequence[Exchange]) -> Known:
    """As a turn's record keeps it."""
    last = history[-1] if history else None
    return Known(
        standing=standing,
        time_zone=standing.time_zone or tenant.time_zone,
        loaded=last.skills if last else (),
    )
