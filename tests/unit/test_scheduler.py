"""Schedules are read as strictly as the service reads them, and fire when they are due."""

import threading
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from local.deployment import Schedule
from local.invocation import Outcome, UnknownFunction
from local.schedule_expressions import InvalidSchedule, parse
from local.scheduler import Scheduler
from local.template import load
from local.transform import InvalidTemplate
from tests.unit.test_template_loader import written

START = datetime(2026, 3, 27, 12, 0, tzinfo=UTC)  # a Friday


def times(expression: str, count: int = 3, *, start: datetime = START, zone: str = "UTC") -> list[str]:
    """When it is due first, as UTC without seconds."""
    parsed = parse(expression, zone)
    due = parsed.first(start)
    found: list[str] = []
    while due is not None and len(found) < count:
        found.append(due.astimezone(UTC).strftime("%m-%d %H:%M"))
        due = parsed.after(due)
    return found


def test_a_rate_begins_at_once_and_goes_on_in_equal_steps() -> None:
    assert times("rate(15 minutes)") == ["03-27 12:00", "03-27 12:15", "03-27 12:30"]
    assert times("rate(1 day)", 2) == ["03-27 12:00", "03-28 12:00"]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("cron(0 12 * * ? *)", ["03-28 12:00", "03-29 12:00"]),
        ("cron(0/20 12-13 ? * FRI *)", ["03-27 12:20", "03-27 12:40"]),
        ("cron(5,10 0 1 JAN,jul ? *)", ["07-01 00:05", "07-01 00:10"]),
        ("cron(0 8 ? * MON-FRI *)", ["03-30 08:00", "03-31 08:00"]),
        ("cron(0 8 L * ? *)", ["03-31 08:00", "04-30 08:00"]),
        ("cron(0 8 LW * ? *)", ["03-31 08:00", "04-30 08:00"]),
        ("cron(0 8 1W * ? *)", ["04-01 08:00", "05-01 08:00"]),
        ("cron(0 8 31W * ? *)", ["03-31 08:00", "05-29 08:00"]),
        ("cron(0 8 ? * 6L *)", ["03-27 08:00", "04-24 08:00"]),
        ("cron(0 8 ? * TUE#2 *)", ["04-14 08:00", "05-12 08:00"]),
        ("cron(0 8 ? * L *)", ["03-28 08:00", "04-04 08:00"]),
        ("cron(0 0 29 2 ? *)", ["02-29 00:00", "02-29 00:00"]),
        ("cron(0 0 1 1 ? 2028)", ["01-01 00:00"]),
        ("cron(0 0 30 2 ? *)", []),
        ("cron(0 0 1 1 ? 2020)", []),
    ],
)
def test_a_cron_expression_is_due_on_its_days(expression: str, expected: list[str]) -> None:
    start = START.replace(hour=7) if "6L" in expression else START
    assert times(expression, 2, start=start) == expected


def test_hours_that_the_clocks_leave_out_or_repeat_fire_no_time_or_once() -> None:
    spring = datetime(2026, 3, 27, 23, 0, tzinfo=UTC)
    assert times("cron(30 2 * * ? *)", 2, start=spring, zone="Europe/Berlin") == ["03-28 01:30", "03-30 00:30"]
    autumn = datetime(2026, 10, 24, 12, 0, tzinfo=UTC)
    assert times("cron(30 2 * * ? *)", 2, start=autumn, zone="Europe/Berlin") == ["10-25 00:30", "10-26 01:30"]


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "15 minutes",
        "rate(0 minutes)",
        "rate(-5 minutes)",
        "rate(1.5 hours)",
        "rate(2 weeks)",
        "rate(5minutes)",
        "rate(99999999999999 days)",
        "rate(5 minutes",
        "rate(٥ minutes)",
        "rate(1٥ minutes)",
        "cron(* * * * *)",
        "cron(0 8 * * * *)",
        "cron(0 8 ? * ? *)",
        "cron(60 8 * * ? *)",
        "cron(0 24 * * ? *)",
        "cron(0 8 0 * ? *)",
        "cron(0 8 32 * ? *)",
        "cron(0 8 * 13 ? *)",
        "cron(0 8 ? * 8 *)",
        "cron(0 8 ? * 0 *)",
        "cron(0 8 ? * MON#6 *)",
        "cron(0 8 ? * FUN *)",
        "cron(0 8 * * ? 1969)",
        "cron(0 8 * * ? 2200)",
        "cron(0/0 8 * * ? *)",
        "cron(5-1 8 * * ? *)",
        "cron(1,,2 8 * * ? *)",
        "cron(0 8 99W * ? *)",
        "cron(? 8 * * ? *)",
        "cron(@daily)",
        "at(2026-03-27T12:00:00)",
        "Rate(5 minutes)",
    ],
)
def test_nonsense_is_refused_with_the_expression(expression: str) -> None:
    with pytest.raises(InvalidSchedule) as refusal:
        parse(expression)
    assert repr(expression) in str(refusal.value)


