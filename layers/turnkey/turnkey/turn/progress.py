"""What the loop does next, decided from the journal alone. Every limit ends it with a reply."""

from collections import Counter
from datetime import datetime
from typing import Literal

from turnkey.tenancy.settings import Limits
from turnkey.turn.journal import Joined, Journal, ToolCall, answers, joined, results, was_started
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


def next_step(journal: Journal, limits: Limits, now: datetime, deadline: datetime, goal: str = "") -> NextStep:
    """The next step. `goal` is the tool a directive asks for: once it has answered, that is all."""
    if is_answered(journal, goal):
        return Finish(reason="answered")
    waiting = _waiting(journal)
    reason = _limit(journal, limits, now, deadline, waiting)
    if reason:
        return Finish(reason=reason)
    room = limits.calls - len(results(journal)) + sum(was_started(journal, call) for call in waiting)
    return RunCalls(calls=waiting[:room]) if waiting else AskModel()


def is_answered(journal: Journal, goal: str) -> bool:
    """Whether the last word is an answer, or the one tool that was meant has answered."""
    given = answers(journal)
    if not given or isinstance(journal[-1], Joined):
        return False
    if not given[-1].calls:
        return True
    reached = any(result.call.name == goal and result.status == "ok" for result in results(journal))
    return reached and not joined(journal)


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
