"""The tenant's people: their hook, and what they send themselves."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler
from itertools import count
from typing import Any

import httpx2

from tests.support.receiver import ReplyReceiver
from tests.support.serving import send
from tests.support.shop import Shop
from tests.support.signing import new_secret, signed_headers

_numbers = count(1)
Json = dict[str, Any]


class PeopleHook(ReplyReceiver):
    """Takes what people are told. While `status` is set, that is what every post is answered."""

    def __init__(self) -> None:
        self.secret = new_secret()
        self.status = 0
        self.turned_away = 0
        super().__init__(self.secret)

    def handle(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        if not self.status:
            return super().handle(request, body)
        self.turned_away += 1
        send(request, self.status, b"", {})

    @property
    def section(self) -> Json:
        """The manifest's."""
        return {"hook": {"url": self.url("/people"), "secret": self.secret}}

    def told(self, kind: str = "") -> list[Json]:
        """The events that came under a good signature, repeats under one id counted once, in order."""
        found = {post.id: post.json() for post in self.posts if post.verified}
        return [event for event in found.values() if kind in ("", event["type"])]

    def handovers(self) -> list[Json]:
        return [event["data"] for event in self.told("conversation.handed_over")]

    def messages(self) -> list[str]:
        """What the customer wrote while a person answered."""
        return [event["data"]["message"]["text"] for event in self.told("conversation.message")]


def say(shop: Shop, secret: str, *, message_id: str = "", connection: str = "web", **content: Any) -> httpx2.Response:
    """What people send to the platform, signed with `secret`."""
    body = json.dumps(content, ensure_ascii=False).encode()
    headers = signed_headers(secret, body, message_id=message_id or f"people_{next(_numbers)}")
    return httpx2.post(f"{shop.stack.api_url}/people/{shop.tenant}/{connection}", content=body, headers=headers)


def give_back(shop: Shop, secret: str, handover: str, note: str = "", **more: Any) -> httpx2.Response:
    return say(shop, secret, type="conversation.returned", handover=handover, note=note, **more)


def take(shop: Shop, secret: str, conversation: str = "c-1", **more: Any) -> httpx2.Response:
    return say(shop, secret, type="conversation.taken", conversation_id=conversation, **more)


def provision(shop: Shop, action: str, **fields: Any) -> Json:
    """Through the provision function, of the shop's tenant unless another is named."""
    request = {"action": action, "tenant": shop.tenant, "actor": "tests", **fields}
    answer = shop.stack.client("lambda").invoke(
        FunctionName=shop.stack.function_name("Provision"), Payload=json.dumps(request)
    )
    found: Json = json.loads(answer["Payload"].read())
    assert "FunctionError" not in answer, found
    return found
