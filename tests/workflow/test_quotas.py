"""Quotas, concurrent turns and suspension, with real turns."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler
from threading import Event, Lock
from typing import Any

import pytest

from tests.support.model_server import Answer, Call, ModelServer, calls
from tests.support.shop import Shop
from turnkey.reply import phrases

pytestmark = pytest.mark.long

OpenShop = Callable[..., Shop]


def allow(shop: Shop, **quotas: int) -> Shop:
    """The shop, with these quotas."""
    shop.apply({**shop.manifest, "tenant": {**shop.manifest["tenant"], "quotas": quotas}})
    return shop


def provision(shop: Shop, action: str, **fields: Any) -> dict[str, Any]:
    """As the operator asks for it."""
    asked = {"action": action, "tenant": shop.tenant, **fields}
    answer = shop.stack.client("lambda").invoke(
        FunctionName=shop.stack.function_name("Provision"), Payload=json.dumps(asked)
    )
    report: dict[str, Any] = json.loads(answer["Payload"].read())
    assert "FunctionError" not in answer, report
    return report


def set_suspended(shop: Shop, suspended: bool) -> None:
    provision(shop, "suspend" if suspended else "resume")


def used(shop: Shop) -> dict[str, int]:
    """Over all days and shards."""
    total: Counter[str] = Counter()
    for row in shop.rows():
        if row["sk"].startswith("DAY#"):
            total.update({name: int(row.get(name, 0)) for name in ("turns", "tokens", "calls")})
    return dict(total)


def held(shop: Shop) -> list[str]:
    return [row["holder"] for row in shop.rows() if row["sk"].startswith("RUNNING#") and "holder" in row]


def logged(shop: Shop, function: str, message: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in shop.logs(function) if line.startswith("{")]
    return [line for line in lines if line.get("message") == message and line.get("tenant") == shop.tenant]


class Busy(ModelServer):
    """A model that counts how many ask it at the same time, and answers when it may."""

    def __init__(self) -> None:
        super().__init__(lambda _: "Hello!")
        self.may_answer = Event()
        self._counting = Lock()
        self.asking = self.most = 0

    @property
    def section(self) -> dict[str, str]:
        """An agent's model section."""
        return {"base_url": self.base_url, "main": "scripted"}

    def handle(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        with self._counting:
            self.asking += 1
            self.most = max(self.most, self.asking)
        assert self.may_answer.wait(60)
        time.sleep(0.05)
        with self._counting:
            self.asking -= 1
        super().handle(request, body)

    def wait_for(self, count: int) -> None:
        """Until so many are asking."""
        deadline = time.monotonic() + 30
        while self.asking < count:
            assert time.monotonic() < deadline, f"{self.asking} of {count} turns came to the model"
            time.sleep(0.02)


@pytest.fixture
def busy() -> Iterator[Busy]:
    with Busy() as server:
        yield server
        server.may_answer.set()


def post_each(shop: Shop, count: int, text: str = "Hi") -> list[int]:
    """One message in each of so many conversations, all at the same time; the statuses."""
    with ThreadPoolExecutor(count) as pool:
        posts = pool.map(lambda number: shop.post(text, conversation=f"c-{number}"), range(count))
        return [response.status_code for response in posts]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Do you have books about whales?", "en"),
        ("Haben Sie Bücher über Wale?", "de"),
        ("クジラの本はありますか？", "ja"),
    ],
)
def test_a_message_over_the_day_s_turns_gets_a_short_honest_answer_and_no_model(
    shops: OpenShop, model: ModelServer, text: str, language: str
) -> None:
    shop = allow(shops([]), turns=1)
    model.script(["First."])
    shop.post(text)
    shop.texts(1)
    asked = len(model.requests) + len(model.small_requests)
    shop.post(text)
    assert shop.texts(2)[1] == phrases.enough_for_today(language)
    assert len(model.requests) + len(model.small_requests) == asked
    assert used(shop)["turns"] == 1
    assert [line["quota"] for line in logged(shop, "Route", "quota reached")] == ["turns"]
    assert held(shop) == []


def test_the_operator_sees_what_a_tenant_used_beside_its_quotas(shops: OpenShop, model: ModelServer) -> None:
    shop = shops([])
    model.script(["Hello."])
    shop.post("Hello!")
    shop.texts(1)
    report = provision(shop, "usage", days=2)
    assert [day["turns"] for day in report["days"]] == [0, 1]
    assert report["days"][-1]["tokens"] > 0
    assert (report["running"], report["quotas"]["turns"]) == (0, 10_000)


def test_a_day_s_tokens_end_at_their_quota(shops: OpenShop, model: ModelServer) -> None:
    shop = allow(shops([]), tokens=1000)
    model.script([Answer("One.", prompt_tokens=900, completion_tokens=99), Answer("Two.", prompt_tokens=1), "Three."])
    for count in (1, 2, 3):
        shop.post("Hi")
        shop.texts(count)
    assert shop.texts(3) == ["One.", "Two.", phrases.enough_for_today("en")]
    assert used(shop) == {"turns": 2, "tokens": 900 + 99 + 1 + 20, "calls": 0}
    assert [line["quota"] for line in logged(shop, "Route", "quota reached")] == ["tokens"]
    model.script([])


