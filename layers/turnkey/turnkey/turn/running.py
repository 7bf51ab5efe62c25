"""The tool loop itself: model, calls, results, model … Every step is journalled before the next one begins."""

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import takewhile
from typing import Literal, Protocol

from turnkey.loop import prompt
from turnkey.loop.calls import read_answer
from turnkey.models.chat import ChatAnswer, ChatRequest, rough_tokens
from turnkey.store.turns import TurnStore
from turnkey.telemetry import logger
from turnkey.turn import confirming, interlude, journal, skilling
from turnkey.turn.calling import Calling
from turnkey.turn.journal import Joined, Step, ToolResult
from turnkey.turn.offering import offered
from turnkey.turn.progress import AskModel, Finish, RunCalls, next_step, place_of_call
from turnkey.turn.run import Run
from turnkey.turn.showing import Showing

MARGIN_SECONDS = 10
"""Kept free at the end of an invocation, to write and to hand over."""


class Model(Protocol):
    async def ask(self, request: ChatRequest, *, small: bool = False) -> ChatAnswer: ...


Next = Literal["compose", "tool_loop", "draw", "assist", "browse"]


class Loop:
    """One invocation's part of the loop. Its state is the journal alone."""

    def __init__(
        self,
        run: Run,
        steps: list[Step],
        turns: TurnStore,
        model: Model,
        calling: Calling,
        showing: Showing,
        remaining_seconds: Callable[[], float],
    ) -> None:
        self._run = run
        self._steps = steps
        self._turns = turns
        self._model = model
        self._calling = calling
        self._showing = showing
        self._remaining_seconds = remaining_seconds

    async def run(self) -> Next:
        """Runs until the loop is over, a chart is to be drawn, or this invocation's time is up."""
        run = self._run
        self._open()
        while True:
            match next_step(self._steps, run.agent.limits, _now(), run.record.deadline, run.record.plan):
                case Finish(reason=reason):
                    logger.info("loop over", reason=reason, answers=len(journal.answers(self._steps)))
                    return "compose"
                case AskModel():
                    if not self._has_time_for(run.agent.limits.model_seconds):
                        return "tool_loop"
                    self._showing.thinking()
                    await self._ask()
                case RunCalls(calls=calls):
                    allowed = confirming.agreed_calls(run.record, self._steps)
                    self._showing.calling(confirming.made(calls, run.known, allowed), run.known)
                    # The order of calls that act is the model's.
                    own = tuple(takewhile(lambda call: place_of_call(call) == "tool_loop", calls))
                    if not own:
                        return place_of_call(calls[0])
                    if not self._has_time_for(self._calling.seconds):
                        return "tool_loop"
                    await self._calling.run(own, self._steps)

    def _open(self) -> None:
        """Begins with the calls that the customer has agreed to, where this turn is for them, with the person that they
        ask for, or with the skill that they plainly need."""
        run = self._run
        answer = (
            confirming.opening(run.record, self._steps, run.known)
            or interlude.opening(run.record, self._steps)
            or skilling.opening(run.record, self._steps)
        )
        if answer:
            self._turns.add_answer(run.reference, 0, answer, _now())
            self._steps.append(answer)
            why = "customer agreed" if run.record.agreed else "called by the platform"
            logger.info(why, calls=[call.name for call in answer.calls])

    def _quotable(self) -> list[str]:
        """What a model may quote a call from: the customer's words and the tools' results. A skill's instructions show
        calls that are to be made."""
        steps = (step for step in self._steps if not (isinstance(step, ToolResult) and step.skill))
        said = [step.text for step in steps if isinstance(step, (ToolResult, Joined))]
        return [self._run.record.question, *said]

    def _has_time_for(self, seconds: float) -> bool:
        return self._remaining_seconds() > seconds + MARGIN_SECONDS

    async def _ask(self) -> None:
        run = self._run
        left = (run.record.deadline - _now()).total_seconds()
        tools = offered(run, self._steps)
        request = prompt.loop_request(run.record, run.agent, tools, self._steps, run.call_format).model_copy(
            update={"seconds": min(run.agent.limits.model_seconds, max(1.0, left))}
        )
        number = len(journal.answers(self._steps))
        answer = read_answer(await self._model.ask(request), number, tools, self._quotable())
        answer = answer.model_copy(
            update={
                "prompt_characters": request.characters,
                # Endpoints that count nothing are counted roughly, or the limit on tokens would not hold.
                "prompt_tokens": answer.prompt_tokens or rough_tokens(request.characters),
            }
        )
        self._turns.add_answer(run.reference, number, answer, _now())
        self._steps.append(answer)
        logger.info(
            "model answered",
            calls=[call.name for call in answer.calls],
            finish_reason=answer.finish_reason,
            milliseconds=answer.milliseconds,
        )


def _now() -> datetime:
    return datetime.now(UTC)
