"""What a built-in tool's reason to be shown is judged by: the messages, what stands in the conversation, and what the
turn has so far. Plain values, from the turn's record and journal alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from turnkey.skills.head import SkillHead
from turnkey.values import Value

Said = tuple[Literal["customer", "agent"], str]


class Standing(Value):
    """How a conversation stands beside its messages when a turn opens. Kept with its inbox: it costs no read."""

    time_zone: str = Field(default="", description="IANA; the customer said so themselves")
    reminders: int = Field(default=0, description="reminders and follow-ups that are still to come, roughly")
    documents: tuple[str, ...] = Field(default=(), description="names of the conversation's own documents")
    person: str = Field(
        default="", description="id of the hand-over under which a person answers; empty: the agent does"
    )
    returned: str = Field(default="", description="id of the hand-over that was given back last")


class Known(Value):
    """The conversation's standing and what its agent has, as the turn's record keeps it."""

    standing: Standing = Standing()
    time_zone: str = Field(default="UTC", description="IANA; by which the customer's words such as tomorrow are read")
    skills: tuple[SkillHead, ...] = ()
    loaded: tuple[str, ...] = Field(
        default=(), description="skills that an earlier turn loaded and that are still needed"
    )
    documents: tuple[str, ...] = Field(default=(), description="names of the tenant's documents and templates")
    contact_fields: tuple[str, ...] = Field(
        default=(), description="what the tenant wants to know beside name and ways"
    )
    field_descriptions: tuple[str, ...] = Field(default=(), description="of contact_fields, in their order")
    captures_contacts: bool = True
    public_sources: bool = False
    hands_to_person: bool = False


_NOTHING = Known()


@dataclass(frozen=True)
class Situation:
    """`messages` are those to be answered, oldest first; `before` what was said before them, oldest first."""

    messages: tuple[str, ...]
    before: tuple[Said, ...] = ()
    language: str = ""
    known: Known = _NOTHING
    steps: Sequence[object] = ()
    """The turn's journal so far."""
    tasks: tuple[str, ...] = ()
    """What was put off until now and is taken up again: the agent's own words."""
    hidden_tools: int = 0
    """Tools of the tenant that the turn does not show."""

    @property
    def text(self) -> str:
        """All that is to be answered."""
        return "\n".join(self.messages)

    @property
    def asked(self) -> str:
        """What the agent said last: what a short answer is an answer to."""
        return next((text for who, text in reversed(self.before) if who == "agent"), "")
