"""A tool that needs the customer's word is called only once they have agreed to that very call, and then once."""

import json
import re
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from tests.support.model_server import Answer, Call, ModelServer, calls
from tests.support.people import PeopleHook, give_back
from tests.support.shop import Shop
from turnkey.reply import person_words, phrases

pytestmark = pytest.mark.long

Json = dict[str, Any]
OpenShop = Callable[..., Shop]
HOLD = Call("hold_for_pickup", {"book_id": "B001", "customer_name": "Ada"})
ASK = "Please hold B001 for me, my name is Ada."
NOTHING_YET = "Nothing has been done so far."
MIDWAY = 0.15
"""Seconds after which a run is killed."""


def model_that_holds(*held: Call, told: str = "It is held under {numbers}.") -> Callable[[Json], Answer | str]:
    """Calls when it is asked for a hold; else it tells the numbers of those that it reads of."""

    def answer(body: Json) -> Answer | str:
        asked = str(body["messages"][-1]["content"])
        if "tools" in body and "hold" in asked.lower():
            return calls(*(held or (HOLD,)))
        return told.format(numbers=" and ".join(sorted(set(re.findall(r"\bH\d{4}\b", asked)))))

    return answer


@pytest.fixture
def desk(bookshop: str) -> Callable[[], int]:
    """How many holds were asked for at the shop's own server since the test began, with all books back on the shelf."""
    root = bookshop.removesuffix("/mcp")
    httpx2.post(f"{root}/reset").raise_for_status()

    def count() -> int:
        return int(httpx2.get(f"{root}/health").json()["calls"].get("hold_for_pickup", 0))

    before = count()
    return lambda: count() - before


@pytest.fixture
def shop(shops: OpenShop, bookshop: str, model: ModelServer, desk: Callable[[], int]) -> Shop:
    """A bookshop whose holds need the customer's word."""
    tools = {"hold_for_pickup": {"confirm": True}}
    model.script(model_that_holds())
    return shops([{"name": "catalogue", "url": bookshop, "tools": tools}])


def say(shop: Shop, text: str, number: int, **more: Any) -> str:
    """Writes, and gives the n-th reply."""
    shop.post(text, **more)
    return shop.texts(number)[number - 1]


def holds(shop: Shop) -> list[Json]:
    """The holds that were made, by the journal."""
    done = [step for step in shop.steps() if step["kind"] == "result" and step["status"] == "ok"]
    return [step["call"]["arguments"] for step in done if step["call"]["name"] == "hold_for_pickup"]


def test_the_customer_is_asked_with_title_and_values_and_nothing_is_done(
    shop: Shop, model: ModelServer, desk: Callable[[], int]
) -> None:
    text = say(shop, ASK, 1)
    assert "“Hold for pickup”" in text
    assert "B001" in text
    assert "Name: Ada" in text
    assert NOTHING_YET in text
    assert desk() == 0
    assert len(model.requests) == 1
    assert json.loads(shop.turns()[0]["reply"])["author"] == "platform"


def test_yes_makes_that_very_call_once_and_the_reply_tells_its_result(shop: Shop, model: ModelServer) -> None:
    say(shop, ASK, 1)
    model.requests.clear()
    assert re.fullmatch(r"It is held under H\d{4}\.", say(shop, "Yes please", 2))
    assert holds(shop) == [HOLD.arguments]
    assert not any("tools" in request.body for request in model.requests)
    assert [step["author"] for step in shop.steps() if step["kind"] == "answer"] == ["model", "platform"]


def test_no_drops_it_and_the_tool_is_not_offered_again_in_that_turn(
    shop: Shop, model: ModelServer, desk: Callable[[], int]
) -> None:
    say(shop, ASK, 1)
    model.requests.clear()
    model.script(["All right, I will leave it."])
    assert say(shop, "no thanks", 2) == "All right, I will leave it."
    offered = [tool["function"]["name"] for tool in model.requests[0].body["tools"]]
    assert "hold_for_pickup" not in offered
    assert "search_books" in offered
    model.script(["Hello!", "Hello!"])
    say(shop, "yes", 3)
    assert desk() == 0


def test_a_yes_with_a_change_asks_again_about_the_new_call(
    shop: Shop, model: ModelServer, desk: Callable[[], int]
) -> None:
    say(shop, ASK, 1)
    two = Call("hold_for_pickup", {"book_id": "B001", "customer_name": "Ada", "copies": 2})
    model.script([calls(two)])
    text = say(shop, "yes, but two copies please", 2)
    assert "Copies: 2" in text
    assert desk() == 0
    model.script(model_that_holds())
    say(shop, "yes", 3)
    assert holds(shop) == [two.arguments]


