"""The generic webhook: signatures over the raw bytes, repeats told by their id, replies that receivers can verify."""

import base64
import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook

from turnkey import channels
from turnkey.channels import Reply, WebhookRequest
from turnkey.channels.request import MAX_BODY_BYTES, from_event
from turnkey.errors import RequestRefused
from turnkey.tenancy.settings import Connection

SECRET = "whsec_" + base64.b64encode(b"a secret of thirty-two bytes ok!").decode()
OTHER = "whsec_" + base64.b64encode(b"another of thirty-two bytes okay").decode()
CHANNEL = channels.find("standard_webhooks")
CONTENT: dict[str, Any] = {
    "type": "message.created",
    "timestamp": "2026-01-01T00:00:00Z",
    "data": {
        "conversation_id": "c-1",
        "sender": {"id": "u-1", "kind": "user"},
        "message": {"id": "m-1", "text": "Résumé ready?"},
    },
}


def event(
    now: datetime, content: Any = CONTENT, *, secret: str = SECRET, message_id: str = "msg_1", **headers: str
) -> dict[str, Any]:
    """An API Gateway event, signed as a sender would."""
    body = content if isinstance(content, str) else json.dumps(content)
    signed = {
        "Webhook-Id": message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(secret).sign(message_id, now, body),
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    return {
        "pathParameters": {"tenant": "shop", "connection": "web"},
        "headers": signed,
        "body": body,
        "isBase64Encoded": False,
    }


def verify(raw: dict[str, Any], now: datetime, *secrets: str) -> WebhookRequest:
    request = from_event(raw)
    CHANNEL.verify(request, secrets or (SECRET,), now)
    return request


def refusal(raw: dict[str, Any], now: datetime) -> tuple[int, str]:
    with pytest.raises(RequestRefused) as refused:
        CHANNEL.read(verify(raw, now))
    return refused.value.status, refused.value.code


def test_a_signed_message_is_read(now: datetime) -> None:
    (message,) = CHANNEL.read(verify(event(now), now))
    assert (message.id, message.conversation, message.text, message.sender) == ("msg_1", "c-1", "Résumé ready?", "u-1")


def test_a_body_that_the_gateway_encoded_is_verified_as_it_was_signed(now: datetime) -> None:
    raw = event(now)
    raw |= {"body": base64.b64encode(raw["body"].encode()).decode(), "isBase64Encoded": True}
    assert CHANNEL.read(verify(raw, now))[0].text == "Résumé ready?"


def test_the_previous_secret_still_counts(now: datetime) -> None:
    verify(event(now, secret=OTHER), now, SECRET, OTHER)


def test_one_fitting_signature_among_others_is_enough(now: datetime) -> None:
    good = Webhook(SECRET).sign("msg_1", now, json.dumps(CONTENT))
    verify(event(now, webhook_signature=f"v1a,xyz nonsense v1,AAAA {good}"), now)


def test_what_is_not_signed_is_refused(now: datetime) -> None:
    assert refusal(event(now, webhook_signature=""), now) == (401, "unsigned")


@pytest.mark.parametrize(
    "signature",
    ["v1,AAAA", "v1,", "nonsense", "v1,é", "v1,A,v1,A", " ", "v1,!!!!", "v2,AAAA", "\x00", "v1," + "A" * 9000],
)
def test_a_wrong_signature_is_refused_and_never_a_fault(now: datetime, signature: str) -> None:
    assert refusal(event(now, webhook_signature=signature), now)[0] == 401


@pytest.mark.parametrize("timestamp", ["0", "-1", "1e9", "nan", "inf", "yesterday", "9" * 40, "１２３", " 1"])
def test_a_timestamp_that_is_no_recent_time_is_refused(now: datetime, timestamp: str) -> None:
    assert refusal(event(now, webhook_timestamp=timestamp), now) == (401, "stale")


@pytest.mark.parametrize("minutes", [-6, 6])
def test_a_message_signed_long_ago_or_ahead_is_stale(now: datetime, minutes: int) -> None:
    assert refusal(event(now + timedelta(minutes=minutes)), now) == (401, "stale")


def test_a_changed_body_is_refused(now: datetime) -> None:
    raw = event(now)
    raw["body"] = raw["body"].replace("ready", "reedy")
    assert refusal(raw, now) == (401, "bad_signature")


@pytest.mark.parametrize("content", ["not json", "[]", "3", "null", "[" * 100_000])
def test_a_signed_body_that_is_no_json_object_is_refused(now: datetime, content: str) -> None:
    assert refusal(event(now, content), now) == (400, "not_json")


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"conversation_id": ""},
        {"conversation_id": 3},
        {"conversation_id": "c", "message": "hi"},
        {"conversation_id": "\ud800"},
        None,
    ],
)
def test_a_message_without_its_parts_is_refused_with_the_part_named(now: datetime, data: Any) -> None:
    with pytest.raises(RequestRefused, match="data") as refused:
        CHANNEL.read(verify(event(now, {**CONTENT, "data": data}), now))
    assert refused.value.status == 400


def test_an_oversized_body_is_refused_before_it_is_verified(now: datetime) -> None:
    assert refusal(event(now, "x" * (MAX_BODY_BYTES + 1)), now) == (413, "too_large")


def test_a_body_wrongly_marked_as_base64_is_refused(now: datetime) -> None:
    assert refusal({**event(now), "isBase64Encoded": True}, now) == (400, "bad_encoding")


@pytest.mark.parametrize(
    "changes",
    [
        {"type": "message.delivered"},
        {"data": {**CONTENT["data"], "sender": {"id": "b", "kind": "bot"}}},
        {"data": {**CONTENT["data"], "group": True, "addressed": False}},
        {"data": {**CONTENT["data"], "message": {"id": "m", "text": "  "}}},
    ],
)
def test_what_needs_no_answer_is_ignored(now: datetime, changes: dict[str, Any]) -> None:
    assert CHANNEL.read(verify(event(now, {**CONTENT, **changes}), now)) == ()


def test_a_reply_can_be_verified_by_its_receiver_and_keeps_its_id(now: datetime) -> None:
    connection = Connection(
        name="web", channel="standard_webhooks", agent="clerk", reply_url="https://shop.example.com/replies"
    )
    reply = Reply(id="msg_turn-1", text="Ja – 鯨", address={"conversation_id": "c-1", "in_reply_to": "m-1"})
    (outgoing,) = CHANNEL.render(reply, connection, (SECRET, OTHER), datetime.now(now.tzinfo))
    content = Webhook(SECRET).verify(outgoing.body.encode(), outgoing.headers)
    assert outgoing.url == connection.reply_url
    assert outgoing.headers["webhook-id"] == "msg_turn-1"
    assert content["data"] == {
        "conversation_id": "c-1",
        "in_reply_to": "m-1",
        "message": {"id": "msg_turn-1", "text": "Ja – 鯨"},
    }


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_c2hvcnQ=", "whsec_é", "whsec_" + "A" * 200])
def test_a_secret_that_cannot_sign_is_explained(secret: str) -> None:
    assert CHANNEL.check_secret(secret)


def test_a_good_secret_passes() -> None:
    assert CHANNEL.check_secret(SECRET) is None
