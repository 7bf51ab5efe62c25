"""What a customer's message says to the question whether a call may be made, and the turn that follows."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from turnkey.channels.protocol import InboundMessage
from turnkey.reading.agreement import agreement
from turnkey.reading.directive import compose
from turnkey.reading.facts import Facts
from turnkey.reading.plan import Plan
from turnkey.reading.subject import spaced
from turnkey.reply.titles import named
from turnkey.tools import Toolset
from turnkey.turn.record import Exchange
from turnkey.turn.unconfirmed import Unconfirmed
from turnkey.values import Value

GOOD_FOR = timedelta(hours=24)
"""A yes that comes later is asked for again: prices and times have changed by then."""


class Word(Value):
    """What a turn's messages say to what the customer was asked. `declined` are tools not to be offered now."""

    agreed: tuple[Unconfirmed, ...] = ()
    declined: tuple[str, ...] = ()


def hear(
    messages: Sequence[InboundMessage],
    history: Sequence[Exchange],
    tools: Toolset,
    language: str,
    now: datetime,
    *,
    were_waiting: Callable[[], bool],
) -> Word:
    """What the messages say to the question that the last turn ended with, if it did. `were_waiting`: whether they, or
    some of them, were written before that question was sent."""
    last = history[-1] if history else None
    if last is None or not last.confirming:
        return Word()
    verbs = {named(call.title)[0] for call in last.confirming}
    said = agreement("\n".join(message.text for message in messages), language, verbs.pop() if len(verbs) == 1 else "")
    found = [next((tool for tool in tools if call.is_of(tool)), None) for call in last.confirming]
    there = [tool for tool in found if tool is not None]
    if said == "no":
        return Word(declined=tuple(tool.name for tool in there))
    if said != "yes" or len(there) < len(found) or not _may_agree(messages, last, now) or were_waiting():
        return Word()
    renamed = zip(last.confirming, there, strict=True)
    return Word(agreed=tuple(call.model_copy(update={"tool": tool.name}) for call, tool in renamed))


def _may_agree(messages: Sequence[InboundMessage], last: Exchange, now: datetime) -> bool:
    """Whether they are of the one who was asked, in good time. Where several wrote the question, nobody knows who may
    agree: they are asked again, and one of them answers."""
    asked = min(call.at for call in last.confirming)
    return (
        len(last.senders) == 1
        and {message.sender for message in messages} == set(last.senders)
        and (now - asked <= GOOD_FOR)
    )


def plan(agreed: Sequence[Unconfirmed], tools: Toolset, message: str) -> Plan | None:
    """The plan of a turn that makes these calls: the rest of the turn then goes as with any other."""
    goals = [tool for call in agreed if (tool := tools.get(call.tool))]
    if not goals:
        return None
    acting = next((tool for tool in goals if tool.kind == "action"), goals[-1])
    return Plan(
        facts=Facts(kind=acting.kind),
        directive=compose(agreed[0].tool, agreed[0].arguments),
        goal=acting.name,
        title=acting.title or spaced(acting.name),
        message=message,
    )