def test_after_another_question_the_waiting_call_has_lapsed(
    shop: Shop, model: ModelServer, desk: Callable[[], int]
) -> None:
    say(shop, ASK, 1)
    model.script(lambda _: "We open at nine.")
    say(shop, "When do you open tomorrow?", 2)
    say(shop, "yes", 3)
    assert desk() == 0


def test_yes_twice_makes_one_call(shop: Shop, desk: Callable[[], int]) -> None:
    say(shop, ASK, 1)
    shop.post_at_once(["yes", "yes"])
    shop.settle()
    assert (desk(), holds(shop)) == (1, [HOLD.arguments])


def test_a_yes_behind_the_yes_finds_nothing_that_waits(shop: Shop, model: ModelServer) -> None:
    say(shop, ASK, 1)
    say(shop, "yes", 2)
    model.script(lambda _: "You are welcome.")
    say(shop, "yes", 3)
    assert holds(shop) == [HOLD.arguments]


@pytest.mark.parametrize(
    ("function", "when"),
    [("Route", "after"), ("ToolLoop", MIDWAY), ("ToolLoop", "after"), ("Compose", "after")],
)
def test_a_process_that_dies_around_the_confirmed_call_leaves_one_call_and_one_reply(
    shop: Shop,
    function: str,
    when: Any,
    desk: Callable[[], int],
) -> None:
    say(shop, ASK, 1)
    shop.kill_next(function, when)
    say(shop, "yes", 2)
    # Killed in the middle, it may not have been sent yet: then nobody knows, and it is not made again.
    assert desk() == 1 or (desk() == 0 and when == MIDWAY)
    assert len({post.id for post in shop.receiver.posts}) == 2


def test_a_process_that_dies_once_the_question_is_sent_asks_it_once(shop: Shop, desk: Callable[[], int]) -> None:
    shop.kill_next("Deliver", "after")
    assert NOTHING_YET in say(shop, ASK, 1)
    assert desk() == 0
    say(shop, "yes", 2)
    assert holds(shop) == [HOLD.arguments]


def test_a_yes_that_was_written_before_the_question_was_sent_agrees_to_nothing(
    shop: Shop, model: ModelServer, desk: Callable[[], int]
) -> None:
    def answer(body: Json) -> Answer | str:
        if len(model.requests) <= 3:
            shop.post("yes please")
        return model_that_holds()(body)

    model.script(answer)
    shop.post(ASK)
    shop.settle()
    assert desk() == 0


def test_another_person_of_the_conversation_cannot_agree(
    shop: Shop, model: ModelServer, desk: Callable[[], int]
) -> None:
    say(shop, ASK, 1)
    model.script(["Only Ada can say so."])
    say(shop, "yes", 2, sender="u-2")
    assert desk() == 0


def test_two_calls_in_one_answer_are_asked_about_together(shop: Shop, model: ModelServer) -> None:
    other = Call("hold_for_pickup", {"book_id": "B002", "customer_name": "Ada"})
    model.script(model_that_holds(HOLD, other))
    text = say(shop, "Please hold B001 and B002 for Ada.", 1)
    assert text.count("“Hold for pickup”") == 2
    assert len(re.findall(r"H\d{4}", say(shop, "yes", 2))) == 2
    assert holds(shop) == [HOLD.arguments, other.arguments]


def test_what_is_missing_is_asked_first_and_the_word_then(
    shop: Shop, model: ModelServer, desk: Callable[[], int]
) -> None:
    def answer(body: Json) -> Answer | str:
        told = str(body["messages"][-1]["content"])
        if "tools" in body and '"customer_name": "Anna Smith"' in told:
            return calls(Call("hold_for_pickup", {"book_id": "B001", "customer_name": "Anna Smith"}))
        number = re.search(r"\bH\d{4}\b", told)
        return f"It is held under {number[0]}." if number else "Under which name shall I hold it?"

    model.small([json.dumps({"subject": "B001", "constraints": []})])
    model.script(answer)
    assert say(shop, "Please hold B001 for me.", 1) == "Under which name shall I hold it?"
    assert "Anna Smith" in say(shop, "Anna Smith", 2)
    assert desk() == 0
    say(shop, "yes, thank you", 3)
    assert holds(shop) == [{"book_id": "B001", "customer_name": "Anna Smith"}]


