"""Public pages, from webhook to reply and back: searched, read, named, reviewed; a page's words do nothing."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support.hostile import invoke
from tests.support.model_server import Answer, Call, ModelServer, calls
from tests.support.public_web import PublicWeb
from tests.support.shop import Shop

pytestmark = pytest.mark.long

Json = dict[str, Any]
OpenShop = Callable[..., Shop]
ASK = "Please search the web: when does the city museum open?"
HOURS = (
    "<article><h1>Visit</h1><p>The city museum opens at 9:45 and closes at 18:15 on every day but Monday.</p></article>"
)


@pytest.fixture
def web() -> Iterator[PublicWeb]:
    with PublicWeb() as server:
        yield server


def browsing(web: PublicWeb) -> Json:
    return {"public_sources": {"provider": "searxng", "url": web.url()}}


def offered(body: Json) -> list[str]:
    return [tool["function"]["name"] for tool in body.get("tools", [])]


def results_in(body: Json) -> list[str]:
    return [str(message["content"]) for message in body["messages"] if message["role"] == "tool"]


def reader(*urls: str, told: str, query: str = "city museum opening hours") -> Callable[[Json], Answer | str]:
    """Searches, reads these pages, and tells."""

    def answer(body: Json) -> Answer | str:
        if "tools" not in body:
            return told
        done = len(results_in(body))
        if done == 0:
            return calls(Call("search_web", {"query": query}))
        return calls(Call("read_page", {"url": urls[done - 1]})) if done <= len(urls) else told

    return answer


def say(shop: Shop, text: str, number: int, **more: Any) -> Json:
    """Writes, and gives the n-th reply's message."""
    shop.post(text, **more)
    shop.texts(number)
    posts = {post.id: post.json()["data"]["message"] for post in shop.receiver.replies(number)}
    return list(posts.values())[number - 1]


def reviews(shop: Shop, state: str = "open") -> list[Json]:
    answer = invoke(shop.stack, "Provision", {"action": "reviews", "tenant": shop.tenant, "state": state})
    assert "reviews" in answer, answer
    return answer["reviews"]


def test_a_question_is_searched_read_and_answered_with_its_source(
    shops: OpenShop, model: ModelServer, web: PublicWeb
) -> None:
    url = web.page("/visit", HOURS, title="City Museum – Visit")
    web.find(url, title="City Museum", snippet="Plan your visit.")
    model.script(reader(url, told="The city museum opens at 9:45."))
    message = say(shops(**browsing(web)), ASK, 1)
    assert message["sources"] == [{"url": url, "title": "City Museum – Visit", "site": "127.0.0.1"}]
    assert message["text"].startswith("The city museum opens at 9:45 [1].\n")
    assert url in message["text"]
    assert "not from us" in message["text"]
    asked = model.requests[-1].body["messages"][-1]["content"]
    assert "Public pages, not this business's own:" in asked
    assert "9:45" in asked.partition("Public pages")[2]
    assert web.queries == ["city museum opening hours"]


def test_off_by_default_there_is_no_trace_of_it(shops: OpenShop, model: ModelServer, web: PublicWeb) -> None:
    model.script(lambda _: "I cannot tell.")
    message = say(shops(), ASK, 1)
    told = json.dumps([request.body for request in model.requests])
    assert "search_web" not in told
    assert "read_page" not in told
    assert "sources" not in message
    assert web.asked == []
