"""What travels through the state machine: ids and `next`, never content."""

import json
from typing import Literal

from pydantic import ConfigDict, Field

from turnkey import ids
from turnkey.values import Value

Stage = Literal["route", "tool_loop", "draw", "assist", "browse", "compose", "deliver", "end"]


class TurnReference(Value):
    """Input and output of every state. What it refers to is in the conversations table."""

    tenant: ids.Name
    connection: ids.Name
    conversation: ids.ConversationId
    turn: int = Field(ge=1)
    settle_seconds: int = Field(default=0, ge=0, le=30)
    next: Stage = "route"

    def then(self, stage: Stage, turn: int | None = None) -> "TurnReference":
        """The same turn (or `turn`) with another next stage."""
        return self.model_copy(update={"next": stage, "turn": turn or self.turn})

    @property
    def key(self) -> str:
        return ids.conversation_key(self.tenant, self.connection, self.conversation)

    @property
    def execution_name(self) -> str:
        return ids.execution_name(self.tenant, self.connection, self.conversation, self.turn)

    @property
    def reply_id(self) -> str:
        return ids.reply_id(self.tenant, self.connection, self.conversation, self.turn)


class FailureCause(Value):
    """What the state machine's Catch adds: the error's class name, and the failed function's answer as text."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)

    error: str = Field(default="Unknown", alias="Error")
    cause: str = Field(default="", alias="Cause")

    def message(self) -> str:
        """The error's own message, without its trace."""
        try:
            return str(json.loads(self.cause)["errorMessage"])
        except (ValueError, KeyError, TypeError):
            return self.cause[:500]


class FailedTurn(TurnReference):
    """Input of Apologise."""

    error: FailureCause = FailureCause()

    def reference(self) -> TurnReference:
        return TurnReference.model_validate(self.model_dump(exclude={"error"}))
