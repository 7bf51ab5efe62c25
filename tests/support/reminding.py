"""A model that does as it is told about reminders, and what becomes of them on a stack."""

import json
import re
import time
from collections.abc import Callable
from typing import Any

from local import one_time
from local.stack import Stack
from tests.support.model_server import Answer, Call, calls
from tests.support.shop import Shop

Json = dict[str, Any]
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


def wait_for(holds: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def statuses(shop: Shop) -> list[str]:
    """Of the calls that were made."""
    return [step["status"] for step in shop.steps() if step["kind"] == "result"]


def agent_with_books(body: Json) -> Answer | str:
    """Follows up what it is asked to, searches when the platform says that it is time, and repeats what came back."""
    last = body["messages"][-1]
    said = str(last["content"])
    if "tools" not in body:
        return "Moby-Dick is by Herman Melville." if "Melville" in said else said.partition("Facts found:\n")[2]
    if last["role"] != "user":
        return "There."
    if "Note of the platform" in said:
        return calls(Call("search_books", {"query": "Moby-Dick"}))
    return calls(Call("schedule_follow_up", {"when": "tomorrow at nine", "task": "look whether Moby-Dick is there"}))
