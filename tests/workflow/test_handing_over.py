"""What is asked for is handed over, not talked about: cards, pictures and bookings, on the bookshop's own values."""

import base64
import json
import re
import struct
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from local.bookshop.catalogue import load_catalogue
from tests.support.model_server import Answer, Call, ModelServer, calls
from tests.support.shop import Shop

Json = dict[str, Any]
OpenShop = Callable[..., Shop]
CATALOGUE = load_catalogue()
WHALES = "Do you have any books about whales?"
HERE = "Here are some books about whales."
MORE = "any others like that?"
LIST = "Here are some:\n1. Moby-Dick, 12 EUR\n2. Pinocchio, 9 EUR\n3. The Old Man and the Sea, 8 EUR"
CHART = "Draw a chart of the novels by language."
HOLD = "Please hold B001 for me, my name is Ada Smith."
CLAIM = "I have booked it for you."
HANGUL = re.compile(r"[가-힣]")


def facts(subject: str) -> str:
    """What the small model answers."""
    return json.dumps({"subject": subject, "constraints": []})


def as_told(reply: Callable[[Json], str] | str) -> Callable[[Json], Answer | str]:
    """A model that calls what it is told to, with the arguments it is told, and then says `reply`."""

    def answer(body: Json) -> Answer | str:
        told = re.search(r"Call (\w+) with (\{.*?\})$", str(body["messages"][-1]["content"]))
        if "tools" in body and told:
            return calls(Call(told[1], json.loads(told[2])))
        return reply if isinstance(reply, str) else reply(body)

    return answer


def shown(body: Json) -> list[str]:
    return [tool["function"]["name"] for tool in body.get("tools", [])]


def last(body: Json) -> str:
    return str(body["messages"][-1]["content"])


def message(shop: Shop, number: int = 1) -> Json:
    """The message of the n-th reply's webhook."""
    shop.texts(number)
    found: Json = shop.receiver.replies(number)[number - 1].json()["data"]["message"]
    return found


def called(shop: Shop) -> list[Json]:
    """The calls that were made, in order."""
    return [step["call"] for step in shop.steps() if step["kind"] == "result"]


def cards_of(offset: int, limit: int) -> list[tuple[str, str, str]]:
    """Title, price and link of the shop's books about whales."""
    found = CATALOGUE.search("whales", offset=offset, limit=limit).books
    return [(book.title, f"{book.price_eur:.2f} EUR", book.link) for book in found]


def readings(model: ModelServer) -> list[Json]:
    """Requests that read the facts. The small model is also asked what a reply claims, without a schema."""
    return [request.body for request in model.small_requests if "response_format" in request.body]


def in_short(card: Json) -> tuple[str, str, str]:
    return card["title"], card["price"], card["link"]


@pytest.fixture
def more(shop: Shop, model: ModelServer) -> Shop:
    """A shop whose customer has been shown books about whales, and asks for others."""
    model.small([facts("whales"), facts("books about whales")])
    model.script(as_told(HERE))
    shop.post(WHALES)
    shop.texts(1)
    model.requests.clear()
    model.small_requests.clear()
    shop.post(MORE)
    return shop


def test_others_are_found_by_a_small_call_that_sees_the_conversation_only(more: Shop, model: ModelServer) -> None:
    more.texts(2)
    (request,) = readings(model)
    assert "tools" not in request
    lines = last(request).splitlines()
    assert lines[0] == f"Customer: {WHALES}"
    assert lines[1].startswith(f"Shop: {HERE} [shown: ")
    assert lines[2:] == [f"Customer: {MORE}"]
    seen = json.dumps(request)
    assert "You are a clerk." not in seen
    assert not any(name in seen for name in ("search_books", "check_stock", "hold_for_pickup"))


def test_the_one_tool_that_is_meant_is_shown_and_named_and_never_forced(more: Shop, model: ModelServer) -> None:
    more.texts(2)
    loop = model.requests[0].body
    assert shown(loop) == ["search_books"]
    assert "tool_choice" not in loop
    assert last(loop) == f'{MORE}\n\nCall search_books with {{"query": "whales", "offset": 5}}'


def test_the_cards_are_the_tools_own_and_others_than_before(more: Shop) -> None:
    first, second = message(more, 1), message(more, 2)
    assert [in_short(card) for card in first["cards"]] == cards_of(0, 5)
    assert [in_short(card) for card in second["cards"]] == cards_of(5, 5)
    assert first["total"] == CATALOGUE.search("whales").total
    assert second["text"] == HERE


