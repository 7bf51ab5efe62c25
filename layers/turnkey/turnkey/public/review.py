"""A reply from public pages as the tenant looks at it afterwards: whether it stands, or what should have been said."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from turnkey.deliverables import Source
from turnkey.values import Value

State = Literal["open", "approved", "corrected"]
QUESTION_CHARACTERS, REPLY_CHARACTERS, ANSWER_CHARACTERS = 1_500, 3_000, 3_000


class Answered(Value):
    """A question, and what the business itself says to it."""

    question: str
    answer: str


class Review(Value):
    """`id` is the reply's. Personal details are masked in all texts."""

    id: str
    at: datetime
    agent: str
    conversation: str = Field(description="the conversation's key")
    customers: tuple[str, ...] = Field(default=(), description="ids, as contacts have them, of those who asked")
    language: str = ""
    question: str
    reply: str
    sources: tuple[Source, ...] = ()
    state: State = "open"
    answer: str = Field(default="", description="what the tenant says instead; of an approved one its reply")
    decided_at: datetime | None = None
    decided_by: str = ""
