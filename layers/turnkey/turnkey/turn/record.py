"""A turn as the conversations table keeps it: what Route decided, and all that later stages need of the past."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from turnkey import ids
from turnkey.channels.protocol import InboundMessage
from turnkey.deliverables import Deliverable, Source, Sources
from turnkey.deliverables.handed import Handed, HandedItem
from turnkey.errors import Refusal
from turnkey.people.handover import Asked
from turnkey.public.review import Answered
from turnkey.reading.facts import Kind
from turnkey.reading.plan import Plan
from turnkey.tools.builtins.situation import Known
from turnkey.turn.unconfirmed import Unconfirmed
from turnkey.values import Value

HISTORY_EXCHANGES = 6
HISTORY_CHARACTERS = 1500
"""Of each text. A turn's cost must not grow with the length of the conversation."""


class ReplyRecord(Value):
    """What is said to the customer, and what it was written from."""

    text: str
    deliverables: tuple[Deliverable, ...] = Field(default=(), description="what goes with it: cards, charts")
    handed: Handed | None = Field(default=None, description="what a later turn can go back to")
    pending: Plan | None = Field(default=None, description="an action that waits for what the customer was asked for")
    confirming: tuple[Unconfirmed, ...] = Field(default=(), description="calls that wait for the customer to agree")
    skills: tuple[str, ...] = Field(default=(), description="loaded in this turn, or still needed by it")
    handover: Asked | None = Field(default=None, description="a person takes over with this reply")
    noted: str = Field(default="", description="id of the contact whom it tells that something is kept of them")
    author: Literal["model", "platform"] = Field(default="model", description="platform: no answer of the model held")
    due: Kind = Field(default="answer", description="what was to be handed over")
    delivered: bool = Field(default=True, description="whether it was")
    findings: tuple[str, ...] = Field(default=(), description="what was wrong with answers that were not sent")
    model_calls: int = Field(default=0, description="for this reply, the loop's not counted")
    rebuilt: bool = Field(default=False, description="written from a clean request, not taken from the loop")
    prompt_characters: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    milliseconds: int = 0

    @property
    def sources(self) -> tuple[Source, ...]:
        """The public pages that it was written from."""
        return tuple(source for one in self.deliverables if isinstance(one, Sources) for source in one.sources)


class Exchange(Value):
    """One earlier turn in short."""

    question: str
    reply: str
    handed: Handed | None = None
    pending: Plan | None = Field(default=None, description="waits for what only the customer can say")
    confirming: tuple[Unconfirmed, ...] = Field(default=(), description="the customer was asked to agree to these")
    senders: tuple[str, ...] = Field(default=(), description="who wrote the question")
    prompted: bool = Field(default=False, description="some of the question is a schedule's, which nobody wrote")
    at: datetime | None = Field(default=None, description="when the turn was opened")
    skills: tuple[str, ...] = Field(default=(), description="loaded in this turn, or still needed by it")
    person: str = Field(default="", description="id of the hand-over under which a person answered this")
    public: bool = Field(default=False, description="the reply was written from public pages")
    language: str = ""
    language_wished: bool = False

    @property
    def told(self) -> str:
        """The reply with what was shown beside it, for a reader who did not see that."""
        shown = [item.line for item in self.shown]
        return "\n".join([self.reply, f"[shown: {'; '.join(shown)}]"]) if shown else self.reply

    @property
    def shown(self) -> tuple[HandedItem, ...]:
        return self.handed.items if self.handed and self.handed.kind == "items" else ()


class Reading(Value):
    """What reading the facts cost, and why nothing came of it if so."""

    prompt_characters: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    milliseconds: int = 0
    doubt: str = ""


class TurnRecord(Value):
    """Written once, when the turn opens. `history` is the short form of what came before, oldest first."""

    turn: int
    agent: ids.Name
    messages: tuple[InboundMessage, ...]
    history: tuple[Exchange, ...] = ()
    tools: tuple[str, ...] = Field(default=(), description="model-facing names of the tools shown, in order")
    plan: Plan | None = Field(default=None, description="the one tool that is meant, where that is clear")
    agreed: tuple[Unconfirmed, ...] = Field(default=(), description="the calls that the customer has just agreed to")
    kept: tuple[Answered, ...] = Field(default=(), description="what the tenant has itself answered to such a question")
    skill: str = Field(default="", description="the skill that the message is plainly for: it is loaded first of all")
    skill_tools: tuple[str, ...] = Field(default=(), description="shown with the skills that are still loaded")
    known: Known = Field(default=Known(), description="what the built-in tools' reasons are judged by")
    reading: Reading | None = Field(default=None, description="the small call that read the facts, where it was made")
    language: str = Field(default="", description="pinned language, BCP 47; empty: that of the question")
    language_wished: bool = Field(default=False, description="the customer asked for this language")
    woken: Literal["", "reminder", "follow_up", "nothing"] = Field(
        default="", description="the turn is a schedule's: what it is for; nothing: it no longer counts"
    )
    not_served: Refusal | None = Field(default=None, description="why the platform answers by itself, without a model")
    opened_at: datetime
    deadline: datetime = Field(description="no new model or tool call in the loop after this")

    @property
    def question(self) -> str:
        """All that the customer wrote in this turn."""
        return "\n".join(message.said for message in self.messages)

    @property
    def due(self) -> Kind:
        """What is to be handed over."""
        return self.plan.facts.kind if self.plan else "answer"

    @property
    def address(self) -> dict[str, str]:
        """Where the reply goes: to the newest message."""
        return self.messages[-1].address if self.messages else {}

    def with_messages(self, more: tuple[InboundMessage, ...]) -> "TurnRecord":
        """The record with messages that joined later."""
        return self.model_copy(update={"messages": (*self.messages, *more)}) if more else self

    def history_for_next(self, reply: ReplyRecord) -> tuple[Exchange, ...]:
        """The history a following turn starts from."""
        exchange = Exchange(
            question=self.question[:HISTORY_CHARACTERS],
            reply=reply.text[:HISTORY_CHARACTERS],
            handed=reply.handed,
            pending=reply.pending,
            confirming=reply.confirming,
            senders=tuple(sorted({message.sender for message in self.messages})),
            prompted=any(message.origin == "platform" for message in self.messages),
            at=self.opened_at,
            public=bool(reply.sources),
            # What the platform says itself, such as an apology, does not end what a skill was for.
            skills=reply.skills or self.known.loaded,
            language=self.language,
            language_wished=self.language_wished,
        )
        return (*self.history, exchange)[-HISTORY_EXCHANGES:]
