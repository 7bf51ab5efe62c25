"""The tool loop itself: model, calls, results, model … Every step is journalled before the next one begins."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from turnkey.loop import prompt
from turnkey.loop.calls import read_answer
from turnkey.loop.views import view
from turnkey.mcp.results import CallOutcome
from turnkey.models.chat import ChatAnswer, ChatRequest
from turnkey.store.turns import TurnStore
from turnkey.telemetry import logger
from turnkey.tenancy.settings import Agent, CallFormat
from turnkey.tools import JsonObject, Tool, Toolset
from turnkey.turn import journal
from turnkey.turn.journal import AskModel, Finish, RunCalls, Step, ToolCall, ToolResult
from turnkey.turn.record import TurnRecord
from turnkey.turn.reference import TurnReference

MARGIN_SECONDS = 10
"""Kept free at the end of an invocation, to write and to hand over."""

MakeCall = Callable[[Tool, JsonObject], Awaitable[CallOutcome]]


class Model(Protocol):
    async def ask(self, request: ChatRequest) -> ChatAnswer: ...


@dataclass(frozen=True)
class Run:
    """What the loop works on; none of it changes."""

    reference: TurnReference
    record: TurnRecord
    agent: Agent
    tools: Toolset
    call_format: CallFormat


class Loop:
    """One invocation's part of the loop. State is the journal alone."""

    def __init__(
        self, run: Run, turns: TurnStore, model: Model, call: MakeCall, remaining_seconds: Callable[[], float]
    ) -> None:
        self._run = run
        self._turns = turns
        self._model = model
        self._call = call
        self._remaining_seconds = remaining_seconds
        self._steps: list[Step] = turns.journal(run.reference)

    async def finished(self) -> bool:
        """Runs until the loop is over (True) or this invocation's time is (False)."""
        run = self._run
        while True:
            match journal.next_step(self._steps, run.agent.limits, _now(), run.record.deadline, run.record.goal):
                case Finish(reason=reason):
                    logger.info("loop over", reason=reason, answers=len(journal.answers(self._steps)))
                    return True
                case AskModel():
                    if not self._has_time_for(run.agent.limits.model_seconds):
                        return False
                    await self._ask()
                case RunCalls(calls=calls):
                    if not self._has_time_for(run.agent.limits.call_seconds):
                        return False
                    await self._run_call(calls[0])

    def _has_time_for(self, seconds: float) -> bool:
        return self._remaining_seconds() > seconds + MARGIN_SECONDS

    async def _ask(self) -> None:
        run = self._run
        left = (run.record.deadline - _now()).total_seconds()
        request = prompt.loop_request(run.record, run.agent, run.tools, self._steps, run.call_format).model_copy(
            update={"seconds": min(run.agent.limits.model_seconds, max(1.0, left))}
        )
        number = len(journal.answers(self._steps))
        answer = read_answer(await self._model.ask(request), number, run.tools)
        answer = answer.model_copy(update={"prompt_characters": request.characters})
        self._turns.add_answer(run.reference, number, answer, _now())
        self._steps.append(answer)
        logger.info("model answered", calls=[call.name for call in answer.calls], milliseconds=answer.milliseconds)

    async def _run_call(self, call: ToolCall) -> None:
        """Start, call, end: a crash in between leaves a start without an end."""
        resumed = journal.was_started(self._steps, call)
        if not resumed:
            started = ToolResult(call=call)
            self._turns.start_call(self._run.reference, started, _now())
            self._steps.append(started)
        outcome, milliseconds = await self._outcome(call, resumed)
        seen = view(outcome.text, self._run.agent.limits.result_characters)
        ended = ToolResult(
            call=call,
            status=outcome.status,
            text=seen.text,
            characters=seen.characters,
            partial=seen.partial,
            milliseconds=milliseconds,
        )
        self._turns.end_call(self._run.reference, ended)
        self._steps = [ended if _is_start_of(step, call) else step for step in self._steps]
        logger.info("tool called", tool=call.name, status=ended.status, milliseconds=milliseconds)
        if seen.partial:
            logger.warning("result cut", tool=call.name, full=seen.characters, shown=len(seen.text))

    async def _outcome(self, call: ToolCall, resumed: bool) -> tuple[CallOutcome, int]:
        tool = self._run.tools.get(call.name)
        if call.problem or tool is None:
            return CallOutcome(status="error", text=call.problem), 0
        if resumed and not tool.hints.safe_to_repeat:
            return CallOutcome(status="unknown", text=journal.OUTCOME_UNKNOWN), 0
        started = time.monotonic()
        outcome = await self._call(tool, call.arguments)
        if outcome.status == "unknown":
            outcome = CallOutcome(status="unknown", text=f"{outcome.text}. {journal.OUTCOME_UNKNOWN}")
        return outcome, int((time.monotonic() - started) * 1000)


def _is_start_of(step: Step, call: ToolCall) -> bool:
    return isinstance(step, ToolResult) and step.call.id == call.id


def _now() -> datetime:
    return datetime.now(UTC)
