"""A schedule that is due: its message is taken once, and only where something may be said."""

from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.reminder_calls import NOW, Alarms, Do, Executions, alarms_of, calls_of, made
from turnkey import channels
from turnkey.channels import InboundMessage
from turnkey.channels.standard_webhooks import Channel
from turnkey.schedules import Schedule
from turnkey.store.stores import Stores
from turnkey.tenancy.circumstances import Circumstances
from turnkey.tenancy.request import SchedulesRequest
from turnkey.tenancy.schedule_desk import ScheduleDesk
from turnkey.tenancy.settings import Tenant
from turnkey.turn import proactive
from turnkey.turn.wake import Wake, Waker


@pytest.fixture
def alarms(stores: Stores) -> Alarms:
    return alarms_of(stores)


@pytest.fixture
def do(stores: Stores, alarms: Alarms) -> Do:
    return calls_of(stores, alarms)


def waiting(do: Do, stores: Stores) -> Schedule:
    do("create_reminder", 0, when="in 2 hours", text="tea")
    return made(stores)[0]


def fire(stores: Stores, schedule: Schedule, executions: Executions | None = None) -> str:
    return Waker(stores, executions or Executions()).wake(Wake(tenant="shop", schedule=schedule.key), NOW)


def test_a_wake_for_another_tenants_schedule_finds_nothing(do: Do, stores: Stores) -> None:
    schedule = waiting(do, stores)
    assert Waker(stores, Executions()).wake(Wake(tenant="rival", schedule=schedule.key), NOW) == "gone"
    assert made(stores) == [schedule]


def test_a_schedule_puts_one_message_of_the_platform_into_the_inbox(do: Do, stores: Stores) -> None:
    executions, schedule = Executions(), waiting(do, stores)
    assert [fire(stores, schedule, executions) for _ in range(3)] == ["woken", "repeated", "repeated"]
    reference = executions.started[0]
    (message,) = stores.conversations.messages(reference, stores.conversations.pending(reference))
    assert (message.origin, message.schedule, message.text, message.address) == (
        "platform",
        schedule.key,
        "tea",
        {"a": "b"},
    )
    assert "tea" in message.said
    assert message.said != "tea"


def test_one_that_died_before_its_message_was_there_goes_on(do: Do, stores: Stores) -> None:
    schedule = waiting(do, stores)
    stores.schedules.move("shop", schedule.key, "due")
    executions = Executions()
    assert fire(stores, schedule, executions) == "woken"
    assert len(executions.started) == 1


class Closed(Channel):
    """A channel that lets the platform write first for a day after the customer wrote."""

    def may_start(self, last_customer_message_at: datetime | None, now: datetime) -> bool:
        return last_customer_message_at is not None and now - last_customer_message_at < timedelta(days=1)


@pytest.mark.parametrize(("hours", "outcome"), [(1, "woken"), (25, "held")])
def test_a_channels_rule_is_kept_and_nothing_is_lost(
    do: Do, stores: Stores, monkeypatch: pytest.MonkeyPatch, hours: int, outcome: str
) -> None:
    monkeypatch.setattr(channels, "find", lambda _: Closed())
    schedule = waiting(do, stores)
    key = "TENANT#shop#CONVERSATION#web#c-1"
    message = InboundMessage(id="m", conversation="c-1", text="Hi", sent_at=NOW)
    stores.conversations.accept(key, message, NOW - timedelta(hours=hours))
    assert fire(stores, schedule) == outcome
    (after,) = made(stores)
    assert (after.state, bool(after.held)) == (("due", False) if outcome == "woken" else ("held", True))
    assert after.text == "tea"
    assert stores.conversations.standing(key).reminders == (0 if outcome == "held" else 1)


def test_what_became_forbidden_after_the_wake_is_held_before_sending(
    do: Do, stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    schedule, executions = waiting(do, stores), Executions()
    fire(stores, schedule, executions)
    reference = executions.started[0]
    messages = stores.conversations.messages(reference, stores.conversations.pending(reference))
    assert proactive.due(stores, reference, messages, NOW) is not None
    monkeypatch.setattr(channels, "find", lambda _: Closed())
    assert proactive.due(stores, reference, messages, NOW) is None
    assert made(stores)[0].state == "held"


@pytest.mark.parametrize("why", ["suspended", "person", "gone"])
def test_nothing_is_said_for_a_tenant_or_conversation_that_is_not_served(do: Do, stores: Stores, why: str) -> None:
    schedule = waiting(do, stores)
    if why == "suspended":
        stores.tenants.put("shop", Tenant(id="shop", name="shop", suspended=True))
    elif why == "person":
        stores.conversations.stand("TENANT#shop#CONVERSATION#web#c-1", NOW, person="h1")
    else:
        stores.tenants.delete("shop", "CONNECTION#web")
    assert fire(stores, schedule) == "held"
    assert made(stores)[0].held
    assert fire(stores, schedule) == "repeated"


def test_rows_are_over_a_month_after_their_time(do: Do, stores: Stores) -> None:
    waiting(do, stores)
    assert stores.schedules.all("shop", NOW + timedelta(days=29))
    assert stores.schedules.all("shop", NOW + timedelta(days=31)) == []


def test_what_did_not_fire_is_overdue_for_the_operator(do: Do, stores: Stores) -> None:
    waiting(do, stores)
    nobody: Any = SimpleNamespace(check=lambda _: None)
    desk = ScheduleDesk(stores.schedules, nobody)
    request = SchedulesRequest(action="schedules", tenant="shop", held=True)
    for minutes, overdue in ((149, 0), (151, 1)):
        seen = desk.read(request, Circumstances("r", NOW + timedelta(minutes=minutes), lambda: 60))
        assert len(seen.schedules) == overdue
