"""Whose words a value may stand in: one customer's own messages, never the agent's, a tool's or the platform's."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Saying:
    """What one person wrote at one time: a message, or the question of an earlier turn."""

    sender: str
    text: str


def own_texts(sender: str, messages: Sequence[Saying], before: Sequence[Saying]) -> tuple[str, ...]:
    """All that the sender wrote, the newest first. `messages` and `before` have the oldest first."""
    return tuple(one.text for one in reversed([*before, *messages]) if one.sender == sender)


def senders(messages: Sequence[Saying]) -> tuple[str, ...]:
    """Who wrote in this turn, the one who wrote last in front."""
    return tuple(dict.fromkeys(one.sender for one in reversed(messages)))
