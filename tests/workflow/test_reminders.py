"""Reminders and follow-ups, from webhook to effect and back: made once, said once when their time comes, and known to
their own conversation alone."""

import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from local import one_time
from local.stack import Stack
from local.workers import KillTime
from tests.support.model_server import Answer, Call, ModelServer, calls
from tests.support.shop import Shop

Json = dict[str, Any]
OpenShop = Callable[..., Shop]
Later = Callable[[float], None]
HOURS = 3600
DAYS = 24 * HOURS
ORDER = re.compile(r"Call (\w+) with (\{.*?\})(?: and with|\n|$)")
"""The platform's directive."""


def obedient(body: Json) -> Answer | str:
    """A model that makes the call it is told to, and repeats what came back."""
    asked = str(body["messages"][-1]["content"])
    order = ORDER.search(asked)
    if "tools" in body and order:
        return calls(Call(order[1], json.loads(order[2])))
    return asked.partition("Facts found:\n")[2].strip() or "Hello!"


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


def say(shop: Shop, text: str, number: int, **more: Any) -> str:
    """Writes, and gives the n-th reply."""
    shop.post(text, **more)
    return shop.texts(number)[number - 1]


def schedules(shop: Shop) -> list[Json]:
    """Rows of the shop's schedules, oldest first."""
    rows = (row for row in shop.rows() if row["pk"].endswith("#SCHEDULES") and "kind" in row)
    return sorted(rows, key=lambda row: row["made_at"])


def alarms(shop: Shop) -> list[Json]:
    """What EventBridge Scheduler has of the shop's."""
    return [made for made in one_time.read() if made["name"].startswith(f"{shop.tenant}.")]


def wake(shop: Shop, row: Json) -> Json:
    """As the schedule's target is invoked."""
    event = {"tenant": shop.tenant, "schedule": row["sk"], "version": int(row["version"])}
    assert isinstance(shop.stack, Stack)
    answer = shop.stack.client("lambda").invoke(
        FunctionName=shop.stack.function_name("Wake"), Payload=json.dumps(event)
    )
    return json.loads(answer["Payload"].read())


def first(call: Call) -> Callable[[Json], Answer | str]:
    """A model that makes this call, and repeats what came back."""

    def answer(body: Json) -> Answer | str:
        last = body["messages"][-1]
        if "tools" in body:
            return calls(call) if last["role"] == "user" else "There."
        return str(last["content"]).partition("Facts found:\n")[2].strip()

    return answer


ASKED = {
    "en": ("Remind me tomorrow at nine to call the dentist", "call the dentist"),
    "zh": ("明天下午三点提醒我给牙医打电话", "给牙医打电话"),
    "ja": ("明日の午後3時に歯医者に電話するようリマインドしてください", "歯医者に電話する"),
    "ru": ("Напомни мне завтра в девять позвонить стоматологу", "позвонить стоматологу"),
    "ko": ("내일 오후 3시에 치과에 전화하라고 알려줘", "치과에 전화"),
}


@pytest.mark.parametrize("language", ASKED)
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


def statuses(shop: Shop) -> list[str]:
    """Of the calls that were made."""
    return [step["status"] for step in shop.steps() if step["kind"] == "result"]


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


@pytest.mark.parametrize("when", ["before", "after", 0.03, 0.08, 0.15])
def test_a_call_that_dies_makes_one_reminder(shop: Shop, when: KillTime) -> None:
    shop.kill_next("Assist", when)
    say(shop, REMIND, 1)
    assert [row["is_now"] for row in schedules(shop)] == ["waiting"]
    assert len(alarms(shop)) == 1


def test_a_repeated_webhook_makes_one_reminder(shop: Shop) -> None:
    shop.post_at_once([REMIND] * 3, message_id="same")
    shop.settle()
    shop.post(REMIND, message_id="same")
    assert len(shop.texts(1)) == 1
    assert len(schedules(shop)) == len(alarms(shop)) == 1


def test_the_platform_makes_the_call_where_the_model_does_not(shop: Shop, model: ModelServer) -> None:
    model.script(lambda body: "Sure thing, consider it done!" if "tools" in body else obedient(body))
    assert "call the dentist" in say(shop, REMIND, 1)
    assert statuses(shop) == ["ok"]
    assert len(schedules(shop)) == 1


def test_it_is_what_was_spoken_of(shop: Shop, model: ModelServer, later: Later) -> None:
    model.script(lambda body: obedient(body) if "Call " in str(body["messages"]) else "We close at six.")
    say(shop, "When do you close on Saturday?", 1)
    model.script(obedient)
    assert "When do you close on Saturday?" in say(shop, "Remind me of it tomorrow at nine", 2)
    later(2 * DAYS)
    assert "When do you close on Saturday?" in shop.texts(3)[2]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Remind me to call the dentist", "tomorrow at nine"),
        ("Remind me yesterday at nine to call the dentist", "tomorrow at nine"),
    ],
)
def test_a_time_that_cannot_be_used_is_asked_back_and_the_answer_completes_it(
    shop: Shop, model: ModelServer, asked: str, answer: str
) -> None:
    when = asked.removeprefix("Remind me ").partition("to call")[0].strip() or "soon"
    model.script(
        [calls(Call("create_reminder", {"when": when, "text": "call the dentist"})), *["I have set the reminder!"] * 4]
    )
    question = say(shop, asked, 1)
    assert "?" in question
    assert "Sorry" not in question
    assert schedules(shop) == []
    assert statuses(shop) == ["error"]
    model.script(obedient)
    assert "call the dentist" in say(shop, answer, 2)
    assert [row["is_now"] for row in schedules(shop)] == ["waiting"]


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


@pytest.fixture(autouse=True)
def _zz_logs(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    import os

    for name in os.environ.get("SHOW", "").split(","):
        for line in request.getfixturevalue("stack").logs(name)[-60:] if name else ():
            print(name, line)
