"""Reminders and follow-ups: made once whatever dies, held to limits, and known to their own conversation alone."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.support.reminder_calls import NOW, Alarms, Dies, Do, Executions, ahead, alarms_of, calls_of, made, there
from turnkey.doing.reminders import MOST_CHARACTERS, MOST_WAITING
from turnkey.schedules.schedule import alarm_name
from turnkey.store import schedules as rows
from turnkey.store.stores import Stores
from turnkey.tenancy import belongings
from turnkey.turn.wake import Wake, Waker


@pytest.fixture
def alarms(stores: Stores) -> Alarms:
    return alarms_of(stores)


@pytest.fixture
def do(stores: Stores, alarms: Alarms) -> Do:
    return calls_of(stores, alarms)


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


def test_a_deleted_tenants_alarms_go_before_the_rows_that_name_them(do: Do, stores: Stores, alarms: Alarms) -> None:
    for tenant in ("shop", "rival"):
        do("create_reminder", 0, tenant=tenant, when="in 2 hours", text="tea")
    kind = belongings.alarms(alarms, stores.schedules)
    assert kind.erase("shop", lambda: False) == 0
    assert (kind.left("shop"), len(there())) == (1, 2)
    assert kind.erase("shop", lambda: True) == 1
    assert [name.partition(".")[0] for name in there()] == ["rival"]
    assert kind.erase("shop", lambda: True) == 0