def test_a_day_s_calls_end_at_their_quota(shops: OpenShop, model: ModelServer) -> None:
    shop = allow(shops(), calls=2)
    searches = calls(Call("search_books", {"query": "whales"}), Call("search_books", {"query": "gardens"}))
    model.script([searches, "Found some.", "Found some."])
    shop.post("Hello there, I am only looking around.")
    shop.texts(1)
    assert used(shop)["calls"] == 2
    shop.post("Hello there, I am only looking around.")
    assert shop.texts(2)[1] == phrases.enough_for_today("en")
    assert [line["quota"] for line in logged(shop, "Route", "quota reached")] == ["calls"]
    model.script([])


def test_messages_that_come_at_the_same_moment_are_answered_no_more_often_than_the_quota(
    shops: OpenShop, model: ModelServer
) -> None:
    shop = allow(shops([]), turns=3)
    model.script(lambda _: "Hello!")
    assert set(post_each(shop, 6)) == {200}
    assert Counter(shop.texts(6)) == {"Hello!": 3, phrases.enough_for_today("en"): 3}
    assert used(shop)["turns"] == 3
    assert held(shop) == []


def test_no_more_turns_run_at_the_same_time_than_may_and_all_are_answered(shops: OpenShop, busy: Busy) -> None:
    shop = allow(shops([], model=busy.section), concurrent_turns=2)
    assert set(post_each(shop, 6)) == {200}
    busy.wait_for(2)
    assert len(held(shop)) == 2
    busy.may_answer.set()
    assert shop.texts(6, seconds=60) == ["Hello!"] * 6
    assert busy.most == 2
    assert used(shop)["turns"] == 6
    assert held(shop) == []


def test_a_tenant_at_its_limit_slows_no_other(shops: OpenShop, model: ModelServer, busy: Busy) -> None:
    full, free = allow(shops([], model=busy.section), concurrent_turns=1), shops([])
    model.script(["Quick."])
    post_each(full, 4)
    busy.wait_for(1)
    free.post("Hi")
    assert free.texts(1) == ["Quick."]
    assert full.receiver.posts == []
    busy.may_answer.set()
    assert full.texts(4, seconds=60) == ["Hello!"] * 4
    assert busy.most == 1


@pytest.mark.parametrize(("function", "when"), [("Route", "after"), ("Compose", "after"), ("Deliver", "after")])
def test_a_stage_that_dies_counts_nothing_twice_and_holds_no_place(
    shops: OpenShop, model: ModelServer, function: str, when: Any
) -> None:
    shop = allow(shops([]), concurrent_turns=1)
    model.script(lambda _: "Hello!")
    shop.kill_next(function, when)
    shop.post("Hi")
    assert shop.texts(1) == ["Hello!"]
    assert used(shop) == {"turns": 1, "tokens": 120, "calls": 0}
    assert held(shop) == []


def test_a_turn_that_fails_counts_what_it_used_and_frees_its_place(shops: OpenShop, model: ModelServer) -> None:
    shop = allow(shops([]), concurrent_turns=1)
    model.script(lambda _: Answer(status=401))
    shop.post("Hi")
    assert shop.texts(1)[0].startswith("Sorry, something went wrong")
    assert used(shop) == {"turns": 1, "tokens": 0, "calls": 0}
    assert held(shop) == []
    model.script(["Hello!"])
    shop.post("Hi")
    assert shop.texts(2)[1] == "Hello!"


def test_a_suspended_tenant_s_webhook_is_refused(shops: OpenShop, model: ModelServer) -> None:
    shop = shops([])
    set_suspended(shop, True)
    answer = shop.post("Hi")
    assert (answer.status_code, answer.json()["error"]) == (403, "tenant_suspended")
    assert not [row for row in shop.rows() if row["sk"].startswith(("MESSAGE#", "STATE"))]
    set_suspended(shop, False)
    model.script(["Hello!"])
    assert shop.post("Hi").status_code == 200
    assert shop.texts(1) == ["Hello!"]


def test_whoever_cannot_sign_learns_nothing_of_a_suspension(shops: OpenShop) -> None:
    import httpx2

    shop = shops([])
    set_suspended(shop, True)
    assert httpx2.post(shop.hook, content=b"{}", timeout=30).status_code == 401


def test_a_turn_that_runs_when_its_tenant_is_suspended_ends_normally(shops: OpenShop, busy: Busy) -> None:
    shop = shops([], model=busy.section)
    shop.post("Hi")
    busy.wait_for(1)
    set_suspended(shop, True)
    busy.may_answer.set()
    assert shop.texts(1) == ["Hello!"]


def test_what_was_accepted_before_a_suspension_is_answered_without_a_model(shops: OpenShop, busy: Busy) -> None:
    shop = allow(shops([], model=busy.section), concurrent_turns=1)
    shop.post("Hi", conversation="running")
    busy.wait_for(1)
    shop.post("Haben Sie Bücher über Wale?", conversation="waiting")
    set_suspended(shop, True)
    (told,) = shop.receiver.replies(1, seconds=30)
    assert told.json()["data"]["message"]["text"] == phrases.paused("de")
    assert len(busy.requests) == 0
    busy.may_answer.set()
    assert sorted(shop.texts(2)) == sorted(["Hello!", phrases.paused("de")])
    assert used(shop)["turns"] == 1
    assert [line["level"] for line in logged(shop, "Route", "tenant suspended")] == ["WARNING"]
