"""Public pages, from webhook to reply and back: searched, read, named, reviewed; a page's words do nothing."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from local.stack import Stack
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


def provision(shop: Shop, request: Json) -> Json:
    assert isinstance(shop.stack, Stack)
    return invoke(shop.stack, "Provision", request)


def reviews(shop: Shop, state: str = "open") -> list[Json]:
    answer = provision(shop, {"action": "reviews", "tenant": shop.tenant, "state": state})
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


WORLD = {
    "en": (ASK, HOURS, "utf-8", "The city museum opens at 9:45.", "The city museum opens at 9:45 [1]."),
    "zh": (
        "请上网查一下市博物馆几点开门？",
        "<article><p>市博物馆每天9:45开门，18:15关门，星期一闭馆，儿童免费入场。</p></article>",
        "gb18030",
        "市博物馆9:45开门。",
        "市博物馆9:45开门 [1]。",
    ),
    "ja": (
        "市立博物館の開館時間をネットで調べてください。",
        "<article><p>市立博物館は毎日9:45に開館し、18:15に閉館します。月曜日は休館です。</p></article>",
        "shift_jis",
        "市立博物館は9:45に開館します。",
        "市立博物館は9:45に開館します [1]。",
    ),
    "ru": (
        "Поищите в интернете, во сколько открывается городской музей?",
        "<article><p>Городской музей открывается в 9:45 и закрывается в 18:15 каждый день, кроме понедельника.</p></article>",
        "windows-1251",
        "Городской музей открывается в 9:45.",
        "Городской музей открывается в 9:45 [1].",
    ),
    "ko": (
        "시립박물관 개관 시간을 인터넷에서 검색해 주세요.",
        "<article><p>시립박물관은 매일 9:45에 문을 열고 18:15에 닫습니다. 월요일은 휴관입니다.</p></article>",
        "euc-kr",
        "시립박물관은 9:45에 문을 엽니다.",
        "시립박물관은 9:45에 문을 엽니다 [1].",
    ),
}


@pytest.mark.parametrize("language", WORLD)
def test_pages_and_questions_in_any_script(language: str, shops: OpenShop, model: ModelServer, web: PublicWeb) -> None:
    ask, page, coding, told, marked = WORLD[language]
    url = web.page("/visit", page, title="Museum", coding=coding)
    web.find(url)
    model.script(reader(url, told=told))
    shop = shops(**browsing(web))
    text = say(shop, ask, 1)["text"]
    assert text.splitlines()[0] == marked
    assert ("not from us" in text) == (language == "en")
    kept = reviews(shop)
    assert [(one["question"], one["language"], one["state"]) for one in kept] == [(ask, language, "open")]


def test_a_correction_is_the_tenants_own_word_in_a_later_turn(
    shops: OpenShop, model: ModelServer, web: PublicWeb
) -> None:
    url = web.page("/visit", HOURS)
    web.find(url)
    model.script(reader(url, told="The city museum opens at 9:45."))
    shop = shops(**browsing(web))
    say(shop, ASK, 1)
    (waiting,) = reviews(shop)
    assert waiting["sources"][0]["url"] == url
    decision = {"id": waiting["id"], "verdict": "correct", "text": "The city museum opens at 10:30 in winter."}
    done = provision(shop, {"action": "review", "tenant": shop.tenant, **decision})
    assert done["review"]["state"] == "corrected", done
    model.requests.clear()
    model.script(lambda _: "The city museum opens at 10:30 in winter.")
    message = say(shop, "Search the web please: when does the city museum open?", 2, conversation="c-2")
    assert message["text"] == "The city museum opens at 10:30 in winter."
    assert "sources" not in message
    assert "10:30 in winter" in str(model.requests[0].body["messages"][0]["content"])
    assert reviews(shop) == []
    assert web.reads("/visit") == 1
    say(shop, "Search the web please: where is the zoo?", 3, conversation="c-3")
    assert "10:30 in winter" not in str(model.requests[-1].body["messages"][0]["content"])


def test_another_tenant_sees_neither_reviews_nor_answers_nor_addresses(
    shops: OpenShop, model: ModelServer, web: PublicWeb
) -> None:
    url = web.page("/visit", HOURS)
    web.find(url)
    model.script(reader(url, told="The city museum opens at 9:45."))
    first, second = shops(**browsing(web)), shops(**browsing(web))
    say(first, ASK, 1)
    (waiting,) = reviews(first)
    assert reviews(second, "all") == []
    stolen = {"action": "review", "tenant": second.tenant, "id": waiting["id"], "verdict": "approve"}
    assert provision(second, stolen)["errors"][0]["path"] == "id"
    provision(first, {**stolen, "tenant": first.tenant})
    model.requests.clear()
    # The same conversation's id, and the address that the first one's search has shown.
    model.script(
        lambda body: "No." if results_in(body) or "tools" not in body else calls(Call("read_page", {"url": url}))
    )
    say(second, ASK, 1)
    asked = json.dumps([request.body for request in model.requests])
    assert "The business itself has answered" not in asked
    assert "9:45" not in asked
    assert web.reads("/visit") == 1


def test_a_site_that_wants_no_robots_is_not_read(shops: OpenShop, model: ModelServer, web: PublicWeb) -> None:
    with PublicWeb(robots="User-agent: *\nDisallow: /visit") as site:
        url = site.page("/visit", HOURS)
        web.find(url)
        model.script(reader(url, told="I was not allowed to read that page."))
        say(shops(**browsing(web)), ASK, 1)
        assert site.asked == ["/robots.txt"]


def test_a_page_read_twice_in_a_turn_is_fetched_once(shops: OpenShop, model: ModelServer, web: PublicWeb) -> None:
    url = web.page("/visit", HOURS)
    web.find(url)
    model.script(reader(url, f"{url}#hours", told="The city museum opens at 9:45."))
    message = say(shops(**browsing(web)), ASK, 1)
    assert len(message["sources"]) == 1
    assert (web.reads("/visit"), web.reads("/robots.txt")) == (1, 1)


def test_a_long_page_is_cut_says_so_and_can_be_read_on(shops: OpenShop, model: ModelServer, web: PublicWeb) -> None:
    words = "".join(f"<p>Room {n} shows the works of painter number {n} of the old town.</p>" for n in range(1, 900))
    url = web.page("/rooms", f"<article>{words}</article>")
    web.find(url)

    def answer(body: Json) -> Answer | str:
        if "tools" not in body:
            return "Room 400 shows painter number 400."
        steps = [Call("search_web", {"query": "rooms"}), Call("read_page", {"url": url})]
        steps.append(Call("read_more", {"handle": "r2", "from": 24_000}))
        done = len(results_in(body))
        return calls(steps[done]) if done < len(steps) else "Enough."

    model.script(answer)
    message = say(shops(**browsing(web)), "Please search the web: what does room 400 of the museum show?", 1)
    assert message["text"].startswith("Room 400 shows painter number 400 [1].")
    _, page, more = results_in(model.requests[-2].body)
    assert "[PARTIAL:" in page
    assert all(line.startswith(("> ", "[")) for line in more.splitlines()[1:])
    assert "Room 400 shows" not in page
    assert "Room 400 shows" in more
    # The rest of a page is no fact of the tenant's either.
    assert "Facts found" not in model.requests[-1].body["messages"][-1]["content"]


def test_an_address_that_the_customer_wrote_is_read(shops: OpenShop, model: ModelServer, web: PublicWeb) -> None:
    url = web.page("/visit", HOURS)
    model.script(
        lambda body: (
            "It opens at 9:45." if "tools" not in body or results_in(body) else calls(Call("read_page", {"url": url}))
        )
    )
    message = say(shops(**browsing(web)), f"Please look at {url} and tell me when it opens.", 1)
    assert [one["url"] for one in message["sources"]] == [url]


def test_a_search_that_fails_is_said_and_nothing_is_invented(
    shops: OpenShop, model: ModelServer, web: PublicWeb
) -> None:
    web.search_status = 429
    model.script(
        lambda body: (
            "I cannot search at the moment."
            if "tools" not in body or results_in(body)
            else calls(Call("search_web", {"query": "museum"}))
        )
    )
    shop = shops(**browsing(web))
    message = say(shop, ASK, 1)
    assert message["text"] == "I cannot search at the moment."
    assert "sources" not in message
    assert reviews(shop) == []
    logged = [line for line in shop.logs("Browse") if "public search failed" in line]
    assert "limit is reached" in logged[-1]
    assert "museum" not in logged[-1]


def test_a_repeated_webhook_makes_one_reply_and_one_review(shops: OpenShop, model: ModelServer, web: PublicWeb) -> None:
    url = web.page("/visit", HOURS)
    web.find(url)
    model.script(reader(url, told="The city museum opens at 9:45."))
    shop = shops(**browsing(web))
    shop.post_at_once([ASK] * 3, message_id="msg_once")
    assert len(shop.texts(1)) == 1
    assert len(reviews(shop, "all")) == 1
    assert web.reads("/visit") == 1


def test_a_function_that_dies_while_it_reads_or_sends_changes_nothing(
    shops: OpenShop, model: ModelServer, web: PublicWeb
) -> None:
    url = web.page("/visit", HOURS)
    web.find(url)
    model.script(reader(url, told="The city museum opens at 9:45."))
    shop = shops(**browsing(web))
    shop.kill_next("Browse", "after")
    shop.kill_next("Deliver", "after")
    message = say(shop, ASK, 1)
    assert message["text"].startswith("The city museum opens at 9:45 [1].")
    assert len(reviews(shop, "all")) == 1


def test_many_pages_at_once_are_all_read(shops: OpenShop, model: ModelServer, web: PublicWeb) -> None:
    urls = [
        web.page(f"/p{n}", f"<p>House number {n} of the old town museum is open at {n}:45 for everybody.</p>")
        for n in range(7, 11)
    ]
    web.find(*urls)

    def answer(body: Json) -> Answer | str:
        if "tools" not in body:
            return "House number 9 is open at 9:45."
        done = len(results_in(body))
        if done == 0:
            return calls(Call("search_web", {"query": "houses"}))
        return calls(*(Call("read_page", {"url": url}) for url in urls)) if done == 1 else "Enough."

    model.script(answer)
    message = say(shops(**browsing(web)), "Please search the web: when is house 9 of the museum open?", 1)
    assert {one["url"] for one in message["sources"]} == set(urls)
    assert message["sources"][0]["url"] == urls[2]
