"""What the built-in tools' reasons are judged by, beside the messages: from settings and standing. Plain."""

from collections.abc import Sequence

from turnkey import moments
from turnkey.tenancy.settings import Agent, Tenant
from turnkey.tools.builtins.situation import Known, Standing
from turnkey.turn.record import Exchange


def known_of(tenant: Tenant, agent: Agent, standing: Standing, history: Sequence[Exchange]) -> Known:
    """As a turn's record keeps it."""
    last = history[-1] if history else None
    return Known(
        standing=standing,
        # That of a telephone number is found where times are read: it takes a table of all the world's prefixes.
        time_zone=standing.time_zone or tenant.time_zone,
        loaded=last.skills if last else (),
        public_sources=agent.public is not None,
        hands_to_person=agent.person is not None,
        documents=tuple(tenant.documents),
        captures_contacts=agent.contacts.enabled,
        contact_fields=tuple(field.name for field in agent.contacts.fields),
        field_descriptions=tuple(field.description for field in agent.contacts.fields),
    )


def zone_said(texts: Sequence[str], language: str) -> str:
    """The time zone that the customer says is theirs, the newest first; empty where they say none."""
    return next((zone for text in reversed(texts) if (zone := moments.wish(text, language))), "")