@pytest.fixture
def charted(shop: Shop, model: ModelServer) -> Shop:
    """A shop whose customer has been sent a chart of all its books."""
    model.small([facts("novels")])
    model.script(as_told("Here is the chart of our novels by language."))
    shop.post(CHART)
    shop.texts(1)
    return shop


def test_a_chart_is_two_steps_and_comes_as_a_picture(charted: Shop) -> None:
    (picture,) = message(charted)["pictures"]
    png = base64.b64decode(picture["base64"], validate=True)
    assert (png[:8], picture["media_type"]) == (b"\x89PNG\r\n\x1a\n", "image/png")
    width, height = struct.unpack(">II", png[16:24])
    assert width > 600
    assert height > 200
    assert [call["name"] for call in called(charted)] == ["search_books", "draw_chart"]
    assert any(
        charted.tenant in line and "tool called" in line and "draw_chart" in line for line in charted.logs("Draw")
    )


def test_a_chart_counts_all_rows_though_the_tool_gives_fewer_at_a_time(charted: Shop) -> None:
    search, drawn = (step for step in charted.steps() if step["kind"] == "result")
    assert search["call"]["arguments"]["limit"] < len(CATALOGUE.books)
    assert (drawn["deliverable"]["rows"], drawn["deliverable"]["total"]) == (len(CATALOGUE.books),) * 2
    alt = message(charted)["pictures"][0]["alt"]
    languages = Counter(book.language for book in CATALOGUE.books)
    assert {int(number) for number in re.findall(r"\d+", alt)} >= set(languages.values())


def test_a_list_in_prose_is_asked_again_once_with_the_step_that_was_skipped(shop: Shop, model: ModelServer) -> None:
    search = calls(Call("search_books", {"query": "whales"}))
    model.small([facts("whales")])
    model.script([LIST, search, HERE])
    shop.post(WHALES)
    assert [in_short(card) for card in message(shop)["cards"]] == cards_of(0, 5)
    assert message(shop)["text"] == HERE
    asked = last(model.requests[1].body)
    assert "Call “Search books” now" in asked
    assert 'Call search_books with {"query": "whales"}' in asked
    assert [step["kind"] for step in shop.steps()].count("again") == 1


def test_a_read_only_call_that_is_skipped_twice_is_made_by_the_platform(shop: Shop, model: ModelServer) -> None:
    model.small([facts("whales")])
    model.script([LIST, LIST, HERE])
    shop.post(WHALES)
    assert [in_short(card) for card in message(shop)["cards"]] == cards_of(0, 5)
    authors = [step["author"] for step in shop.steps() if step["kind"] == "answer"]
    assert authors == ["model", "model", "platform"]


def test_a_call_that_acts_is_never_made_by_the_platform_and_the_customer_is_told(
    shop: Shop, model: ModelServer
) -> None:
    model.small([facts("B001")])
    model.script(lambda _: CLAIM)
    shop.post(HOLD)
    (text,) = shop.texts(1)
    assert "not" in text
    assert "booked" not in text
    assert called(shop) == []
    assert json.loads(shop.turns()[0]["reply"])["author"] == "platform"
    assert sum("tools" in request.body for request in model.requests) == 2


def held(body: Json) -> str:
    """Asks for the name, or tells the hold's number from the result."""
    number = re.search(r"\bH\d{4}\b", last(body))
    return f"It is held under number {number[0]}." if number else "Under which name shall I hold it?"


def test_a_booking_without_a_name_asks_for_it_and_the_name_completes_it(shop: Shop, model: ModelServer) -> None:
    model.small([facts("B001")])
    model.script(as_told(held))
    shop.post("Please hold B001 for me.")
    assert shop.texts(1) == ["Under which name shall I hold it?"]
    assert called(shop) == []
    shop.post("Anna Smith")
    text = shop.texts(2)[1]
    assert re.fullmatch(r"It is held under number H\d{4}\.", text)
    (call,) = called(shop)
    assert (call["name"], call["arguments"]) == ("hold_for_pickup", {"book_id": "B001", "customer_name": "Anna Smith"})
    assert len(readings(model)) == 1


def test_a_claim_that_nothing_stands_behind_is_not_sent(shop: Shop, model: ModelServer) -> None:
    model.script([CLAIM, "I cannot see any booking of yours here. Which book is it?"])
    shop.post("Hello, it is me once more.")
    assert shop.texts(1) == ["I cannot see any booking of yours here. Which book is it?"]
    assert "no call did it" in last(model.requests[1].body)


