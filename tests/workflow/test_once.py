"""Messages, calls and replies happen once: at repeats, at bursts, and when any process dies."""

import re
from typing import Any

import pytest

from tests.support.model_server import Answer, Call, ModelServer, calls
from tests.support.shop import Shop

HOLD = calls(Call("hold_for_pickup", {"book_id": "B001", "customer_name": "Ada"}))


def reply_ids(shop: Shop) -> list[str]:
    return [post.id for post in shop.receiver.posts]


def echo(body: dict[str, Any]) -> str:
    """Answers with the numbers of the questions behind the last reply."""
    roles = [message["role"] for message in body["messages"]]
    last_reply = max((place for place, role in enumerate(roles) if role == "assistant"), default=0)
    unanswered = " ".join(message["content"] for message in body["messages"][last_reply:])
    return "answers " + " ".join(re.findall(r"question (\d+)", unanswered))


def answered(texts: list[str]) -> list[str]:
    return sorted(number for text in texts for number in re.findall(r"\d+", text))


def test_the_same_webhook_five_times_at_once_gives_one_turn_and_one_reply(shop: Shop, model: ModelServer) -> None:
    model.script(["Hello!"])
    assert shop.post_at_once(["Hi"] * 5, message_id="msg_same") == [200] * 5
    assert shop.texts(1) == ["Hello!"]
    assert len(reply_ids(shop)) == 1
    assert len(shop.turns()) == 1


def test_a_webhook_repeated_after_the_reply_does_nothing(shop: Shop, model: ModelServer) -> None:
    model.script(["Hello!"])
    shop.post("Hi", message_id="msg_again")
    shop.texts(1)
    assert shop.post("Hi", message_id="msg_again").json() == {"accepted": 0, "repeated": 1, "ignored": False}
    shop.settle()
    assert len(reply_ids(shop)) == 1


@pytest.mark.parametrize("at_once", [True, False])
def test_three_messages_in_a_row_are_all_answered_and_none_twice(shop: Shop, model: ModelServer, at_once: bool) -> None:
    model.script(echo)
    texts = [f"question {number}" for number in (1, 2, 3)]
    if at_once:
        shop.post_at_once(texts)
    else:
        for text in texts:
            shop.post(text)
    shop.texts(1)
    shop.settle()
    assert answered(shop.texts(1)) == ["1", "2", "3"]


def test_a_message_that_comes_during_a_turn_joins_it(shop: Shop, model: ModelServer) -> None:
    model.script(lambda body: Answer(echo(body), delay_seconds=0.5))
    shop.post("question 1")
    assert model.wait(lambda: len(model.requests) >= 1, 20)
    shop.post("question 2")
    assert shop.texts(1) == ["answers 1 2"]


@pytest.mark.long
def test_a_customer_who_goes_on_writing_gets_a_reply_after_two_joins(shop: Shop, model: ModelServer) -> None:
    def answer(body: dict[str, Any]) -> Answer:
        number = len(model.requests)
        if number <= 3:
            shop.post(f"question {number + 1}")
        return Answer(echo(body))

    model.script(answer)
    shop.post("question 1")
    assert shop.texts(2) == ["answers 1 2 3", "answers 4"]


@pytest.mark.long
def test_two_conversations_run_side_by_side(shop: Shop, model: ModelServer) -> None:
    model.script(echo)
    shop.post("question 1", conversation="a")
    shop.post("question 2", conversation="b")
    assert answered(shop.texts(2)) == ["1", "2"]


@pytest.mark.parametrize("when", ["before", "after", pytest.param(0.15, marks=pytest.mark.long)])
@pytest.mark.parametrize("function", ["Route", "ToolLoop", "Compose", "Deliver"])
def test_a_handler_that_dies_mid_turn_still_ends_in_one_reply_and_one_booking(
    shop: Shop, model: ModelServer, function: str, when: Any
) -> None:
    def book(body: dict[str, Any]) -> Answer | str:
        done = any(message["role"] == "tool" for message in body["messages"])
        return "Held for Ada." if done or "tools" not in body else HOLD

    model.script(book)
    shop.kill_next(function, when)
    shop.post("Please hold B001 for pickup, I am Ada")
    assert shop.texts(1) == ["Held for Ada."]
    assert len(set(reply_ids(shop))) == 1
    booked = [step for step in shop.steps() if step["kind"] == "result"]
    assert len(booked) == 1
    assert len(shop.turns()) == 1


@pytest.mark.parametrize("when", ["before", "after", 0.05])
def test_a_webhook_that_dies_is_made_good_by_the_senders_retry(shop: Shop, model: ModelServer, when: Any) -> None:
    model.script(["Hello!"])
    shop.kill_next("Webhook", when)
    shop.post("Hi", message_id="msg_retried")
    assert shop.post("Hi", message_id="msg_retried").status_code == 200
    assert shop.texts(1) == ["Hello!"]
    assert len(reply_ids(shop)) == 1


def test_a_reply_that_is_not_taken_at_first_is_sent_again_under_the_same_id(shop: Shop, model: ModelServer) -> None:
    shop.receiver._statuses = iter([503, 429])
    model.script(["Hello!"])
    shop.post("Hi")
    assert shop.texts(1) == ["Hello!"]
    assert len(reply_ids(shop)) == 3
    assert len(set(reply_ids(shop))) == 1
