"""One-time schedules on one machine: fired once for their moment, deleted then, and kept over a restart."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from threading import Event
from typing import Any

import boto3
import pytest
from moto import mock_aws

from local import one_time
from local.account import REGION
from local.deployment import Schedule
from local.invocation import Outcome
from local.schedule_expressions import InvalidSchedule, parse
from local.scheduler import Scheduler

START = datetime(2026, 3, 27, 12, 0, tzinfo=UTC)
AT = "at(2026-03-28T09:00:00)"


class Functions:
    """The first `failing` runs fail."""

    def __init__(self, failing: int = 0) -> None:
        self.failing = failing
        self.calls: list[bytes] = []
        self.done = Event()

    def __call__(self, _: str, event: bytes) -> Outcome:
        self.calls.append(event)
        failed = len(self.calls) <= self.failing
        if not failed:
            self.done.set()
        return Outcome(b"{}", failed=failed)


@pytest.fixture
def made() -> Iterator[Any]:
    """moto's own scheduler, with one schedule that a function has made."""
    with mock_aws():
        client: Any = boto3.client("scheduler", region_name=REGION)
        client.create_schedule_group(Name="wakes")
        create(client, "a.1", AT)
        yield client


def create(client: Any, name: str, expression: str, **more: Any) -> None:
    client.create_schedule(
        Name=name,
        GroupName="wakes",
        ScheduleExpression=expression,
        FlexibleTimeWindow={"Mode": "OFF"},
        Target={"Arn": "arn:aws:lambda:us-east-1:123456789012:function:wake", "RoleArn": "r", "Input": "{}"},
        **{"ActionAfterCompletion": "DELETE", **more},
    )


def driver(functions: Functions) -> Scheduler:
    return Scheduler(one_time.schedules, functions, clock=lambda: START, take=one_time.take, retry_pace=0)


def names() -> list[str]:
    return [schedule["name"] for schedule in one_time.read()]


@pytest.mark.parametrize(
    ("expression", "zone", "due"),
    [
        (AT, "UTC", datetime(2026, 3, 28, 9, 0, tzinfo=UTC)),
        (AT, "Europe/Berlin", datetime(2026, 3, 28, 8, 0, tzinfo=UTC)),
        ("at(2026-03-29T09:00:00)", "Europe/Berlin", datetime(2026, 3, 29, 7, 0, tzinfo=UTC)),
    ],
)
def test_a_one_time_schedule_is_due_once(expression: str, zone: str, due: datetime) -> None:
    once = parse(expression, zone, once=True)
    assert once.first(START) == due
    assert once.after(due) is None


@pytest.mark.parametrize("expression", ["at(tomorrow)", "at(2026-13-01T00:00:00)", "rate(1 hour)", "at()"])
def test_no_other_expression_is_one(expression: str) -> None:
    with pytest.raises(InvalidSchedule):
        parse(expression, once=True)


def test_it_fires_when_the_clock_is_moved_there_and_is_gone(made: Any) -> None:
    functions = Functions()
    scheduler = driver(functions)
    assert scheduler.tick() == ()
    assert scheduler.move(20 * 3600) == ()
    assert scheduler.move(3600) == ("a.1",)
    assert functions.done.wait(5)
    assert scheduler.move(48 * 3600) == ()
    assert (len(functions.calls), names()) == (1, [])


def test_a_function_that_fails_is_tried_twice_more(made: Any) -> None:
    functions = Functions(failing=2)
    driver(functions).move(48 * 3600)
    assert functions.done.wait(5)
    assert len(functions.calls) == 3


def test_one_whose_time_passed_while_nothing_ran_fires_at_once(made: Any) -> None:
    create(made, "a.2", "at(2026-03-01T09:00:00)")
    functions = Functions()
    assert driver(functions).tick() == ("a.2",)
    assert functions.done.wait(5)


def test_another_time_counts_from_then_on(made: Any) -> None:
    functions = Functions()
    scheduler = driver(functions)
    scheduler.tick()
    made.update_schedule(
        Name="a.1",
        GroupName="wakes",
        ScheduleExpression="at(2026-03-30T09:00:00)",
        FlexibleTimeWindow={"Mode": "OFF"},
        Target={"Arn": "arn:aws:lambda:us-east-1:123456789012:function:wake", "RoleArn": "r"},
    )
    assert scheduler.move(24 * 3600) == ()
    assert scheduler.move(48 * 3600) == ("a.1",)


def test_one_that_was_changed_while_it_fired_stays(made: Any) -> None:
    one_time.take(Schedule("a.1", "at(2026-03-01T09:00:00)", "UTC", "wake", "{}", once=True))
    assert names() == ["a.1"]


def test_one_that_is_to_stay_stays_and_nonsense_never_fires(made: Any, capsys: pytest.CaptureFixture[str]) -> None:
    create(made, "a.3", AT, ActionAfterCompletion="NONE")
    create(made, "a.4", "at(soon)")
    create(made, "a.5", AT, State="DISABLED")
    functions = Functions()
    scheduler = driver(functions)
    assert set(scheduler.move(timedelta(days=2).total_seconds())) == {"a.1", "a.3"}
    assert scheduler.tick() == ()
    assert capsys.readouterr().err.count("a.4 never fires") == 1
    assert set(names()) == {"a.3", "a.4", "a.5"}


def test_they_are_put_back_as_they_were(made: Any) -> None:
    before = json.loads(json.dumps(one_time.read()))
    made.delete_schedule(Name="a.1", GroupName="wakes")
    for one in before:
        one_time.put(one)
    one_time.put({**before[0], "group_name": "gone"})
    assert one_time.read() == before
