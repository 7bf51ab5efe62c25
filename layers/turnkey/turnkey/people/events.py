"""What a tenant's hook is told (Standard Webhooks; `webhook-id` is the same at every attempt).

{"type": "conversation.handed_over", "timestamp": …, "data": {"handover", "connection", "conversation_id", "by",
 "since", "summary", "language", "lines": [{"who", "text"} …], "address", "give_back": "/people/{tenant}/{connection}"}}
{"type": "conversation.message", "timestamp": …, "data": {"handover", "connection", "conversation_id",
 "message": {"id", "text", "sent_at", "sender", "origin"}, "address"}} for each message while the person answers
"""

from datetime import datetime

from turnkey import ids
from turnkey.channels import InboundMessage, Outgoing
from turnkey.channels.standard_webhooks import signed
from turnkey.people.handover import Handover

Secrets = tuple[str, ...]


def handed_over(handover: Handover, tenant: str, url: str, secrets: Secrets, now: datetime) -> Outgoing:
    """That a conversation is theirs now."""
    data: dict[str, object] = {
        **_place(handover),
        "by": handover.by,
        "since": handover.since.isoformat(),
        "summary": handover.summary,
        "language": handover.language,
        "lines": [line.model_dump() for line in handover.lines],
        "address": handover.address,
        "give_back": f"/people/{tenant}/{handover.connection}",
    }
    return signed("conversation.handed_over", handover.id, data, url, secrets, now)


def message(handover: Handover, said: InboundMessage, url: str, secrets: Secrets, now: datetime) -> Outgoing:
    """What the customer has written since."""
    written = said.model_dump(mode="json", include={"id", "text", "sent_at", "sender", "origin"})
    data: dict[str, object] = {**_place(handover), "message": written, "address": said.address}
    event_id = ids.person_event_id(handover.id, said.id)
    return signed("conversation.message", event_id, data, url, secrets, now)


def _place(handover: Handover) -> dict[str, object]:
    return {
        "handover": handover.id,
        "connection": handover.connection,
        "conversation_id": handover.conversation,
    }
