"""Invokes functions when their schedules are due: what EventBridge Scheduler does in the cloud, and moto does not.

Those of the template are invoked once: retries, and the window for being late, are not imitated, and whoever stops the
stack over a due time misses it, as a function does that is deleted in the cloud. One-time schedules that functions make
are invoked as the service and Lambda do it: once for their moment, deleted then, and tried twice more where the
function fails. One whose moment passed while the stack was stopped fires when it is there again.
"""

import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from threading import Event, Lock, Thread

from local.deployment import Schedule
from local.invocation import Dispatch, Outcome, UnknownFunction
from local.schedule_expressions import Expression, InvalidSchedule, parse

POLL_SECONDS = 1.0
"""The service itself is precise to a minute."""

RETRY_SECONDS = (60.0, 120.0)
"""Before the second and the third try of a function that was invoked without waiting for it."""

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
        take: Callable[[Schedule], None] = lambda _: None,
        retry_pace: float = 1.0,
    ) -> None:
        """`schedules` is asked anew each time; a schedule is the same one while its name, expression and time zone
        stay. `clock` gives aware times. `take` removes a one-time schedule that has fired; `retry_pace` multiplies the
        waits between tries."""
        self._schedules = schedules
        self._dispatch = dispatch
        self._clock = clock
        self._poll_seconds = poll_seconds
        self._due: dict[tuple[str, str, str], datetime | None] = {}
        self._take = take
        self._retry_pace = retry_pace
        self._moved = timedelta()
        self._ticking = Lock()
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

    def move(self, seconds: float) -> tuple[str, ...]:
        """Moves the clock by which schedules are due, and fires what is due by then; their names. The functions' own
        clock stays."""
        self._moved += timedelta(seconds=seconds)
        return self.tick()

    def tick(self) -> tuple[str, ...]:
        """Fires what is due by now, each in a thread of its own; its names. Times that passed meanwhile, such as
        while the machine slept, fire once together."""
        with self._ticking:
            fired = self._fired(self._clock() + self._moved)
        for schedule in fired:
            Thread(target=self._invoke, args=(schedule,), name=schedule.name, daemon=True).start()
        return tuple(schedule.name for schedule in fired)

    def _fired(self, now: datetime) -> list[Schedule]:
        before, fired = self._due, list[Schedule]()
        self._due = {}
        for schedule in self._schedules():
            try:
                expression = parse(schedule.expression, schedule.time_zone, once=schedule.once)
            except InvalidSchedule as error:
                self._due[schedule.key] = None
                if schedule.key not in before:
                    print(f"schedule {schedule.name} never fires: {error}", file=sys.stderr)
                continue
            due = before[schedule.key] if schedule.key in before else expression.first(now)
            if due is not None and due <= now:
                fired.append(schedule)
            self._due[schedule.key] = _beyond(expression, due, now)
        return fired

    def _run(self) -> None:
        while not self._stopping.is_set():
            self.tick()
            self._stopping.wait(self._poll_seconds)

    def _invoke(self, schedule: Schedule) -> None:
        if schedule.once:
            self._take(schedule)
        try:
            for seconds in (*RETRY_SECONDS, 0.0) if schedule.once else (0.0,):
                outcome = self._dispatch(schedule.function_name, schedule.input.encode())
                if not outcome.failed or self._stopping.wait(seconds * self._retry_pace):
                    return
        except UnknownFunction:
            print(f"schedule {schedule.name}: there is no function {schedule.function_name}", file=sys.stderr)


def _beyond(expression: Expression, due: datetime | None, now: datetime) -> datetime | None:
    """The first due time that is still to come."""
    while due is not None and due <= now:
        due = expression.after(due)
    return due