def test_the_question_and_the_yes_work_in_the_customers_language(shop: Shop, model: ModelServer) -> None:
    model.script(model_that_holds(told="Moby-Dick ist für Sie reserviert: {numbers}."))
    text = say(shop, "Bitte reservieren Sie B001 für mich, ich heiße Ada. (hold)", 1)
    assert "Bitte antworten Sie mit Ja oder Nein." in text
    assert "reserviert" in say(shop, "Ja, bitte!", 2)
    assert holds(shop) == [HOLD.arguments]


ELSEWHERE = {
    "zh": ("请帮我预留 B001，我叫 Ada。(hold)", "好的，谢谢", "不用了", "已为您预留：{numbers}。"),
    "ja": (
        "B001を取り置きしてください。名前はAdaです。(hold)",
        "はい、お願いします",
        "いいえ、結構です",
        "お取り置きしました：{numbers}。",
    ),
    "ru": (
        "Отложите, пожалуйста, B001, меня зовут Ada. (hold)",
        "Да, пожалуйста",
        "Нет, спасибо",
        "Отложено: {numbers}.",
    ),
    "ko": (
        "B001 예약해 주세요. 제 이름은 Ada입니다. (hold)",
        "네, 부탁드려요",
        "아니요, 괜찮아요",
        "예약되었습니다: {numbers}.",
    ),
}


@pytest.mark.parametrize("language", ELSEWHERE)
def test_only_a_clear_yes_runs_that_call_in_any_language(
    language: str, shop: Shop, model: ModelServer, desk: Callable[[], int]
) -> None:
    asks, yes, no, told = ELSEWHERE[language]
    model.script(model_that_holds(told=told))
    for conversation in ("agrees", "declines", "wavers"):
        shop.post(asks, conversation=conversation)
    asked = shop.texts(3)
    assert all(phrases.answer(language) in text for text in asked)
    assert all("Ada" in text for text in asked)
    assert desk() == 0
    model.script(lambda body: told.format(numbers="-") if "tools" in body else model_that_holds(told=told)(body))
    shop.post(no, conversation="declines")
    shop.post(f"{yes} 2?", conversation="wavers")
    shop.texts(5)
    assert desk() == 0
    shop.post(yes, conversation="declines")
    shop.texts(6)
    assert desk() == 0
    shop.post(yes, conversation="agrees")
    assert re.search(r"H\d{4}", shop.texts(7)[-1])
    assert holds(shop) == [HOLD.arguments]


def test_whoever_asks_for_a_person_in_place_of_an_answer_has_agreed_to_nothing(
    shop: Shop, model: ModelServer, desk: Callable[[], int]
) -> None:
    with PeopleHook() as hook:
        shop.manifest["agents"][0]["person"] = hook.section
        assert shop.apply()["errors"] == []
        say(shop, ASK, 1)
        say(shop, "I want to talk to a human", 2)
        [told] = hook.handovers()
        shop.post("yes")
        shop.settle()
        assert hook.messages() == ["yes"]
        give_back(shop, hook.secret, told["handover"])
        model.script(lambda _: "What can I do for you?")
        say(shop, "yes", 3)
    assert desk() == 0


def test_a_person_who_takes_over_in_the_same_answer_decides_in_place_of_the_customers_word(
    shop: Shop, model: ModelServer, desk: Callable[[], int]
) -> None:
    with PeopleHook() as hook:
        shop.manifest["agents"][0]["person"] = hook.section
        assert shop.apply()["errors"] == []
        model.script([calls(HOLD, Call("hand_to_person", {"summary": "Ada wants B001 held."}))])
        text = say(shop, f"{ASK} This is a complaint, I want your manager to see to it, hold it now.", 1)
        assert text == person_words.taking_over("en")
        assert [told["summary"] for told in hook.handovers()] == ["Ada wants B001 held."]
        shop.post("yes")
        shop.settle()
        assert hook.messages() == ["yes"]
    assert desk() == 0


def test_no_status_line_says_that_it_is_being_done_while_the_customer_is_asked(shop: Shop) -> None:
    shop.manifest["connections"][0]["progress"] = True
    assert shop.apply()["errors"] == []
    say(shop, ASK, 1)
    lines = [post.json()["data"]["text"] for post in shop.receiver.progress()]
    assert not any("eserv" in line or "booking" in line for line in lines)


def test_a_tool_that_needs_no_word_is_called_at_once(
    shops: OpenShop, bookshop: str, model: ModelServer, desk: Callable[[], int]
) -> None:
    model.script([calls(HOLD), "Held.", "It is held."])
    shop = shops([{"name": "catalogue", "url": bookshop}])
    say(shop, ASK, 1)
    assert desk() == 1