def test_a_time_zone_must_exist() -> None:
    for zone in ("Mars/Olympus", "../etc/passwd", ""):
        with pytest.raises(InvalidSchedule, match="IANA"):
            parse("rate(5 minutes)", zone)


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **by: float) -> None:
        self.now += timedelta(**by)


class Functions:
    """Keeps what it was asked, and waits for it."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, bytes]] = []
        self._changed = threading.Condition()

    def __call__(self, name: str, event: bytes) -> Outcome:
        with self._changed:
            self.calls.append((name, event))
            self._changed.notify_all()
        if name == "nobody":
            raise UnknownFunction(name)
        return Outcome(b"null")

    def wait(self, count: int) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: len(self.calls) >= count, 10)


def schedule(name: str = "refresh", expression: str = "rate(15 minutes)", function: str = "f") -> Schedule:
    return Schedule(name, expression, "UTC", function, '{"due": true}')


def scheduler(clock: Clock, functions: Functions, schedules: Iterable[Schedule]) -> Scheduler:
    return Scheduler(lambda: schedules, functions, clock=clock, poll_seconds=0.01)


def test_what_is_due_is_invoked_with_its_input_and_once() -> None:
    clock, functions = Clock(), Functions()
    driver = scheduler(clock, functions, [schedule()])
    assert [driver.tick(), driver.tick()] == [("refresh",), ()]
    clock.forward(minutes=14, seconds=59)
    assert driver.tick() == ()
    clock.forward(seconds=1)
    assert driver.tick() == ("refresh",)
    assert functions.wait(2)
    assert functions.calls == [("f", b'{"due": true}')] * 2


def test_times_that_were_slept_through_fire_once_together_and_the_rhythm_stays() -> None:
    clock = Clock()
    driver = scheduler(clock, Functions(), [schedule()])
    driver.tick()
    clock.forward(hours=5, minutes=1)
    assert [driver.tick(), driver.tick()] == [("refresh",), ()]
    clock.forward(minutes=14)
    assert driver.tick() == ("refresh",)


def test_schedules_may_come_change_and_go_while_it_runs() -> None:
    clock, there = Clock(), [schedule()]
    driver = scheduler(clock, Functions(), there)
    driver.tick()
    there.append(schedule("other", "cron(0 13 * * ? *)"))
    clock.forward(minutes=1)
    assert driver.tick() == ()
    there[0] = schedule(expression="rate(1 hour)")
    assert driver.tick() == ("refresh",)
    del there[0]
    clock.forward(hours=1)
    assert driver.tick() == ("other",)


def test_a_function_that_is_not_there_stops_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    functions = Functions()
    with scheduler(Clock(), functions, [schedule("lost", function="nobody"), schedule()]):
        assert functions.wait(2)
    assert {name for name, _ in functions.calls} == {"nobody", "f"}


def test_nothing_fires_once_it_has_ended() -> None:
    clock, functions = Clock(), Functions()
    before = set(threading.enumerate())
    with scheduler(clock, functions, [schedule()]):
        assert functions.wait(1)
    clock.forward(days=1)
    assert not [thread for thread in set(threading.enumerate()) - before if thread.name == "scheduler"]
    assert len(functions.calls) == 1


def test_a_schedule_can_be_fired_by_name() -> None:
    functions = Functions()
    driver = scheduler(Clock(), functions, [schedule()])
    assert driver.fire("refresh").failed is False
    with pytest.raises(LookupError, match="nothing"):
        driver.fire("nothing")


EVENTS = """
      Events:
        Due:
          Type: ScheduleV2
          Properties: {ScheduleExpression: %s, Input: '%s', State: %s%s}
"""


def test_a_functions_schedule_event_is_a_schedule_of_the_deployment(tmp_path: Path) -> None:
    [found] = load(written(tmp_path, EVENTS % ("rate(15 minutes)", '{"due": true}', "ENABLED", ""))).schedules
    assert found == Schedule("EchoFunctionDue", "rate(15 minutes)", "UTC", "turnkey-EchoFunction", '{"due": true}')
    assert load(written(tmp_path, EVENTS % ("rate(1 day)", "{}", "DISABLED", ""))).schedules == ()


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (("rate(15 fortnights)", "{}", "ENABLED", ""), "EchoFunctionDue.ScheduleExpression"),
        (("rate(1 day)", "{due", "ENABLED", ""), "EchoFunctionDue.Input is no JSON"),
        (("rate(1 day)", "{}", "ENABLED", ", EndDate: '2026-01-01T00:00:00Z'"), "EndDate of a schedule does not work"),
    ],
)
def test_a_schedule_that_cannot_run_here_is_refused(tmp_path: Path, event: tuple[str, ...], message: str) -> None:
    with pytest.raises(InvalidTemplate, match=message):
        load(written(tmp_path, EVENTS % event))
