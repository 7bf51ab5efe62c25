"""Names and keys. Every partition key begins with TENANT#<id>, so that IAM can hold tenants apart by leading key."""

import hashlib
import re
from typing import Annotated

from pydantic import StringConstraints

NAME_PATTERN = r"^[a-z0-9](?:[a-z0-9_-]{0,38}[a-z0-9])?$"
"""Tenants, agents, servers and connections: 1 to 40 of a-z 0-9 _ -, neither first nor last a sign."""

Name = Annotated[str, StringConstraints(pattern=NAME_PATTERN)]

ConversationId = Annotated[str, StringConstraints(min_length=1, max_length=256)]
"""The channel's own id of a conversation; any characters."""


def is_name(value: str) -> bool:
    return re.match(NAME_PATTERN, value) is not None and "\n" not in value


def tenant_key(tenant: str) -> str:
    """Partition key of a tenant's settings."""
    return f"TENANT#{tenant}"


def partition(tenant: str, name: str) -> str:
    """Partition key of what a tenant has beside its settings and its conversations; `name` is one of PARTITIONS."""
    return f"TENANT#{tenant}#{name}"


AUDIT, MANIFEST = "AUDIT", "MANIFEST"
"""In the tenants table: who changed what, and the manifest as it was applied."""
TOOLS, LOCKS, QUOTA = "TOOLS", "LOCKS", "QUOTA"
"""In the conversations table: what was too large to show, who holds what, what was used."""
SCHEDULES, CONTACTS, DOCUMENTS = "SCHEDULES", "CONTACTS", "DOCUMENTS"
"""There too: what is to be said later, who customers are, and documents with their versions."""
REVIEWS, PEOPLE = "REVIEWS", "PEOPLE"
"""There too: replies from public pages, for the tenant to look at, and conversations that a person has taken over."""
PARTITIONS = (TOOLS, LOCKS, QUOTA, SCHEDULES, CONTACTS, DOCUMENTS, REVIEWS, PEOPLE)
"""Of the conversations table, beside conversations. Deleting a tenant goes by this list; one not in it would stay."""


def conversation_key(tenant: str, connection: str, conversation: str) -> str:
    """Partition key of a conversation. The channel's id stands last, so whatever it holds cannot reach another key."""
    return f"TENANT#{tenant}#CONVERSATION#{connection}#{conversation}"


def split_conversation_key(key: str) -> tuple[str, str, str]:
    """(tenant, connection, conversation) of a conversation's partition key."""
    _, tenant, _, connection, conversation = key.split("#", 4)
    return tenant, connection, conversation


def execution_name(tenant: str, connection: str, conversation: str, turn: int) -> str:
    """Name of the turn's execution, at most 80 characters: the tenant to read, a hash to be unique.

    The same turn always gives the same name, so that starting it again is harmless.
    """
    # JSON-like framing: no two different tuples join to the same text.
    joined = "\x00".join(f"{len(part)}:{part}" for part in (tenant, connection, conversation, str(turn)))
    return f"{tenant}-{turn}-{hashlib.sha256(joined.encode()).hexdigest()[:24]}"


def handover_id(*of: str) -> str:
    """Id of a hand-over to a person: the same for whatever has asked for it, however often it does."""
    return f"ho_{_hash(of)}"


def person_event_id(handover: str, message: str) -> str:
    """The id under which a person is told of a customer's message, the same at every attempt."""
    return f"hm_{_hash((handover, message))}"


def _hash(parts: tuple[str, ...]) -> str:
    joined = "\x00".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(joined.encode()).hexdigest()[:24]


def reply_id(tenant: str, connection: str, conversation: str, turn: int) -> str:
    """The id under which a turn's reply is sent, the same at every attempt: receivers drop the repeats by it."""
    return "msg_" + execution_name(tenant, connection, conversation, turn)
