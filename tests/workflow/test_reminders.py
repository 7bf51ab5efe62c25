"""Reminders and follow-ups, from webhook to effect and back: made once, said once when their time comes, and known to
their own conversation alone."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from local.stack import Stack
from local.workers import KillTime
from tests.support.languages import in_languages
from tests.support.model_server import Answer, Call, ModelServer, calls
from tests.support.reminding import (
    DAYS,
    HOURS,
    Json,
    agent_with_books,
    alarms,
    first,
    obedient,
    say,
    schedules,
    statuses,
    wait_for,
    wake,
)
from tests.support.shop import Shop
from tests.workflow.test_provisioning import ask

OpenShop = Callable[..., Shop]
Later = Callable[[float], None]


@pytest.fixture
def shop(shops: OpenShop, model: ModelServer) -> Shop:
    model.script(obedient)
    return shops([])


@pytest.fixture
def later(stack: Stack) -> Iterator[Later]:
    """Moves the clock by which schedules are due. The functions' own clock stays, and so do other tests' schedules."""
    moved = 0.0

    def move(seconds: float) -> None:
        nonlocal moved
        moved += seconds
        stack.scheduler.move(seconds)

    yield move
    stack.scheduler.move(-moved)


ASKED = {
    "en": ("Remind me tomorrow at nine to call the dentist", "call the dentist"),
    "zh": ("明天下午三点提醒我给牙医打电话", "给牙医打电话"),
    "ja": ("明日の午後3時に歯医者に電話するようリマインドしてください", "歯医者に電話する"),
    "ru": ("Напомни мне завтра в девять позвонить стоматологу", "позвонить стоматологу"),
    "ko": ("내일 오후 3시에 치과에 전화하라고 알려줘", "치과에 전화"),
}


@pytest.mark.parametrize("language", in_languages(ASKED))
def test_a_reminder_comes_once_in_the_customers_language(
    shop: Shop, model: ModelServer, later: Later, language: str
) -> None:
    asked, about = ASKED[language]
    said = say(shop, asked, 1)
    assert about in said
    assert json.loads(shop.turns()[0]["json"])["reading"] is None, "no model is asked what is meant"
    assert [tool["function"]["name"] for tool in model.requests[0].body["tools"]] == ["create_reminder"]
    assert [row["is_now"] for row in schedules(shop)] == ["waiting"]
    assert len(alarms(shop)) == 1
    model.requests.clear()
    later(2 * DAYS)
    reminder = shop.texts(2)[1]
    assert reminder.startswith("⏰")
    assert about in reminder
    assert model.requests == []
    assert [row["is_now"] for row in schedules(shop)] == ["done"]
    assert alarms(shop) == []
    later(2 * DAYS)
    assert wake(shop, schedules(shop)[0]) == {"outcome": "repeated"}
    assert len(shop.texts(2)) == 2


REMIND = "Remind me tomorrow at nine to call the dentist"


def test_a_schedule_that_fires_twice_arrives_once(shop: Shop, stack: Stack) -> None:
    say(shop, REMIND, 1)
    row = schedules(shop)[0]
    with ThreadPoolExecutor(3) as pool:
        outcomes = list(pool.map(lambda _: wake(shop, row)["outcome"], range(3)))
    assert outcomes.count("woken") == 1
    assert [text.startswith("⏰") for text in shop.texts(2)] == [False, True]
    stack.scheduler.fire(alarms(shop)[0]["name"])
    shop.settle()
    assert len(shop.turns()) == 2


@pytest.mark.long
@pytest.mark.parametrize("when", ["before", "after", 0.02, 0.06, 0.1])
def test_a_wake_that_dies_is_tried_again_and_the_reminder_arrives_once(
    shop: Shop, later: Later, when: KillTime
) -> None:
    say(shop, REMIND, 1)
    shop.kill_next("Wake", when)
    later(2 * DAYS)
    assert shop.texts(2)[1].startswith("⏰")
    assert [row["is_now"] for row in schedules(shop)] == ["done"]
    assert len(shop.turns()) == 2


@pytest.mark.long
@pytest.mark.parametrize("when", ["before", "after", 0.03, 0.08, 0.15])
def test_a_call_that_dies_makes_one_reminder(shop: Shop, when: KillTime) -> None:
    shop.kill_next("Assist", when)
    say(shop, REMIND, 1)
    assert [row["is_now"] for row in schedules(shop)] == ["waiting"]
    assert len(alarms(shop)) == 1


@pytest.mark.long
def test_a_repeated_webhook_makes_one_reminder(shop: Shop) -> None:
    shop.post_at_once([REMIND] * 3, message_id="same")
    shop.settle()
    shop.post(REMIND, message_id="same")
    assert len(shop.texts(1)) == 1
    assert len(schedules(shop)) == len(alarms(shop)) == 1


@pytest.mark.long
def test_the_platform_makes_the_call_where_the_model_does_not(shop: Shop, model: ModelServer) -> None:
    model.script(lambda body: "Sure thing, consider it done!" if "tools" in body else obedient(body))
    assert "call the dentist" in say(shop, REMIND, 1)
    assert statuses(shop) == ["ok"]
    assert len(schedules(shop)) == 1


@pytest.mark.long
def test_it_is_what_was_spoken_of(shop: Shop, model: ModelServer, later: Later) -> None:
    model.script(lambda body: obedient(body) if "Call " in str(body["messages"]) else "We close at six.")
    say(shop, "When do you close on Saturday?", 1)
    model.script(obedient)
    assert "When do you close on Saturday?" in say(shop, "Remind me of it tomorrow at nine", 2)
    later(2 * DAYS)
    assert "When do you close on Saturday?" in shop.texts(3)[2]


@pytest.mark.long
@pytest.mark.parametrize(
    ("asked", "when", "answer"),
    [
        ("Remind me to call the dentist", "soon", "tomorrow at nine"),
        ("Remind me yesterday at nine to call the dentist", "yesterday at nine", "tomorrow at nine"),
        ("提醒我给牙医打电话", "尽快", "明天下午三点"),
        ("歯医者に電話するようリマインドしてください", "そのうち", "明日の午後3時"),
        ("Напомни мне позвонить стоматологу", "скоро", "завтра в девять"),
        ("치과에 전화하라고 상기시켜 줘", "곧", "내일 오후 3시"),
    ],
)
def test_a_time_that_cannot_be_used_is_asked_back_and_the_answer_completes_it(
    shop: Shop, model: ModelServer, asked: str, when: str, answer: str
) -> None:
    call = Call("create_reminder", {"when": when, "text": asked})
    model.script([calls(call), *["I have set the reminder!"] * 4])
    question = say(shop, asked, 1)
    assert re.search("[?？]", question)
    assert "Sorry" not in question
    assert schedules(shop) == []
    assert statuses(shop) == ["error"]
    model.script(obedient)
    assert asked in say(shop, answer, 2)
    assert [row["is_now"] for row in schedules(shop)] == ["waiting"]


@pytest.mark.long
def test_a_reminder_that_came_can_be_put_off(shop: Shop, later: Later) -> None:
    say(shop, REMIND, 1)
    later(2 * DAYS)
    shop.texts(2)
    assert "call the dentist" in say(shop, "Remind me again in 2 hours", 3)
    assert schedules(shop)[1]["text"] == "call the dentist"


@pytest.mark.long
def test_a_time_zone_that_the_customer_names_is_kept(shop: Shop, model: ModelServer) -> None:
    model.script(lambda _: "Welcome!")
    say(shop, "I'm in Tokyo now.", 1)
    model.script(obedient)
    assert "Tokyo" in say(shop, REMIND, 2)
    assert schedules(shop)[0]["at"].endswith("T00:00:00Z")
    assert schedules(shop)[0]["zone"] == "Asia/Tokyo"


@pytest.mark.long
def test_a_changed_reminder_comes_at_its_new_time_alone(shop: Shop, model: ModelServer, later: Later) -> None:
    say(shop, "Remind me in 3 hours to drink tea", 1)
    model.script(first(Call("change_reminder", {"id": "latest", "when": "in 5 hours"})))
    say(shop, "Please change my reminder to in 5 hours", 2)
    later(4 * HOURS)
    shop.settle()
    assert len(shop.texts(2)) == 2
    later(2 * HOURS)
    assert shop.texts(3)[2] == "⏰ Reminder: drink tea"


@pytest.mark.long
def test_reminders_are_listed_changed_and_cancelled_by_words(shop: Shop, model: ModelServer, later: Later) -> None:
    say(shop, REMIND, 1)
    model.script(first(Call("list_reminders")))
    assert "call the dentist" in say(shop, "Which reminders do I have?", 2)
    model.script(first(Call("change_reminder", {"id": "latest", "when": "in 5 hours"})))
    assert "call the dentist" in say(shop, "Please change my reminder to in 5 hours", 3)
    (row,) = schedules(shop)
    assert int(row["version"]) == 2
    assert len(alarms(shop)) == 1
    model.script(obedient)
    model.requests.clear()
    assert "call the dentist" in say(shop, "Cancel that reminder", 4)
    assert [tool["function"]["name"] for tool in model.requests[0].body["tools"]] == ["cancel_reminder"]
    assert [row["is_now"] for row in schedules(shop)] == ["cancelled"]
    assert alarms(shop) == []
    later(3 * DAYS)
    assert wake(shop, schedules(shop)[0]) == {"outcome": "gone"}
    assert len(shop.texts(4)) == 4


@pytest.mark.long
def test_a_follow_up_is_a_turn_of_the_agents_own_that_looks_and_tells(
    shops: OpenShop, model: ModelServer, later: Later
) -> None:
    shop = shops()
    model.script(agent_with_books)
    assert "Moby-Dick" in say(shop, "Please follow up with me tomorrow at nine whether Moby-Dick is back", 1)
    (row,) = schedules(shop)
    assert (row["kind"], row["is_now"]) == ("follow_up", "waiting")
    model.requests.clear()
    later(2 * DAYS)
    assert shop.texts(2)[1] == "Moby-Dick is by Herman Melville."
    asked = str(model.requests[0].body["messages"][-1]["content"])
    assert asked.startswith("[Note of the platform")
    assert "look whether Moby-Dick is there" in asked
    offered = {tool["function"]["name"] for tool in model.requests[0].body["tools"]}
    assert not offered & {"create_reminder", "schedule_follow_up"}, "a follow-up makes no other one"
    assert [step["call"]["name"] for step in shop.steps() if step["kind"] == "result"] == [
        "schedule_follow_up",
        "search_books",
    ]
    assert schedules(shop)[0]["is_now"] == "done"
    wake(shop, row)
    shop.settle()
    assert len(shop.turns()) == 2


@pytest.mark.long
def test_a_follow_up_that_fails_says_nothing_and_is_held(shops: OpenShop, model: ModelServer, later: Later) -> None:
    shop = shops([])
    model.script(agent_with_books)
    say(shop, "Please follow up with me tomorrow at nine whether Moby-Dick is back", 1)
    model.script(lambda _: Answer("no", status=400))
    later(2 * DAYS)
    wait_for(lambda: schedules(shop)[0]["is_now"] == "held")
    shop.settle()
    assert schedules(shop)[0]["held"] == "the turn failed"
    assert len(shop.texts(1)) == 1


@pytest.mark.long
def test_a_suspended_tenants_schedules_are_held(shop: Shop, later: Later) -> None:
    say(shop, REMIND, 1)
    ask(shop, "suspend", tenant=shop.tenant)
    later(2 * DAYS)
    wait_for(lambda: schedules(shop)[0]["is_now"] == "held")
    assert "suspended" in schedules(shop)[0]["held"]
    assert len(shop.texts(1)) == 1


@pytest.mark.long
def test_what_the_customer_writes_meanwhile_is_a_turn_of_its_own(
    shop: Shop, model: ModelServer, stack: Stack, later: Later
) -> None:
    say(shop, REMIND, 1)
    busy = threading.Event()

    def slow(body: Json) -> Answer | str:
        busy.set()
        return Answer("Hello!", delay_seconds=1.0)

    model.script(slow)
    shop.post("Hello there")
    assert busy.wait(20)
    later(2 * DAYS)
    wait_for(lambda: schedules(shop)[0]["is_now"] == "due")
    model.script(lambda _: "Bye!")
    shop.post("Good bye")
    texts = shop.texts(4)
    assert texts[1:] == ["Hello!", "⏰ Reminder: call the dentist", "Bye!"]
    questions = [[m["text"] for m in json.loads(turn["json"])["messages"]] for turn in shop.turns()]
    assert questions == [[REMIND], ["Hello there"], ["call the dentist"], ["Good bye"]]


@pytest.mark.long
def test_another_tenant_neither_sees_nor_cancels_it(shops: OpenShop, model: ModelServer) -> None:
    mine, rival = shops([]), shops([])
    model.script(obedient)
    say(mine, REMIND, 1)
    say(rival, "Remind me in 3 hours to drink tea", 1)
    number = schedules(mine)[0]["sk"].partition("#")[2]
    model.script(first(Call("cancel_reminder", {"id": number})))
    say(rival, f"Please cancel my reminder number {number}", 2)
    assert [row["is_now"] for row in schedules(mine)] == ["waiting"]
    assert len(alarms(mine)) == 1
    model.script(first(Call("list_reminders")))
    listed = say(rival, "Which reminders do I have?", 3)
    assert "drink tea" in listed
    assert "dentist" not in listed
    row = schedules(mine)[0]
    assert wake(rival, row) == {"outcome": "gone"}


@pytest.mark.long
def test_a_deleted_tenants_alarms_are_gone(shop: Shop) -> None:
    say(shop, REMIND, 1)
    assert len(alarms(shop)) == 1
    answer = ask(shop, "delete", tenant=shop.tenant, confirm=shop.tenant, quiet_seconds=0)
    assert answer["done"], answer
    assert answer["removed"]["alarms"] == 1
    assert alarms(shop) == []


@pytest.mark.long
def test_a_quota_that_is_used_up_holds_what_asks_a_model_and_lets_a_reminder_through(
    shops: OpenShop, model: ModelServer, later: Later
) -> None:
    shop = shops([])
    model.script(obedient)
    say(shop, REMIND, 1)
    model.script(agent_with_books)
    say(shop, "Please follow up with me tomorrow at nine whether Moby-Dick is back", 2)
    shop.apply({**shop.manifest, "tenant": {**shop.manifest["tenant"], "quotas": {"turns": 2}}})
    model.requests.clear()
    later(2 * DAYS)
    wait_for(lambda: {row["is_now"] for row in schedules(shop)} == {"done", "held"})
    assert shop.texts(3)[2:] == ["⏰ Reminder: call the dentist"]
    assert model.requests == []
    (held,) = [row for row in schedules(shop) if row["is_now"] == "held"]
    assert (held["kind"], held["held"]) == ("follow_up", "the tenant is not served: turns")
