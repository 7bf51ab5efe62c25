"""A message in, an acted-on answer out: through webhook, state machine, real handlers and a real MCP server."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.model_server import Answer, Call, ModelServer, calls
from tests.support.proxy import CountingProxy
from tests.support.shop import Shop

WHALES = calls(Call("search_books", {"query": "whales", "limit": 2}))
QUESTION = "Do you have any books about whales?"
FACTS = '{"subject": "whales", "constraints": []}'
"""What the small model reads in that question."""
OpenShop = Callable[..., Shop]


def called_tools(shop: Shop) -> list[str]:
    return [step["call"]["name"] for step in shop.steps() if step["kind"] == "result"]


def test_a_message_is_answered_with_what_the_tool_returned(shop: Shop, model: ModelServer) -> None:
    model.small([FACTS])
    model.script([WHALES, "Moby-Dick is here."])
    assert shop.post(QUESTION).status_code == 200
    assert shop.texts(1) == ["Moby-Dick is here."]
    result = next(step for step in shop.steps() if step["kind"] == "result")
    assert result["status"] == "ok"
    assert json.loads(result["text"])["total"] > 0
    assert not model.beyond_script


def test_the_reply_is_written_from_a_clean_request(shop: Shop, model: ModelServer) -> None:
    model.small([FACTS])
    model.script([calls(*WHALES.calls, text="Let me look that up."), "Moby-Dick is here."])
    shop.post(QUESTION)
    shop.texts(1)
    request = model.requests[-1].body
    assert [message["role"] for message in request["messages"]] == ["system", "user"]
    assert "tools" not in request
    written = json.dumps(request)
    assert "2 of 9 items as cards: Leviathan, or The Whale;" in written
    assert QUESTION in written
    assert "You are a clerk." in written
    assert "Let me look that up" not in written
    assert "search_books" not in written


def test_an_ordinary_question_costs_one_model_call_and_its_answer_stands(shop: Shop, model: ModelServer) -> None:
    model.script(["Hello! How can I help?"])
    shop.post("Hello!")
    assert shop.texts(1) == ["Hello! How can I help?"]
    assert (len(model.requests), model.small_requests) == (1, [])


def test_a_model_is_never_told_which_tool_to_choose(shop: Shop, model: ModelServer) -> None:
    model.small([FACTS])
    model.script([WHALES, "Here."])
    shop.post(QUESTION)
    shop.texts(1)
    assert all("tool_choice" not in request.body for request in model.requests)


def test_a_plain_look_up_shows_that_one_tool_and_says_what_to_call(shop: Shop, model: ModelServer) -> None:
    model.small([FACTS])
    model.script([WHALES, "Here."])
    shop.post(QUESTION)
    shop.texts(1)
    first = model.requests[0].body
    assert [tool["function"]["name"] for tool in first["tools"]] == ["search_books"]
    assert 'Call search_books with {"query": "whales"}' in first["messages"][-1]["content"]


def test_the_next_turn_knows_the_last(shop: Shop, model: ModelServer) -> None:
    model.script(["We open at nine.", "At noon."])
    shop.post("When do you open tomorrow?")
    shop.texts(1)
    shop.post("And on Sunday?")
    assert shop.texts(2) == ["We open at nine.", "At noon."]
    contents = [message["content"] for message in model.requests[1].body["messages"]]
    assert contents[1:] == ["When do you open tomorrow?", "We open at nine.", "And on Sunday?"]


def test_a_call_written_as_text_is_made_and_never_shown(shop: Shop, model: ModelServer) -> None:
    text = '<tool_call>{"name": "search_books", "arguments": {"query": "whales"}}</tool_call>'
    model.small([FACTS])
    model.script([Answer(text), f"Here you are. {text}"])
    shop.post(QUESTION)
    assert shop.texts(1) == ["Here you are."]
    assert called_tools(shop) == ["search_books"]


def test_a_model_that_calls_for_ever_is_stopped_and_the_customer_is_answered(
    shops: OpenShop, model: ModelServer
) -> None:
    shop = shops(limits={"iterations": 3})

    def for_ever(body: dict[str, Any]) -> Answer | str:
        if "tools" not in body:
            return "I found some, but not all."
        return calls(Call("search_books", {"query": f"whales {len(body['messages'])}"}))

    model.script(for_ever)
    shop.post("Which ones are left?")
    assert shop.texts(1) == ["I found some, but not all."]
    assert called_tools(shop) == ["search_books"] * 3
    assert "what is still open" in model.requests[-1].body["messages"][0]["content"]


def test_a_wrong_call_is_explained_to_the_model_which_then_corrects_it(shop: Shop, model: ModelServer) -> None:
    model.script([calls(Call("search_books", {"words": "whales"})), WHALES, "Here.", "Here."])
    shop.post("Which ones are left?")
    shop.texts(1)
    assert "'query' is a required property" in model.requests[1].body["messages"][-1]["content"]
    assert [step["status"] for step in shop.steps() if step["kind"] == "result"] == ["error", "ok"]


def test_a_server_that_is_gone_costs_its_call_and_not_the_turn(
    shops: OpenShop, model: ModelServer, bookshop: str
) -> None:
    proxy = CountingProxy(bookshop).start()
    shop = shops([{"name": "catalogue", "url": proxy.address}])
    proxy.close()
    model.script([WHALES, "The catalogue does not answer just now.", "The catalogue does not answer just now."])
    shop.post("Which ones are left?")
    assert shop.texts(1) == ["The catalogue does not answer just now."]
    assert "could not be reached" in json.dumps(model.requests[-1].body)


def test_a_turn_lists_no_tools_and_a_call_is_one_request(shops: OpenShop, model: ModelServer, bookshop: str) -> None:
    with CountingProxy(bookshop) as proxy:
        shop = shops([{"name": "catalogue", "url": proxy.address}])
        proxy.requests.clear()
        model.script([calls(*WHALES.calls, Call("check_stock", {"book_id": "B001"})), "Here.", "Here."])
        shop.post("Which ones are left?")
        shop.texts(1)
        assert proxy.requests == ["POST tools/call", "POST tools/call"]


def test_a_bearer_token_reaches_the_server_and_no_row(shops: OpenShop, model: ModelServer, bookshop: str) -> None:
    with CountingProxy(bookshop) as proxy:
        auth = {"kind": "bearer", "token": "hunter2"}
        shop = shops([{"name": "catalogue", "url": proxy.address, "auth": auth}])
        model.small([FACTS])
        model.script([WHALES, "Here."])
        shop.post(QUESTION)
        shop.texts(1)
        assert {headers["authorization"] for headers in proxy.headers} == {"Bearer hunter2"}
    assert "hunter2" not in str(shop.rows())
    assert not any("hunter2" in line for name in ("ToolLoop", "Provision") for line in shop.logs(name))


def test_a_large_result_is_cut_with_a_notice_and_the_reply_is_told(shops: OpenShop, model: ModelServer) -> None:
    shop = shops(limits={"result_tokens": 300})
    reply = "Here are some of them, there are more."
    model.script([calls(Call("search_books", {"query": "whales", "limit": 9})), reply, reply])
    shop.post(QUESTION)
    assert shop.texts(1) == [reply]
    system, user = (message["content"] for message in model.requests[-1].body["messages"])
    assert "only partly shown" in system
    assert "PARTIAL" in user
    assert any("result cut" in line for line in shop.logs("ToolLoop"))


@pytest.mark.parametrize(
    ("text", "subject", "language", "reply"),
    [
        ("고래에 관한 책 있어요?", "고래", "Korean", "네, 고래에 관한 책이 있습니다."),
        ("Есть книги о китах?", "китах", "Russian", "Да, вот книги о китах."),
    ],
)
def test_the_reply_is_asked_for_in_the_customers_language(
    shop: Shop, model: ModelServer, text: str, subject: str, language: str, reply: str
) -> None:
    model.small([json.dumps({"subject": subject, "constraints": []})])
    model.script([WHALES, reply])
    shop.post(text)
    assert shop.texts(1) == [reply]
    assert f"Write in {language}." in model.requests[-1].body["messages"][0]["content"]
