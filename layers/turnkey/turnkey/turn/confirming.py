"""A call that needs the customer's word, in the loop: not made before they agreed, made by the platform when they did.

What they are asked is in `asking`, what they answer in `hearing`.
"""

from collections.abc import Sequence
from datetime import datetime

from turnkey.loop.calls import schema_problem
from turnkey.reading.subject import spaced
from turnkey.reply.askable import problem
from turnkey.tools import CallOutcome, Tool, Toolset
from turnkey.turn.journal import Journal, ModelAnswer, ToolCall, answers
from turnkey.turn.record import TurnRecord
from turnkey.turn.unconfirmed import Unconfirmed

NOT_MADE = (
    "NOT DONE YET: {tool} is called only once the customer has agreed to this very call. They are being asked now; "
    "only their own next message can agree. Do not say that it is done. If a message that came meanwhile changes what "
    "is wanted, make every call again that is still wanted."
)
GONE = "{tool} is no longer there, so what the customer agreed to cannot be done."


def outcome(tool: Tool, call: ToolCall, allowed: frozenset[str]) -> CallOutcome | None:
    """What comes back in place of a call that needs the customer's word; None where it may be made. `allowed`: see
    `agreed_calls`."""
    if not tool.confirm or call.id in allowed:
        return None
    if wrong := problem(call.arguments):
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
