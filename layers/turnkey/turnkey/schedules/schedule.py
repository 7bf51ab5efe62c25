"""A reminder or a follow-up. Plain."""

import hashlib
from typing import Literal

from pydantic import AwareDatetime, Field

from turnkey import ids
from turnkey.values import Value

Kind = Literal["reminder", "follow_up"]
KINDS: tuple[Kind, ...] = ("reminder", "follow_up")
State = Literal["making", "waiting", "due", "done", "held", "cancelled"]
"""making: its alarm may not be set yet; due: its message is in the inbox; done: said; held: its time came, and nothing
could or might be said then (`held` tells why)."""

_NUMBERS = range(1000, 10_000)


class Schedule(Value):
    """`key` is its sort key: what EventBridge, the inbox and the log call it."""

    key: str
    kind: Kind
    state: State = "making"
    connection: ids.Name
    conversation: ids.ConversationId
    address: dict[str, str] = Field(default={}, description="what the channel needs to write to the customer")
    text: str = Field(description="what to remind of, or what to do then")
    at: AwareDatetime = Field(description="UTC")
    zone: str = Field(description="IANA; the customer's, in which the time is told")
    language: str = ""
    made_at: AwareDatetime
    made_by: str = Field(description="idempotency key of the call that made it")
    changed_by: str = Field(default="", description="idempotency key of the call that changed it last")
    version: int = Field(default=1, ge=1, description="grows with each new time: an older alarm no longer counts")
    held: str = Field(default="", description="why nothing was said when its time came")

    @property
    def id(self) -> str:
        """Short enough to be spoken, unique in the conversation: R4821."""
        return self.key.partition("#")[2]

    @property
    def is_ahead(self) -> bool:
        """Whether it is still to come."""
        return self.state in ("making", "waiting")


def conversation_hash(connection: str, conversation: str) -> str:
    """Stands for the conversation in keys: its own id may hold any characters, and 256 of them."""
    return hashlib.sha256(f"{connection}\x00{conversation}".encode()).hexdigest()[:24]


def key(connection: str, conversation: str, call: str, attempt: int = 0) -> str:
    """The same for the same call. Another `attempt` gives the next number, for where the first is another's."""
    number = (int(hashlib.sha256(call.encode()).hexdigest()[:12], 16) + attempt) % len(_NUMBERS)
    return f"{conversation_hash(connection, conversation)}#R{_NUMBERS[number]}"


def alarm_name(tenant: str, key: str) -> str:
    """Of the one-time schedule in EventBridge: at most 64 of its characters, the same each time. It begins with the
    tenant and a dot, by which IAM holds tenants apart."""
    return f"{tenant}.{hashlib.sha256(key.encode()).hexdigest()[:23]}"


def message_id(key: str) -> str:
    """Of the message that says that it is due: the same however often it fires."""
    return f"schedule-{key}"
