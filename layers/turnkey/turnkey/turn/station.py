"""The calls that a function beside the loop makes, each journalled: charts, what the platform keeps, public pages."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from turnkey.store.results import ResultStore
from turnkey.store.stores import Stores
from turnkey.tenancy.settings import Agent
from turnkey.tools import CallOutcome
from turnkey.tools.builtins import BUILTINS, Place
from turnkey.turn import journal
from turnkey.turn.ending import Ending
from turnkey.turn.journal import Journal, Step, ToolCall, ToolResult
from turnkey.turn.progress import RunCalls, next_step, place_of_call
from turnkey.turn.record import TurnRecord
from turnkey.turn.reference import TurnReference
from turnkey.values import Value


@dataclass(frozen=True)
class Task:
    """One call to make. `record` has the messages that joined, too."""

    reference: TurnReference
    record: TurnRecord
    agent: Agent
    call: ToolCall
    steps: Journal
    now: datetime

    @property
    def key(self) -> str:
        """The same for the same call at every attempt: what it makes is made once by this."""
        return f"{self.reference.execution_name}/{self.call.id}"


class Done(Value):
    """What came of a call. `meaning` are fields of the journal's ToolResult beside its text, such as a deliverable."""

    outcome: CallOutcome
    meaning: dict[str, Any] = {}


Do = Callable[[Task], Done]
"""Makes a call. Every failure that the model can be told is an outcome. Called again after a crash, it must come to the
same: what it makes goes by `Task.key`."""

_TOOLS = {builtin.name: builtin.tool for builtin in BUILTINS}


class Station:
    """`does` has, by the tool's name, what makes its calls. After `begin_seconds` no other one is begun: what is left
    is for a fresh run."""

    def __init__(
        self,
        stores: Stores,
        results: ResultStore,
        place: Place,
        does: Mapping[str, Do],
        *,
        begin_seconds: float = math.inf,
    ) -> None:
        self._stores = stores
        self._results = results
        self._place = place
        self._does = does
        self._begin_seconds = begin_seconds

    def run(self, reference: TurnReference) -> TurnReference:
        """Makes the calls that the loop has left to this function, in order. Next is always "tool_loop"."""
        begun = time.monotonic()
        turn = self._stores.turns.get(reference)
        record = turn.record
        steps = self._stores.turns.journal(reference)
        agent = self._stores.tenants.agent(reference.tenant, record.agent)
        step = next_step(steps, agent.limits, datetime.now(UTC), record.deadline, record.plan)
        ending = Ending(reference, self._stores.turns, self._results, agent.limits)
        for number, call in enumerate(step.calls if isinstance(step, RunCalls) else ()):
            is_late = number > 0 and time.monotonic() - begun > self._begin_seconds
            if place_of_call(call) != self._place or is_late:
                # The loop goes on with what comes first: the order of acting calls is the model's.
                break
            self._make(Task(reference, turn.whole, agent, call, tuple(steps), datetime.now(UTC)), steps, ending)
        return reference.then("tool_loop")

    def _make(self, task: Task, steps: list[Step], ending: Ending) -> None:
        begun = time.monotonic()
        started = self._started(task, steps)
        done = self._does[task.call.name](task)
        milliseconds = int((time.monotonic() - begun) * 1000)
        ended = ending.end(started, done.outcome, steps, milliseconds, meaning=done.meaning)
        steps[steps.index(started)] = ended

    def _started(self, task: Task, steps: list[Step]) -> ToolResult:
        """Written down that the call begins, by this run or by one that died before the call's end."""
        before = next((one for one in journal.results(steps) if one.call.id == task.call.id), None)
        if before is not None:
            return before
        kind = _TOOLS[task.call.name].kind
        started = ToolResult(call=task.call, handle=f"r{len(journal.results(steps)) + 1}", tool_kind=kind)
        self._stores.turns.start_call(task.reference, started, task.now)
        steps.append(started)
        return started
