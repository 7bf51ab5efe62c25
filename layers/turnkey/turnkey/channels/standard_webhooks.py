"""A signed generic webhook (Standard Webhooks). Replies are POSTed, signed, to the connection's own URL.

In:  {"type": "message.created", "timestamp": …, "data": {"conversation_id": …, "sender": {"id": …, "kind": "user"},
     "message": {"id": …, "text": …}}}
Out: {"type": "message.reply", "timestamp": …, "data": {"conversation_id": …, "message": {"id": …, "text": …,
     "cards": [{"title", "subtitle", "price", "image", "link", "keys"} …], "total": …,
     "pictures": [{"title", "alt", "media_type", "base64"} …],
     "sources": [{"url", "title", "site"} …],
     "documents": [{"name", "title", "version", "link", "diff", "media_type"} …]}}}
     (the text has the documents' and the sources' links, too)
     {"type": "message.progress", "timestamp": …, "data": {"conversation_id": …, "text": …}} while a turn works, to
     connections that want it (`progress: true`); it may be lost.

`webhook-id` stays the same when a message is sent again, in both directions: repeats are told by it.
"""

import base64
import hmac
import json
import secrets as secrets_module
from datetime import UTC, datetime, timedelta
from typing import Literal, cast

from pydantic import BaseModel, Field, ValidationError
from standardwebhooks.webhooks import Webhook

from turnkey.channels.protocol import MAX_TEXT, InboundMessage, Outgoing, Picture, Progress, Reply
from turnkey.channels.request import WebhookRequest
from turnkey.errors import RequestRefused, TenantMisconfigured
from turnkey.tenancy.settings import Connection

TOLERANCE = timedelta(minutes=5)
SIGNED_WITH = ("id", "timestamp", "signature")
SECRET_BYTES = range(24, 65)
"""Length of a secret in bytes, by the specification."""


class _Sender(BaseModel):
    id: str = Field(default="", max_length=256)
    kind: str = "user"


class _Message(BaseModel):
    id: str = Field(default="", max_length=256)
    text: str = Field(default="", max_length=MAX_TEXT)


class _Data(BaseModel):
    conversation_id: str = Field(min_length=1, max_length=256)
    sender: _Sender = _Sender()
    message: _Message = _Message()
    group: bool = False
    addressed: bool = False


class _Created(BaseModel):
    type: Literal["message.created"]
    timestamp: datetime
    data: _Data


