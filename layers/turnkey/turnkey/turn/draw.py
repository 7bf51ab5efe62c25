"""Drawing the charts that a turn asks for, for turnkey.turn.station."""

import hashlib
from typing import Protocol

from turnkey.deliverables import Chart
from turnkey.errors import DrawingFailed
from turnkey.store.objects import passing
from turnkey.store.results import ResultStore
from turnkey.tools import CallOutcome
from turnkey.tools.builtins import draw_chart
from turnkey.turn.station import Done, Task


class Objects(Protocol):
    """Where pictures are kept."""

    def put(self, key: str, content: bytes) -> None: ...


class Drawer:
    def __init__(self, results: ResultStore, objects: Objects) -> None:
        self._results = results
        self._objects = objects

    def draw(self, task: Task) -> Done:
        """A chart that cannot be drawn is a failed call, told to the model. Drawing twice gives the same picture under
        the same key."""
        drawn = self._drawn(task)
        if isinstance(drawn, str):
            return Done(outcome=CallOutcome(status="error", text=drawn))
        told = draw_chart.told(drawn.title, drawn.alt)
        return Done(outcome=CallOutcome(status="ok", text=told), meaning={"deliverable": drawn})

    def _drawn(self, task: Task) -> Chart | str:
        """The chart, or why there is none."""
        from turnkey.deliverables.charts.drawing import plan
        from turnkey.deliverables.rendering import render

        handle = str(task.call.arguments["handle"])
        text = self._results.find(task.reference, handle)
        if text is None:
            return f"There is no result {handle!r} in this turn to draw."
        title = task.record.plan.facts.subject if task.record.plan else ""
        planned = plan(task.call.arguments, text, task.record.language or "en", title)
        if isinstance(planned, str):
            return planned
        try:
            png, svg = render(planned.spec)
        except DrawingFailed as error:
            return str(error)
        key = _key(task)
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


def _key(task: Task) -> str:
    """By a hash of the conversation: its id may hold anything."""
    reference = task.reference
    conversation = hashlib.sha256(reference.key.encode()).hexdigest()[:32]
    return passing(reference.tenant, f"charts/{conversation}/{reference.turn}/{task.call.id}")
