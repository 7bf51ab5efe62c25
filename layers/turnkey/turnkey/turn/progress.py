"""What the loop does next, decided from the journal alone. Every limit ends it with a reply."""

from collections import Counter
from datetime import datetime
from typing import Literal

from turnkey.reading.plan import Plan
from turnkey.tenancy.settings import Limits
from turnkey.tools.builtins import Place, place_of
from turnkey.turn.journal import (
    Again,
    Joined,
    Journal,
    ToolCall,
    answers,
    directive_now,
    joined,
    results,
    unconfirmed,
    was_started,
)
from turnkey.values import Value

SAME_CALL = 3
"""The same call with the same arguments, this often, ends the loop."""

Reason = Literal["answered", "iterations", "calls", "tokens", "deadline", "repetition"]


class AskModel(Value):
    """Nothing is open: the model is asked."""

    kind: Literal["ask"] = "ask"


class RunCalls(Value):
    """The last answer's calls that have no end yet."""

    kind: Literal["run"] = "run"
    calls: tuple[ToolCall, ...]


class Finish(Value):
    """The loop is over. `reason` is told to the reply's writer unless it is "answered"."""

    kind: Literal["finish"] = "finish"
    reason: Reason


NextStep = AskModel | RunCalls | Finish


def next_step(
    journal: Journal, limits: Limits, now: datetime, deadline: datetime, plan: Plan | None = None
) -> NextStep:
    """The next step. Once a plan's last step has come back, that is all."""
    if is_answered(journal, plan):
        return Finish(reason="answered")
    waiting = _waiting(journal)
    reason = _limit(journal, limits, now, deadline, waiting)
    if reason:
        return Finish(reason=reason)
    room = limits.calls - len(results(journal)) + sum(was_started(journal, call) for call in waiting)
    return RunCalls(calls=waiting[:room]) if waiting else AskModel()


def place_of_call(call: ToolCall) -> Place:
    """The function that makes the call. One that cannot be made is answered by the loop."""
    return "tool_loop" if call.problem else place_of(call.name)


def is_answered(journal: Journal, plan: Plan | None) -> bool:
    """Whether the last word is an answer, or the plan is over."""
    given = answers(journal)
    if not given or isinstance(journal[-1], (Joined, Again)):
        return False
    if not given[-1].calls:
        return True
    if unconfirmed(journal) and not _waiting(journal):
        # The next word is the customer's.
        return True
    if is_handed_over(journal) and not _waiting(journal):
        # What comes next is the last sentence.
        return True
    return plan is not None and not joined(journal) and not _waiting(journal) and _is_over(journal, plan)


def is_handed_over(journal: Journal) -> bool:
    """Whether a call has asked for a person to take over."""
    return any(result.handover and result.status == "ok" for result in results(journal))


def _is_over(journal: Journal, plan: Plan) -> bool:
    """Whether the call that the plan asked for has come back and none follows. One that failed is over too where the
    platform gave all its arguments: the model has nothing to mend."""
    last = results(journal)[-1]
    if last.call.problem or directive_now(plan, journal):
        return False
    return last.status == "ok" or plan.directive.complete


def _waiting(journal: Journal) -> tuple[ToolCall, ...]:
    ended = {result.call.id for result in results(journal) if result.status != "started"}
    given = answers(journal)
    return tuple(call for call in (given[-1].calls if given else ()) if call.id not in ended)


def _limit(
    journal: Journal, limits: Limits, now: datetime, deadline: datetime, waiting: tuple[ToolCall, ...]
) -> Reason | None:
    """The limit that is reached, if any."""
    given = answers(journal)
    asked = Counter(call.fingerprint for answer in given for call in answer.calls)
    ended = sum(result.status != "started" for result in results(journal))
    if now >= deadline:
        return "deadline"
    if asked and max(asked.values()) >= SAME_CALL:
        return "repetition"
    if waiting and ended >= limits.calls:
        return "calls"
    if sum(answer.prompt_tokens + answer.completion_tokens for answer in given) >= limits.tokens:
        return "tokens"
    return "iterations" if not waiting and len(given) >= limits.iterations else None