class Channel:
    """See turnkey.channels.protocol.Channel."""

    needs_reply_url = True

    def check_secret(self, secret: str) -> str | None:
        try:
            size = len(Webhook(secret)._whsecret)
        except Exception:  # the library lets whatever its decoding raises through
            return 'is not base64: give "whsec_" followed by 24 to 64 random bytes in base64'
        if size not in SECRET_BYTES:
            return f"has {size} bytes: give 24 to 64 random bytes in base64, after whsec_"
        return None

    def may_start(self, last_customer_message_at: datetime | None, now: datetime) -> bool:
        # The receiver is the tenant's own.
        return True

    def verify(self, request: WebhookRequest, secrets: tuple[str, ...], now: datetime) -> None:
        message_id, timestamp, signatures = (request.headers.get(f"webhook-{name}", "") for name in SIGNED_WITH)
        if not (message_id and timestamp and signatures):
            raise RequestRefused(401, "unsigned", "webhook-id, webhook-timestamp and webhook-signature are required")
        moment = _moment(timestamp, now)
        if moment is None:
            raise RequestRefused(401, "stale", "webhook-timestamp is no time within five minutes of now: sign again")
        if not any(_is_signed(secret, message_id, moment, request.body, signatures) for secret in secrets):
            raise RequestRefused(401, "bad_signature", "no signature in webhook-signature fits this body")

    def read(self, request: WebhookRequest) -> tuple[InboundMessage, ...]:
        message_id = request.headers["webhook-id"]
        if len(message_id) > 256:
            raise RequestRefused(400, "bad_message", "webhook-id is longer than 256 characters")
        content = _json(request.body)
        if content.get("type") != "message.created":
            return ()
        try:
            created = _Created.model_validate(content)
        except ValidationError as error:
            raise RequestRefused(400, "bad_message", _explain(error)) from error
        data = created.data
        if data.sender.kind != "user" or (data.group and not data.addressed) or not data.message.text.strip():
            return ()
        return (
            InboundMessage(
                id=message_id,
                conversation=data.conversation_id,
                text=data.message.text,
                sent_at=_aware(created.timestamp),
                sender=data.sender.id,
                address={"conversation_id": data.conversation_id, "in_reply_to": data.message.id},
            ),
        )

    def render(
        self, reply: Reply, connection: Connection, secrets: tuple[str, ...], now: datetime
    ) -> tuple[Outgoing, ...]:
        message: dict[str, object] = {"id": reply.id, "text": reply.text_with_links}
        if reply.cards:
            message |= {"cards": [_without_empty(card.model_dump()) for card in reply.cards], "total": reply.total}
        if reply.pictures:
            message["pictures"] = [_picture(picture) for picture in reply.pictures]
        if reply.sources:
            message["sources"] = [source.model_dump() for source in reply.sources]
        if reply.documents:
            message["documents"] = [_without_empty(document.model_dump()) for document in reply.documents]
        data: dict[str, object] = {"message": message, **reply.address}
        return (_signed("message.reply", reply.id, data, connection, secrets, now),)

    def working(
        self, progress: Progress, connection: Connection, secrets: tuple[str, ...], now: datetime
    ) -> Outgoing | None:
        data: dict[str, object] = {"text": progress.text, **progress.address}
        return _signed(
            "message.progress", f"msg_progress_{secrets_module.token_hex(12)}", data, connection, secrets, now
        )


def _signed(
    kind: str, message_id: str, data: dict[str, object], connection: Connection, secrets: tuple[str, ...], now: datetime
) -> Outgoing:
    if not secrets:
        raise TenantMisconfigured(f"connection {connection.name!r} has no secret to sign replies with")
    return signed(kind, message_id, data, connection.reply_url, secrets, now)


def signed(
    kind: str, message_id: str, data: dict[str, object], url: str, secrets: tuple[str, ...], now: datetime
) -> Outgoing:
    """A POST of {"type", "timestamp", "data"}, signed with each of the secrets."""
    body = json.dumps({"type": kind, "timestamp": now.isoformat(), "data": data}, ensure_ascii=False, sort_keys=True)
    headers = {
        "content-type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        # With each, the current one first: the receiver may not have changed over yet.
        "webhook-signature": " ".join(Webhook(secret).sign(message_id, now, body) for secret in secrets),
    }
    return Outgoing(url=url, headers=headers, body=body)


def _without_empty(values: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if value}


def _picture(picture: Picture) -> dict[str, object]:
    encoded = base64.b64encode(picture.content).decode()
    return {"title": picture.title, "alt": picture.alt, "media_type": picture.media_type, "base64": encoded}


def _moment(timestamp: str, now: datetime) -> datetime | None:
    """The header as a time, or None when it is none, or too far from now."""
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        return None
    moment = datetime.fromtimestamp(int(timestamp), UTC)
    return moment if abs(now - moment) <= TOLERANCE else None


def _is_signed(secret: str, message_id: str, moment: datetime, body: bytes, signatures: str) -> bool:
    """The library signs, we compare: its own `verify` reads a clock of its own and stops at the first odd entry."""
    try:
        expected = Webhook(secret).sign(message_id, moment, body.decode()).encode()
    except UnicodeDecodeError:
        return False
    return any(hmac.compare_digest(expected, entry.encode()) for entry in signatures.split(" "))


def _json(body: bytes) -> dict[str, object]:
    try:
        content = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RequestRefused(400, "not_json", "the body is not JSON") from error
    if not isinstance(content, dict):
        raise RequestRefused(400, "not_json", "the body is JSON but no object")
    return cast(dict[str, object], content)


def _explain(error: ValidationError) -> str:
    return "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors())


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
