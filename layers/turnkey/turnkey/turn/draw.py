"""Draw: makes the chart calls that the loop has left to it, each journalled, and gives the turn back to the loop."""

import hashlib
import time
from datetime import UTC, datetime
from typing import Protocol

from turnkey.deliverables import Chart
from turnkey.errors import DrawingFailed
from turnkey.store.results import ResultStore
from turnkey.store.stores import Stores
from turnkey.telemetry import logger
from turnkey.tools.builtins import draw_chart
from turnkey.turn import journal
from turnkey.turn.journal import Step, ToolCall, ToolResult
from turnkey.turn.progress import RunCalls, is_drawing, next_step
from turnkey.turn.record import TurnRecord
from turnkey.turn.reference import TurnReference


class Objects(Protocol):
    """Where pictures are kept."""

    def put(self, key: str, content: bytes) -> None: ...


class Drawer:
    def __init__(self, stores: Stores, results: ResultStore, objects: Objects) -> None:
        self._stores = stores
        self._results = results
        self._objects = objects

    def draw(self, reference: TurnReference) -> TurnReference:
        """Next is always "tool_loop". A chart that cannot be drawn is a failed call, told to the model. Drawing twice
        gives the same picture under the same key."""
        record = self._stores.turns.get(reference).record
        steps = self._stores.turns.journal(reference)
        limits = self._stores.tenants.agent(reference.tenant, record.agent).limits
        step = next_step(steps, limits, datetime.now(UTC), record.deadline, record.plan)
        if isinstance(step, RunCalls):
            for call in filter(is_drawing, step.calls):
                self._make(reference, record, call, steps)
        return reference.then("tool_loop")

    def _make(self, reference: TurnReference, record: TurnRecord, call: ToolCall, steps: list[Step]) -> None:
        begun = time.monotonic()
        started = ToolResult(call=call, handle=f"r{len(journal.results(steps)) + 1}", tool_kind="chart")
        if not journal.was_started(steps, call):
            self._stores.turns.start_call(reference, started, datetime.now(UTC))
            steps.append(started)
        drawn = self._drawn(reference, record, call)
        milliseconds = int((time.monotonic() - begun) * 1000)
        if isinstance(drawn, Chart):
            ended = {"status": "ok", "deliverable": drawn, "text": draw_chart.told(drawn.title, drawn.alt)}
        else:
            ended = {"status": "error", "text": drawn}
        self._stores.turns.end_call(reference, started.model_copy(update={**ended, "milliseconds": milliseconds}))
        logger.info("chart drawn", status=ended["status"], milliseconds=milliseconds)

    def _drawn(self, reference: TurnReference, record: TurnRecord, call: ToolCall) -> Chart | str:
        """The chart, or why there is none."""
        from turnkey.deliverables.charts.drawing import plan
        from turnkey.deliverables.rendering import render

        handle = str(call.arguments["handle"])
        text = self._results.find(reference, handle)
        if text is None:
            return f"There is no result {handle!r} in this turn to draw."
        title = record.plan.facts.subject if record.plan else ""
        planned = plan(call.arguments, text, record.language or "en", title)
        if isinstance(planned, str):
            return planned
        try:
            png, svg = render(planned.spec)
        except DrawingFailed as error:
            return str(error)
        key = _key(reference, call)
        self._objects.put(f"{key}.png", png)
        self._objects.put(f"{key}.svg", svg.encode())
        return Chart(
            title=planned.title,
            png=f"{key}.png",
            svg=f"{key}.svg",
            alt=planned.alt,
            rows=planned.rows,
            total=planned.total,
        )


def _key(reference: TurnReference, call: ToolCall) -> str:
    """By a hash of the conversation: its id may hold anything."""
    conversation = hashlib.sha256(reference.key.encode()).hexdigest()[:32]
    return f"tenants/{reference.tenant}/charts/{conversation}/{reference.turn}/{call.id}"
