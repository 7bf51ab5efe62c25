"""What a turn uses, and whether a tenant has used up what it may in a day. Plain."""

from typing import Literal, Protocol

from pydantic import Field

from turnkey.models.chat import rough_tokens
from turnkey.tenancy.settings import Quotas
from turnkey.tools.builtins import NAMES
from turnkey.turn.journal import Journal, answers, results
from turnkey.turn.record import ReplyRecord, TurnRecord
from turnkey.values import Value

Kind = Literal["turns", "tokens", "calls"]


class Usage(Value):
    """Of a day, or of one turn. `tokens` are prompt and completion together; `calls` go to the tenant's servers."""

    turns: int = Field(default=0, ge=0)
    tokens: int = Field(default=0, ge=0)
    calls: int = Field(default=0, ge=0)

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(turns=self.turns + other.turns, tokens=self.tokens + other.tokens, calls=self.calls + other.calls)


def reached(used: Usage, quotas: Quotas) -> Kind | None:
    """The quota that leaves no room for another turn, if one does."""
    if used.turns >= quotas.turns:
        return "turns"
    if used.tokens >= quotas.tokens:
        return "tokens"
    return "calls" if used.calls >= quotas.calls else None


def used_by(record: TurnRecord, journal: Journal, reply: ReplyRecord | None) -> Usage:
    """What the turn's models and servers were asked for. That it is a turn was counted when it opened."""
    read = [record.reading] if record.reading else []
    asked = (*read, *answers(journal), *([reply] if reply else []))
    calls = [result for result in results(journal) if not result.call.problem and result.call.name not in NAMES]
    return Usage(tokens=sum(map(_tokens, asked)), calls=len(calls))


class _Asked(Protocol):
    @property
    def prompt_tokens(self) -> int: ...

    @property
    def prompt_characters(self) -> int: ...

    @property
    def completion_tokens(self) -> int: ...


def _tokens(asked: _Asked) -> int:
    return (asked.prompt_tokens or rough_tokens(asked.prompt_characters)) + asked.completion_tokens
