"""The turn's record of model answers and tool calls, each written before the next step.

A crash anywhere resumes from it: no answer is sampled twice for the same step, no call is made twice unless repeating
it is safe. `next_step` decides from the journal alone what comes next.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from turnkey.tenancy.settings import Limits
from turnkey.tools import JsonObject
from turnkey.values import Value


class ToolCall(Value):
    """A call as the model wrote it. `problem` says why it cannot be run; then it never is."""

    id: str = Field(description="ours: call_<answer's number>_<place in it>")
    name: str
    arguments: JsonObject = {}
    problem: str = ""


class ModelAnswer(Value):
    """Step: one answer of the model in the loop."""

    kind: Literal["answer"] = "answer"
    text: str
    calls: tuple[ToolCall, ...] = ()
    finish_reason: str = ""
    prompt_characters: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    milliseconds: int = 0


class ToolResult(Value):
    """Step: a tool call, from its start (`status` started) to its end."""

    kind: Literal["result"] = "result"
    call: ToolCall
    status: Literal["started", "ok", "error", "unknown"] = "started"
    text: str = Field(
        default="", description="what the model sees: the whole result, or a view that says it is partial"
    )
    characters: int = Field(default=0, description="size of the whole result")
    partial: bool = False
    milliseconds: int = 0


Step = Annotated[ModelAnswer | ToolResult, Field(discriminator="kind")]
STEP: TypeAdapter[Step] = TypeAdapter(Step)
Journal = Sequence[Step]
"""In the order of their step numbers, which begin at 0."""


class AskModel(Value):
    """Nothing is open: the model is asked."""

    kind: Literal["ask"] = "ask"


class RunCalls(Value):
    """The last answer's calls that have no end yet; `resumed` ones were started before a crash."""

    kind: Literal["run"] = "run"
    calls: tuple[ToolCall, ...]


class Finish(Value):
    """The loop is over. `reason` is told to the reply's writer unless it is "answered"."""

    kind: Literal["finish"] = "finish"
    reason: Literal["answered", "iterations", "deadline"]


NextStep = AskModel | RunCalls | Finish


def answers(journal: Journal) -> list[ModelAnswer]:
    return [step for step in journal if isinstance(step, ModelAnswer)]


def results(journal: Journal) -> list[ToolResult]:
    return [step for step in journal if isinstance(step, ToolResult)]


def next_step(journal: Journal, limits: Limits, now: datetime, deadline: datetime, goal: str = "") -> NextStep:
    """What the loop does next. `goal` is the tool a directive asks for: once it has answered, that is all."""
    given = answers(journal)
    if given and not given[-1].calls:
        return Finish(reason="answered")
    if goal and any(result.call.name == goal and result.status == "ok" for result in results(journal)):
        return Finish(reason="answered")
    ended = {result.call.id for result in results(journal) if result.status != "started"}
    waiting = tuple(call for call in (given[-1].calls if given else ()) if call.id not in ended)
    if now >= deadline:
        return Finish(reason="deadline")
    if waiting:
        return RunCalls(calls=waiting)
    if len(given) >= limits.iterations:
        return Finish(reason="iterations")
    return AskModel()


def was_started(journal: Journal, call: ToolCall) -> bool:
    """Whether a crash may have come between this call's start and its end."""
    return any(result.call.id == call.id and result.status == "started" for result in results(journal))


OUTCOME_UNKNOWN = (
    "The outcome of this call is unknown: the connection broke after it was sent. It may have happened. "
    "Do not repeat it; check first, or tell the customer that it could not be confirmed."
)
