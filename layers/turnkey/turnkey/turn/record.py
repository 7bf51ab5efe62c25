"""A turn as the conversations table keeps it: what Route decided, and all that later stages need of the past."""

from datetime import datetime

from pydantic import Field

from turnkey import ids
from turnkey.channels.protocol import InboundMessage
from turnkey.reading.directive import Directive
from turnkey.values import Value

HISTORY_EXCHANGES = 6
HISTORY_CHARACTERS = 1500
"""Of each text. A turn's cost must not grow with the length of the conversation."""


class ReplyRecord(Value):
    """What is said to the customer, and what it was written from."""

    text: str
    rebuilt: bool = Field(default=False, description="written from a clean request, not taken from the loop")
    prompt_characters: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    milliseconds: int = 0


class Exchange(Value):
    """One earlier turn in short."""

    question: str
    reply: str


class TurnRecord(Value):
    """Written once, when the turn opens. `history` is the short form of what came before, oldest first."""

    turn: int
    agent: ids.Name
    messages: tuple[InboundMessage, ...]
    history: tuple[Exchange, ...] = ()
    tools: tuple[str, ...] = Field(default=(), description="model-facing names of the tools shown, in order")
    directive: Directive | None = None
    language: str = Field(default="", description="pinned language, BCP 47; empty: that of the question")
    opened_at: datetime
    deadline: datetime = Field(description="no new model or tool call in the loop after this")

    @property
    def question(self) -> str:
        """All that the customer wrote in this turn."""
        return "\n".join(message.text for message in self.messages)

    @property
    def goal(self) -> str:
        """The one tool that is to answer, or nothing."""
        return self.directive.tool if self.directive else ""

    @property
    def address(self) -> dict[str, str]:
        """Where the reply goes: to the newest message."""
        return self.messages[-1].address if self.messages else {}

    def with_messages(self, more: tuple[InboundMessage, ...]) -> "TurnRecord":
        """The record with messages that joined later."""
        return self.model_copy(update={"messages": (*self.messages, *more)}) if more else self

    def history_for_next(self, reply: str) -> tuple[Exchange, ...]:
        """The history a following turn starts from."""
        exchange = Exchange(question=self.question[:HISTORY_CHARACTERS], reply=reply[:HISTORY_CHARACTERS])
        return (*self.history, exchange)[-HISTORY_EXCHANGES:]
