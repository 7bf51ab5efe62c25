"""Invokes functions when their schedules are due: what EventBridge Scheduler does in the cloud, and moto does not.

A due invocation is made once; the service's retries, and its window for being late, are not imitated. Whoever stops the
stack over a due time misses it, as a function does that is deleted in the cloud.
"""

import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from threading import Event, Thread

from local.deployment import Schedule
from local.invocation import Dispatch, Outcome, UnknownFunction
from local.schedule_expressions import Expression, parse

POLL_SECONDS = 1.0
"""The service itself is precise to a minute."""

Schedules = Callable[[], Iterable[Schedule]]
"""The schedules there are now: those of a template, and whatever else is created while the stack runs."""


def clock(offset_seconds: float = 0) -> Callable[[], datetime]:
    """This machine's clock, shifted."""
    return lambda: datetime.now(UTC) + timedelta(seconds=offset_seconds)


class Scheduler(AbstractContextManager["Scheduler"]):
    """Fires what is due, from entering it to leaving it."""

    def __init__(
        self,
        schedules: Schedules,
        dispatch: Dispatch,
        *,
        clock: Callable[[], datetime],
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        """`schedules` is asked anew each time; a schedule is the same one while its name, expression and time zone
        stay. `clock` gives aware times."""
        self._schedules = schedules
        self._dispatch = dispatch
        self._clock = clock
        self._poll_seconds = poll_seconds
        self._due: dict[tuple[str, str, str], datetime | None] = {}
        self._stopping = Event()
        self._thread = Thread(target=self._run, name="scheduler", daemon=True)

    def __enter__(self) -> "Scheduler":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing fires after this. What was fired before goes on until the functions are ended."""
        self._stopping.set()
        self._thread.join()

    def fire(self, name: str) -> Outcome:
        """Invokes a schedule's function now, whatever its time, and waits for it. Raises LookupError."""
        schedule = next((schedule for schedule in self._schedules() if schedule.name == name), None)
        if schedule is None:
            raise LookupError(f"there is no schedule {name}")
        return self._dispatch(schedule.function_name, schedule.input.encode())

    def tick(self) -> tuple[str, ...]:
        """Fires what is due by now, each in a thread of its own; its names. Times that passed meanwhile, such as
        while the machine slept, fire once together."""
        now, before, fired = self._clock(), self._due, list[Schedule]()
        self._due = {}
        for schedule in self._schedules():
            expression = parse(schedule.expression, schedule.time_zone)
            due = before[schedule.key] if schedule.key in before else expression.first(now)
            if due is not None and due <= now:
                fired.append(schedule)
            self._due[schedule.key] = _beyond(expression, due, now)
        for schedule in fired:
            Thread(target=self._invoke, args=(schedule,), name=schedule.name, daemon=True).start()
        return tuple(schedule.name for schedule in fired)

    def _run(self) -> None:
        while not self._stopping.is_set():
            self.tick()
            self._stopping.wait(self._poll_seconds)

    def _invoke(self, schedule: Schedule) -> None:
        try:
            self._dispatch(schedule.function_name, schedule.input.encode())
        except UnknownFunction:
            print(f"schedule {schedule.name}: there is no function {schedule.function_name}", file=sys.stderr)


def _beyond(expression: Expression, due: datetime | None, now: datetime) -> datetime | None:
    """The first due time that is still to come."""
    while due is not None and due <= now:
        due = expression.after(due)
    return due
