"""What the loop works on; none of it changes."""

from dataclasses import dataclass

from turnkey.tenancy.settings import Agent, CallFormat
from turnkey.tools import Toolset
from turnkey.turn.record import TurnRecord
from turnkey.turn.reference import TurnReference


@dataclass(frozen=True)
class Run:
    """What the loop works on; none of it changes."""

    reference: TurnReference
    record: TurnRecord
    agent: Agent
    tools: Toolset
    """Those the turn shows where no one tool is meant."""
    every: Toolset
    """All of the tenant's that its agent has without a skill."""
    known: Toolset
    """Those that can be called at all: these, those that come with skills, and the built-in ones."""
    call_format: CallFormat
