"""Reminders and follow-ups: made once whatever dies, held to limits, and known to their own conversation alone."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest

from turnkey import channels
from turnkey.channels import InboundMessage
from turnkey.channels.standard_webhooks import Channel
from turnkey.doing.reminders import MOST_CHARACTERS, MOST_WAITING, Reminders
from turnkey.schedules import Schedule
from turnkey.schedules.schedule import alarm_name
from turnkey.store import schedules as rows
from turnkey.store.alarms import AlarmStore
from turnkey.store.stores import Stores
from turnkey.tenancy.settings import Agent, Connection, Tenant
from turnkey.tools.builtins.situation import Known
from turnkey.turn import proactive
from turnkey.turn.journal import ToolCall
from turnkey.turn.record import TurnRecord
from turnkey.turn.reference import TurnReference
from turnkey.turn.station import Done, Task
from turnkey.turn.wake import Wake, Waker

GROUP = "t-wakes"
NOW = datetime(2027, 3, 26, 12, 0, tzinfo=UTC)
"""A Friday, two days before the clocks change in Europe."""


class Dies(Exception):
    pass


class Alarms(AlarmStore):
    """Real ones in moto; the next `dies` of them break off."""

    dies = 0

    def set(self, tenant: str, key: str, version: int, at: datetime) -> None:
        self._maybe_die()
        super().set(tenant, key, version, at)

    def reset(self, tenant: str, key: str, version: int, at: datetime) -> None:
        super().reset(tenant, key, version, at)
        self._maybe_die()

    def delete(self, tenant: str, key: str) -> bool:
        self._maybe_die()
        return super().delete(tenant, key)

    def _maybe_die(self) -> None:
        if self.dies:
            self.dies -= 1
            raise Dies


class Executions:
    def __init__(self) -> None:
        self.started: list[TurnReference] = []

    def start(self, reference: TurnReference) -> None:
        self.started.append(reference)


@pytest.fixture
def alarms(stores: Stores) -> Alarms:
    client: Any = boto3.client("scheduler")
    for group in client.list_schedule_groups()["ScheduleGroups"]:
        if group["Name"] == GROUP:
            client.delete_schedule_group(Name=GROUP)
    client.create_schedule_group(Name=GROUP)
    for tenant in ("shop", "rival"):
        stores.tenants.put(tenant, Tenant(id=tenant, name=tenant, time_zone="Europe/Berlin"))
        stores.tenants.put(tenant, Connection(name="web", channel="standard_webhooks", agent="clerk"))
    return Alarms(GROUP, "arn:aws:iam::123456789012:role/x", "arn:aws:lambda:eu-central-1:123456789012:function:wake")


def there() -> list[str]:
    """Names of the alarms that are set."""
    client: Any = boto3.client("scheduler")
    return [one["Name"] for one in client.list_schedules(GroupName=GROUP)["Schedules"]]


Do = Callable[..., Done]


@pytest.fixture
def do(stores: Stores, alarms: Alarms) -> Do:
    """Makes a call: its tool, its number in the conversation, and its arguments."""

    def make(tool: str, call: int = 0, *, tenant: str = "shop", conversation: str = "c-1", **arguments: Any) -> Done:
        said = arguments.pop("said", "Remind me.")
        origin = arguments.pop("origin", "customer")
        now = arguments.pop("now", NOW)
        reference = TurnReference(tenant=tenant, connection="web", conversation=conversation, turn=1)
        message = InboundMessage(
            id="m", conversation=conversation, text=said, sent_at=now, address={"a": "b"}, origin=origin
        )
        record = TurnRecord(
            turn=1,
            agent="clerk",
            messages=(message,),
            known=Known(time_zone="Europe/Berlin"),
            language="en",
            opened_at=now,
            deadline=now,
        )
        called = ToolCall(id=f"call_{call}_0", name=tool, arguments=arguments)
        task = Task(reference, record, Agent(name="clerk", instructions=""), called, (), now)
        return Reminders(stores, alarms).does[tool](task)

    return make


def made(stores: Stores, conversation: str = "c-1", tenant: str = "shop") -> list[Schedule]:
    return stores.schedules.of_conversation(tenant, "web", conversation, NOW)


def ahead(stores: Stores) -> list[Schedule]:
    return [one for one in made(stores) if one.is_ahead]


def test_the_same_call_made_again_makes_one_reminder(do: Do, stores: Stores) -> None:
    first = do("create_reminder", when="in 2 hours", text="tea")
    assert first.outcome.status == "ok"
    assert do("create_reminder", when="in 2 hours", text="tea") == first
    (schedule,) = made(stores)
    assert (schedule.state, schedule.at, schedule.address) == ("waiting", NOW + timedelta(hours=2), {"a": "b"})
    assert there() == [alarm_name("shop", schedule.key)]
    assert stores.conversations.standing("TENANT#shop#CONVERSATION#web#c-1").reminders == 1


def test_two_calls_for_the_same_thing_make_one(do: Do, stores: Stores) -> None:
    do("create_reminder", 0, when="in 2 hours", text="tea")
    do("create_reminder", 1, when="in 2 hours", text="tea")
    do("create_reminder", 2, when="in 2 hours", text="coffee")
    assert sorted(one.text for one in made(stores)) == ["coffee", "tea"]


def test_what_died_before_its_alarm_does_not_count_and_is_completed(do: Do, stores: Stores, alarms: Alarms) -> None:
    alarms.dies = 1
    with pytest.raises(Dies):
        do("create_reminder", when="in 2 hours", text="tea")
    assert ([one.state for one in made(stores)], there()) == (["making"], [])
    assert do("create_reminder", when="in 2 hours", text="tea").outcome.status == "ok"
    assert ([one.state for one in made(stores)], len(there())) == (["waiting"], 1)


def test_one_number_taken_by_another_gives_the_next(do: Do, stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnkey.schedules.schedule._NUMBERS", range(1000, 1002))
    do("create_reminder", 0, when="in 2 hours", text="tea")
    do("create_reminder", 1, when="in 2 hours", text="coffee")
    assert sorted(one.id for one in made(stores)) == ["R1000", "R1001"]


def test_no_more_wait_in_a_conversation_than_may(do: Do, stores: Stores) -> None:
    for number in range(MOST_WAITING):
        do("create_reminder", number, when=f"in {number + 1} hours", text="tea")
    refused = do("create_reminder", 99, when="in 40 hours", text="tea")
    assert refused.outcome.status == "error"
    assert str(MOST_WAITING) in refused.meaning["asks"]
    assert len(ahead(stores)) == MOST_WAITING
    assert do("create_reminder", conversation="c-2", when="in 2 hours", text="tea").outcome.status == "ok"


def test_no_more_are_made_in_a_day_than_may(do: Do, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "A_DAY", 2)
    assert do("create_reminder", 0, conversation="a", when="in 2 hours", text="x").outcome.status == "ok"
    assert do("create_reminder", 0, conversation="b", when="in 2 hours", text="x").outcome.status == "ok"
    assert do("create_reminder", 0, conversation="c", when="in 2 hours", text="x").outcome.status == "error"
    assert do("create_reminder", 0, conversation="b", when="in 2 hours", text="x").outcome.status == "ok"
    assert do("create_reminder", 0, tenant="rival", when="in 2 hours", text="x").outcome.status == "ok"


@pytest.mark.parametrize("text", ["", "  \u200b ", "x" * (MOST_CHARACTERS + 1)])
def test_a_text_that_says_nothing_or_too_much_is_refused(do: Do, stores: Stores, text: str) -> None:
    assert do("create_reminder", when="in 2 hours", text=text).outcome.status == "error"
    assert made(stores) == []


def test_a_follow_up_makes_no_other(do: Do, stores: Stores) -> None:
    assert do("schedule_follow_up", when="in 2 hours", task="look", origin="platform").outcome.status == "error"
    assert made(stores) == []


@pytest.mark.parametrize("when", ["yesterday at nine", "soon", "every day at nine", "x" * 400])
def test_a_time_that_cannot_be_used_is_asked_back_with_a_plan_that_waits(do: Do, stores: Stores, when: str) -> None:
    done = do("create_reminder", when=when, text="tea")
    assert done.outcome.status == "error"
    assert done.meaning["asks"].endswith("?") or "please" in done.meaning["asks"].lower()
    assert done.meaning["asks"] in done.outcome.text
    assert done.meaning["pending"].directive.missing == ("when",)
    assert done.meaning["pending"].directive.arguments["text"] == "tea"
    assert made(stores) == []


def test_a_time_that_the_clocks_leave_out_is_the_next_that_exists(do: Do, stores: Stores) -> None:
    done = do("create_reminder", when="28 March 2027 at 02:30", text="tea")
    assert done.outcome.status == "ok", done.outcome.text
    (schedule,) = made(stores)
    assert datetime(2027, 3, 28, 1, 0, tzinfo=UTC) <= schedule.at <= datetime(2027, 3, 28, 1, 30, tzinfo=UTC)
    assert "02:30" not in done.outcome.text


def test_a_day_across_the_change_of_clocks_keeps_its_clock_time(do: Do, stores: Stores) -> None:
    do("create_reminder", when="29 March 2027 at 09:00", text="tea")
    assert made(stores)[0].at == datetime(2027, 3, 29, 7, 0, tzinfo=UTC)


def test_another_time_sets_the_alarm_anew_and_the_old_one_no_longer_counts(
    do: Do, stores: Stores, alarms: Alarms
) -> None:
    do("create_reminder", 0, when="in 2 hours", text="tea")
    alarms.dies = 1
    with pytest.raises(Dies):
        do("change_reminder", 1, id="latest", when="in 5 hours")
    (before,) = made(stores)
    assert before.at == NOW + timedelta(hours=2)
    done = do("change_reminder", 1, id="latest", when="in 5 hours")
    assert done.outcome.status == "ok"
    assert do("change_reminder", 1, id="latest", when="in 5 hours") == done
    (after,) = made(stores)
    assert (after.at, after.version, after.text) == (NOW + timedelta(hours=5), 2, "tea")
    assert len(there()) == 1
    waker = Waker(stores, Executions())
    assert waker.wake(Wake(tenant="shop", schedule=after.key, version=1), NOW) == "gone"
    assert waker.wake(Wake(tenant="shop", schedule=after.key, version=2), NOW) == "woken"


def test_another_text_leaves_the_time(do: Do, stores: Stores) -> None:
    do("create_reminder", 0, when="in 2 hours", text="tea")
    do("change_reminder", 1, id="latest", text="coffee")
    (after,) = made(stores)
    assert (after.at, after.version, after.text, after.state) == (NOW + timedelta(hours=2), 1, "coffee", "waiting")


def test_cancelling_the_latest_again_cancels_no_other(do: Do, stores: Stores, alarms: Alarms) -> None:
    do("create_reminder", 0, when="in 2 hours", text="tea")
    do("create_reminder", 1, when="in 3 hours", text="coffee", now=NOW + timedelta(seconds=1))
    alarms.dies = 1
    with pytest.raises(Dies):
        do("cancel_reminder", 2, id="latest")
    done = do("cancel_reminder", 2, id="latest")
    assert "coffee" in done.outcome.text
    assert [one.text for one in ahead(stores)] == ["tea"]
    assert len(there()) == 1
    assert "coffee" not in do("list_reminders", 3).outcome.text


def test_ids_may_be_written_as_they_are_spoken(do: Do, stores: Stores) -> None:
    do("create_reminder", 0, when="in 2 hours", text="tea")
    name = made(stores)[0].id
    for number, spoken in enumerate((name.lower(), name[1:], f"#{name[1:]}"), start=1):
        assert do("change_reminder", number, id=spoken, text="t").outcome.status == "ok"
    refused = do("cancel_reminder", 7, id="R0000")
    assert name in refused.outcome.text
    assert "t" in refused.meaning["asks"]


@pytest.mark.parametrize("stranger", [{"conversation": "c-2"}, {"tenant": "rival"}])
def test_nobody_else_sees_or_changes_a_reminder(do: Do, stores: Stores, stranger: dict[str, str]) -> None:
    do("create_reminder", 0, when="in 2 hours", text="tea")
    (mine,) = made(stores)
    assert "tea" not in do("list_reminders", 1, **stranger).outcome.text
    for number, name in enumerate((mine.id, mine.key, "latest"), start=2):
        for tool, more in (("cancel_reminder", {}), ("change_reminder", {"text": "mine"})):
            done = do(tool, number, id=name, **more, **stranger)
            assert done.outcome.status == "error"
            assert "tea" not in done.outcome.text
    assert made(stores) == [mine]
    assert len(there()) == 1


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
