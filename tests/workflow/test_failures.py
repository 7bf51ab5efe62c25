"""What goes wrong is said: to the sender, to the customer, to the operator. The conversation is always given back."""

import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from tests.support.model_server import Answer, ModelServer
from tests.support.shop import Shop
from tests.support.signing import new_secret, signed_headers

OpenShop = Callable[..., Shop]
APOLOGY = "Sorry, something went wrong on our side"


def signed(shop: Shop, body: bytes, **changes: str) -> httpx2.Response:
    headers = signed_headers(shop.secret, body, message_id="msg_bad") | changes
    return httpx2.post(shop.hook, content=body, headers=headers, timeout=30)


BODY = json.dumps(
    {
        "type": "message.created",
        "timestamp": "2026-01-01T00:00:00Z",
        "data": {"conversation_id": "c", "message": {"text": "x"}},
    }
).encode()
REFUSED: dict[str, tuple[Callable[[Shop], httpx2.Response], int, str]] = {
    "unsigned": (lambda shop: httpx2.post(shop.hook, content=BODY), 401, "unsigned"),
    "wrongly signed": (lambda shop: signed(shop, BODY, **{"webhook-signature": "v1,AAAA"}), 401, "bad_signature"),
    "signed by another": (
        lambda shop: httpx2.post(
            shop.hook, content=BODY, headers=signed_headers(new_secret(), BODY, message_id="msg_bad")
        ),
        401,
        "bad_signature",
    ),
    "stale": (lambda shop: signed(shop, BODY, **{"webhook-timestamp": "1700000000"}), 401, "stale"),
    "oversized": (lambda shop: signed(shop, b"x" * 300_000), 413, "too_large"),
    "not JSON": (lambda shop: signed(shop, b"hello"), 400, "not_json"),
    "base64 through the gateway and not JSON": (
        lambda shop: httpx2.post(
            shop.hook,
            content=b"\x89PNG",
            headers=signed_headers(shop.secret, BODY, message_id="msg_bad") | {"content-type": "image/png"},
        ),
        401,
        "bad_signature",
    ),
    "unknown connection": (
        lambda shop: httpx2.post(shop.hook.replace("/web", "/nowhere"), content=BODY),
        404,
        "unknown_connection",
    ),
    "unknown tenant": (
        lambda shop: httpx2.post(shop.hook.replace(shop.tenant, "nobody"), content=BODY),
        404,
        "unknown_connection",
    ),
    "a name that is none": (
        lambda shop: httpx2.post(shop.hook.replace(shop.tenant, "A%23B"), content=BODY),
        404,
        "unknown_connection",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_bad_webhook_is_refused_in_clear_words_and_leaves_nothing(shop: Shop, case: str) -> None:
    post, status, code = REFUSED[case]
    response = post(shop)
    assert (response.status_code, response.json()["error"]) == (status, code)
    assert len(response.json()["message"]) > 10
    assert response.headers["content-type"] == "application/json"
    assert shop.rows() == []


def test_a_body_that_the_gateway_encodes_is_still_verified_and_answered(shop: Shop, model: ModelServer) -> None:
    model.script(["Hello!"])
    assert signed(shop, BODY, **{"content-type": "application/octet-stream"}).status_code == 200
    assert shop.texts(1) == ["Hello!"]


def assert_apologised(shop: Shop, cause: str) -> None:
    assert shop.texts(1)[0].startswith(APOLOGY)
    assert len({post.id for post in shop.receiver.posts}) == 1
    assert [turn["ended"] for turn in shop.turns()] == ["apologised"]
    lines = [json.loads(line) for line in shop.logs("Apologise") if line.startswith("{")]
    mine = [line for line in lines if line.get("tenant") == shop.tenant]
    assert any(cause in f"{line.get('error')} {line.get('cause')}" for line in mine), mine


def test_a_model_that_is_down_ends_in_the_apology(shops: OpenShop, model: ModelServer) -> None:
    shop = shops()
    model.close()
    shop.post("Hi")
    assert_apologised(shop, "ModelUnavailable")


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (Answer("overloaded", status=503), "status 503"),
        (Answer("slow down", status=429), "status 429"),
        (Answer("no such key", status=401), "TenantMisconfigured"),
        (Answer(status=0), "ModelUnavailable"),
        (Answer(body=b"<html>busy</html>", headers={"content-type": "text/html"}), "ModelAnswerInvalid"),
        (Answer(body=b'{"choices": []}'), "ModelAnswerInvalid"),
        (Answer(body=b"{nonsense"), "ModelAnswerInvalid"),
        (Answer(body=b'{"object": "list"}'), "ModelAnswerInvalid"),
        (Answer(body=b"[]"), "ModelAnswerInvalid"),
        (Answer(body=b'{"choices": [{"message": null}]}'), "ModelAnswerInvalid"),
        (Answer(text=""), "ModelAnswerInvalid"),
    ],
)
def test_a_model_that_answers_nonsense_ends_in_the_apology(
    shop: Shop, model: ModelServer, answer: Answer, cause: str
) -> None:
    model.script(lambda _: answer)
    shop.post("Hi")
    assert_apologised(shop, cause)


@pytest.mark.long
def test_a_model_that_is_too_slow_ends_in_the_apology(shops: OpenShop, model: ModelServer) -> None:
    shop = shops(limits={"model_seconds": 1})
    model.script(lambda _: Answer("late", delay_seconds=3))
    shop.post("Hi")
    assert_apologised(shop, "ModelUnavailable")


def test_a_model_that_fails_once_is_asked_again(shop: Shop, model: ModelServer) -> None:
    model.script([Answer("busy", status=503), "Hello!"])
    shop.post("Hi")
    assert shop.texts(1) == ["Hello!"]


def test_after_an_apology_the_conversation_goes_on(shop: Shop, model: ModelServer) -> None:
    model.script([Answer(body=b"[]"), "Hello!"])
    shop.post("Hi")
    shop.texts(1)
    shop.post("Hi again")
    assert shop.texts(2)[1] == "Hello!"


def test_a_tenant_whose_agent_is_gone_apologises_and_goes_on(shop: Shop, model: ModelServer) -> None:
    table = next(table.name for table in shop.stack.deployment.tables if "Tenants" in table.name)
    key: Any = {"pk": {"S": f"TENANT#{shop.tenant}"}, "sk": {"S": "AGENT#clerk"}}
    shop.stack.client("dynamodb").delete_item(TableName=table, Key=key)
    shop.post("Hi")
    assert_apologised(shop, "has no agent 'clerk'")


def test_a_reply_that_is_refused_for_good_is_seen_by_the_operator_and_holds_nothing_up(
    shop: Shop, model: ModelServer
) -> None:
    shop.receiver._statuses = iter([400, 400, 200])
    model.script(["Hello!", "Hello again!"])
    shop.post("Hi")
    assert shop.receiver.wait(lambda: len(shop.receiver.posts) >= 2, 20)
    shop.settle()
    assert [turn["ended"] for turn in shop.turns()] == ["unanswered"]
    shop.post("Hi again")
    assert shop.texts(1) == ["Hello again!"]