@pytest.mark.parametrize(
    "small",
    [
        Answer("out of order", status=500),
        Answer(status=0),
        Answer("whales, I think"),
        Answer(body=b"{nonsense"),
        pytest.param(Answer(facts("whales"), delay_seconds=9), marks=pytest.mark.long),
    ],
    ids=["down", "hanging up", "prose", "nonsense", "slow"],
)
def test_without_the_small_model_the_turn_goes_on_as_if_the_step_were_not_there(
    shop: Shop, model: ModelServer, small: Answer
) -> None:
    model.small([small])
    model.script([calls(Call("search_books", {"query": "whales"})), "Here you are.", "Here you are."])
    shop.post(WHALES)
    assert shop.texts(1) == ["Here you are."]
    assert shown(model.requests[0].body) == ["search_books", "get_book", "check_stock", "hold_for_pickup"]
    assert last(model.requests[0].body) == WHALES
    assert len(model.small_requests) == 1


def test_ordinary_messages_cost_no_small_call(shop: Shop, model: ModelServer) -> None:
    said = ["Hello!", "When do you open tomorrow?", "Thank you very much!", "It was nice to talk to you."]
    model.script(lambda _: "You are welcome.")
    for number, text in enumerate(said, start=1):
        shop.post(text)
        shop.texts(number)
    assert (len(model.requests), model.small_requests) == (len(said), [])


KOREAN = "고래에 관한 책 있어요?"


def test_a_reply_in_another_language_is_asked_for_once_more(shop: Shop, model: ModelServer) -> None:
    search = calls(Call("search_books", {"query": "whales"}))
    model.small([facts("고래")])
    model.script([search, HERE, "네, 고래에 관한 책이 있습니다."])
    shop.post(KOREAN)
    assert shop.texts(1) == ["네, 고래에 관한 책이 있습니다."]
    assert "another language" in last(model.requests[2].body)


@pytest.mark.long
def test_after_that_the_platform_says_it_in_the_customers_language(shop: Shop, model: ModelServer) -> None:
    model.small([facts("고래")])
    model.script([calls(Call("search_books", {"query": "whales"})), HERE, HERE])
    shop.post(KOREAN)
    assert HANGUL.search(message(shop)["text"])
    assert HERE not in message(shop)["text"]
    assert [in_short(card) for card in message(shop)["cards"]] == cards_of(0, 5)
    assert len(model.requests) == 3


def progress(shop: Shop) -> Iterator[Json]:
    for post in shop.receiver.progress():
        assert post.verified
        yield post.json()["data"]


def test_a_connection_that_wants_progress_is_told_the_tools_title_and_never_its_input(
    shop: Shop, model: ModelServer
) -> None:
    shop.manifest["connections"][0]["progress"] = True
    assert shop.apply()["errors"] == []
    model.small([facts("whales")])
    model.script(as_told(HERE))
    shop.post(WHALES)
    shop.texts(1)
    lines = [data["text"] for data in progress(shop)]
    assert "Searching books…" in lines
    assert not any("whales" in line or "search_books" in line or "{" in line for line in lines)
    assert {data["conversation_id"] for data in progress(shop)} == {"c-1"}


@pytest.mark.long
def test_other_connections_get_the_reply_alone(more: Shop) -> None:
    more.texts(2)
    assert list(progress(more)) == []
    assert len(more.receiver.posts) == 2


def test_without_a_plan_the_model_hands_over_a_result_by_its_handle(shop: Shop, model: ModelServer) -> None:
    search = calls(Call("search_books", {"query": "whales", "limit": 3}))
    model.script([search, calls(Call("show_items", {"handle": "r1", "limit": 2})), "There they are.", HERE])
    shop.post(WHALES)
    assert [in_short(card) for card in message(shop)["cards"]] == cards_of(0, 2)
    assert message(shop)["text"] == HERE
    assert "show_items" not in shown(model.requests[0].body)
    assert "show_items" in shown(model.requests[1].body)
    assert "[result r1]" in last(model.requests[1].body)


@pytest.mark.long
def test_a_list_that_the_customer_was_not_shown_counts_as_nothing_shown(shop: Shop, model: ModelServer) -> None:
    model.script([calls(Call("search_books", {"query": "whales"})), "There they are.", "We have nine of them.", "Bye!"])
    shop.post(WHALES)
    assert "cards" not in message(shop)
    shop.post("Thank you, goodbye!")
    assert shop.texts(2)[1] == "Bye!"
    assert "shown:" not in json.dumps(model.requests[-1].body)
