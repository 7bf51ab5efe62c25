"""The built-in tools that a turn has a reason for: from record and journal alone, so that a turn that was cut off goes
on with the same ones."""

from collections.abc import Iterator

from turnkey.channels.protocol import noted
from turnkey.tools import Tool
from turnkey.tools.builtins import Situation, attached
from turnkey.tools.builtins.situation import Said
from turnkey.turn import journal
from turnkey.turn.journal import Journal
from turnkey.turn.record import Exchange, TurnRecord


def builtins_for(record: TurnRecord, steps: Journal, hidden_tools: int) -> tuple[Tool, ...]:
    """`hidden_tools` is how many of the tenant's tools the turn does not show."""
    return tuple(attached(situation(record, steps, hidden_tools)))


def situation(record: TurnRecord, steps: Journal = (), hidden_tools: int = 0) -> Situation:
    """What the reasons are judged by."""
    own = (message for message in record.messages if message.origin == "customer")
    tasks = (message for message in record.messages if message.origin == "platform")
    added = (message for step in journal.joined(steps) for message in step.messages)
    return Situation(
        messages=tuple(message.said for message in (*own, *added)),
        before=tuple(_said(record.history)),
        language=record.language,
        known=record.known,
        steps=steps,
        tasks=tuple(message.said for message in tasks),
        hidden_tools=hidden_tools,
    )


def _said(history: tuple[Exchange, ...]) -> Iterator[Said]:
    for exchange in history:
        if not noted(exchange.question):
            yield "customer", exchange.question
        yield "agent", exchange.told
