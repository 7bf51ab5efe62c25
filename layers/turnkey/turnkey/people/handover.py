"""A hand-over: one conversation that a person of the tenant's has taken over, from when to when."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from turnkey import ids
from turnkey.values import Value

SIGNED_AS = "standard_webhooks"
"""The channel by whose rules the people's hooks are signed, in both directions."""
SUMMARY_CHARACTERS = 2000
LINE_CHARACTERS = 1000
MOST_LINES = 12
NOTE_CHARACTERS = 2000

By = Literal["customer", "agent", "person"]


class Asked(Value):
    """That a turn asked for a hand-over, as its reply keeps it. The id is the same however often it is asked for."""

    id: str
    summary: str
    by: By


class Spoken(Value):
    """One thing that was said before."""

    who: Literal["customer", "agent"]
    text: str


class Handover(Value):
    """`told_at` stays empty until the person has really been told. `note` is what they leave for the agent when they
    give the conversation back."""

    id: str
    connection: ids.Name
    conversation: ids.ConversationId
    by: By
    since: datetime
    summary: str = ""
    language: str = Field(default="", description="the customer's, BCP 47")
    lines: tuple[Spoken, ...] = ()
    address: dict[str, str] = Field(default={}, description="what the channel needs to answer the customer")
    told_at: datetime | None = None
    returned_at: datetime | None = None
    note: str = ""

    @property
    def is_open(self) -> bool:
        return self.returned_at is None
