"""Calls that need the customer's word: asked about in one turn, made in the next one if the customer plainly agrees.

Only a message of the customer who was asked, written once the question was sent, gives the word; it is good for those
very calls, once. Nothing that a model or a tool writes can give it. Plain.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from turnkey.channels.protocol import InboundMessage
from turnkey.deliverables.cards import card_of
from turnkey.deliverables.rows import find_rows
from turnkey.deliverables.single import find_object
from turnkey.loop.calls import schema_problem
from turnkey.reading.agreement import agreement
from turnkey.reading.directive import compose
from turnkey.reading.facts import Facts
from turnkey.reading.plan import Plan
from turnkey.reading.subject import spaced
from turnkey.reply import confirm_text
from turnkey.reply.titles import named
from turnkey.tools import CallOutcome, CardFields, Tool, Toolset
from turnkey.turn.journal import Journal, ModelAnswer, ToolCall, answers, results, unconfirmed
from turnkey.turn.record import Exchange, TurnRecord
from turnkey.turn.unconfirmed import Unconfirmed
from turnkey.values import Value

GOOD_FOR = timedelta(hours=24)
"""A yes that comes later is asked for again: prices and times have changed by then."""
NOT_MADE = (
    "NOT DONE YET: {tool} is called only once the customer has agreed to this very call. They are being asked now; "
    "only their own next message can agree. Do not say that it is done. If a message that came meanwhile changes what "
    "is wanted, make every call again that is still wanted."
)
GONE = "{tool} is no longer there, so what the customer agreed to cannot be done."


class Word(Value):
    """What a turn's messages say to what the customer was asked. `declined` are tools not to be offered now."""

    agreed: tuple[Unconfirmed, ...] = ()
    declined: tuple[str, ...] = ()


def outcome(tool: Tool, call: ToolCall, allowed: frozenset[str]) -> CallOutcome | None:
    """What comes back in place of a call that needs the customer's word; None where it may be made. `allowed`: see
    `agreed_calls`."""
    if not tool.confirm or call.id in allowed:
        return None
    if wrong := confirm_text.problem(call.arguments):
        return CallOutcome(status="error", text=wrong)
    return CallOutcome(status="unconfirmed", text=NOT_MADE.format(tool=tool.name))


def kept(tool: Tool, call: ToolCall, now: datetime) -> Unconfirmed:
    """The call as the customer is asked about it."""
    return Unconfirmed(
        tool=tool.name,
        server=tool.server,
        original_name=tool.original_name,
        title=tool.title or spaced(tool.original_name),
        arguments=call.arguments,
        at=now,
    )


def agreed_calls(record: TurnRecord, journal: Journal) -> frozenset[str]:
    """Ids of the calls that the customer agreed to: those of the answer that the platform opened the turn with."""
    opened = next(iter(answers(journal)), None)
    if not record.agreed or opened is None or opened.author != "platform":
        return frozenset()
    return frozenset(call.id for call in opened.calls)


def made(calls: Sequence[ToolCall], known: Toolset, allowed: frozenset[str]) -> tuple[ToolCall, ...]:
    """Those of the calls that are really made."""
    return tuple(call for call in calls if not ((tool := known.get(call.name)) and outcome(tool, call, allowed)))


def opening(record: TurnRecord, journal: Journal, known: Toolset) -> ModelAnswer | None:
    """The answer that makes the calls which the customer agreed to, before the model is asked anything."""
    if not record.agreed or answers(journal):
        return None
    calls = (_call(f"call_0_{place}", one, known) for place, one in enumerate(record.agreed))
    return ModelAnswer(author="platform", text="", calls=tuple(calls))


def _call(call_id: str, one: Unconfirmed, known: Toolset) -> ToolCall:
    tool = known.get(one.tool)
    if tool is None or not one.is_of(tool):
        return ToolCall(id=call_id, name=one.tool, problem=GONE.format(tool=one.tool))
    return ToolCall(id=call_id, name=tool.name, arguments=one.arguments, problem=schema_problem(tool, one.arguments))


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


def question(record: TurnRecord, journal: Journal) -> str:
    """What the customer is asked at the end of this turn, or nothing."""
    waiting = unconfirmed(journal)
    if not waiting:
        return ""
    calls = [(call.title, call.arguments) for call in waiting]
    return confirm_text.question(calls, names(record, journal), record.language)


def names(record: TurnRecord, journal: Journal) -> dict[str, str]:
    """What ids stand for, by the results that the customer's tools gave: B001 is Moby-Dick."""
    shown = ((item.title, item.keys) for one in record.history if one.handed for item in one.handed.items)
    rows = (row for result in results(journal) if result.status == "ok" for row in _rows(result.text))
    cards = (card_of(row, CardFields()) for row in rows)
    found = [*shown, *((card.title, card.keys) for card in cards)]
    return {key: title for title, keys in found for key in keys.values() if title and title != key}


def _rows(text: str) -> list[dict[str, Any]]:
    rows, whole = find_rows(text), find_object(text)
    return [*(rows.rows if rows else ()), *([whole] if whole else [])]
