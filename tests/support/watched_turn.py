"""A whole turn in this process, with every connection that the process opens written down.

`python -m tests.support.watched_turn BOOKSHOP_URL` onboards a tenant, answers one message and fetches a page, with the
functions' own handlers over moto inside the process, and prints what was seen as JSON (see Seen).
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import boto3
from moto import mock_aws

from tests.support.model_server import SMALL, Call, ModelServer, calls
from tests.support.receiver import ReplyReceiver
from tests.support.serving import Server, send
from tests.support.signing import new_secret

TENANT, CONVERSATION = "watched", "c-1"
through_the_guard: ContextVar[bool] = ContextVar("through the guard", default=False)


class Seen:
    """`connects` are the addresses that were connected to: through the guard, and past it. `looked_up` are the hosts
    that were resolved past it."""

    def __init__(self) -> None:
        self.guarded: list[str] = []
        self.strays: list[str] = []
        self.resolved: list[str] = []
        self.looked_up: list[str] = []
        sys.addaudithook(self._audit)

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "socket.connect" and isinstance(arguments[1], tuple):
            address = f"{arguments[1][0]}:{arguments[1][1]}"
            (self.guarded if through_the_guard.get() else self.strays).append(address)
        elif event == "socket.getaddrinfo":
            host = arguments[0].decode() if isinstance(arguments[0], bytes) else arguments[0]
            self.looked_up.append(f"{host}:{arguments[1]}")

    def watch_the_guard(self) -> None:
        from turnkey.network.backend import GuardedBackend
        from turnkey.network.wires import SystemWires

        connect, resolve = GuardedBackend.connect_tcp, SystemWires.resolve

        async def connect_tcp(backend: Any, *args: Any, **kwargs: Any) -> Any:
            token = through_the_guard.set(True)
            try:
                return await connect(backend, *args, **kwargs)
            finally:
                through_the_guard.reset(token)

        async def resolve_here(wires: Any, host: str, port: int) -> list[str]:
            # Look-ups happen in other threads, which know nothing of who asked.
            if through_the_guard.get():
                self.resolved.append(f"{host}:{port}")
            return await resolve(wires, host, port)

        setattr(GuardedBackend, "connect_tcp", connect_tcp)  # noqa: B010
        setattr(SystemWires, "resolve", resolve_here)  # noqa: B010

    def report(self) -> dict[str, list[str]]:
        past = list(self.looked_up)
        for host in self.resolved:
            if host in past:
                past.remove(host)
        return {"guarded": list(self.guarded), "strays": list(self.strays), "looked_up": past}


class Referring(Server):
    """An MCP server, of the old protocol, whose schemas refer to an address of its choice."""

    def __init__(self, elsewhere: str) -> None:
        super().__init__()
        text = {"type": "object", "properties": {"q": {"type": "string"}}}
        refers = {"type": "object", "properties": {"q": {"$ref": f"{elsewhere}/schema.json"}}}
        self._tools = [
            {"name": "look", "description": "Look.", "inputSchema": text, "outputSchema": refers},
            {"name": "peek", "description": "Peek.", "inputSchema": refers},
        ]

    def handle(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        asked = json.loads(body or b"{}")
        if request.command != "POST" or "id" not in asked:
            return send(request, 202 if request.command == "POST" else 405, b"", {})
        result = self._result(asked["method"])
        answer = {"result": result} if result else {"error": {"code": -32601, "message": "unknown method"}}
        whole = json.dumps({"jsonrpc": "2.0", "id": asked["id"], **answer}).encode()
        send(request, 200, whole, {"content-type": "application/json"})

    def _result(self, method: str) -> dict[str, Any] | None:
        about = {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "r", "version": "1"},
        }
        found = {"content": [{"type": "text", "text": '{"q": "x"}'}], "structuredContent": {"q": "x"}}
        return {"initialize": about, "tools/list": {"tools": self._tools}, "tools/call": found}.get(method)


class Trap(Server):
    """Whatever comes here came by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def handle(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        self.asked.append(request.path)
        send(request, 200, b"{}", {"content-type": "application/json"})


def handler(verb: str) -> Any:
    """The function's own handler, made anew from the environment as it is now."""
    spec = importlib.util.spec_from_file_location(f"{verb}_app", Path("functions") / verb / "app.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    context = SimpleNamespace(
        aws_request_id="r-1", function_name=verb, memory_limit_in_mb=512, invoked_function_arn="arn:aws:lambda:::x"
    )
    context.get_remaining_time_in_millis = lambda: 100_000
    return lambda event: module.handler(event, context)


@contextmanager
def services() -> Generator[None]:
    names = {
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "eu-central-1",
        "TURNKEY_SECRETS_PREFIX": "turnkey",
        "TURNKEY_ALLOW_PRIVATE_ADDRESSES": "true",
        "TURNKEY_MODEL": "none",
        "TURNKEY_MODEL_BASE_URL": "http://127.0.0.1:9/v1",
        "TURNKEY_OBJECTS_BUCKET": "objects",
        "TURNKEY_SCHEDULE_GROUP": "wakes",
        "TURNKEY_TENANTS_TABLE": "tenants",
        "TURNKEY_CONVERSATIONS_TABLE": "conversations",
        "POWERTOOLS_LOG_LEVEL": "CRITICAL",
    }
    os.environ.update(names)
    with mock_aws():
        dynamodb: Any = boto3.client("dynamodb")
        for table in ("tenants", "conversations"):
            dynamodb.create_table(
                TableName=table,
                BillingMode="PAY_PER_REQUEST",
                KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
                AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
            )
        s3: Any = boto3.client("s3")
        s3.create_bucket(Bucket="objects", CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
        yield


def onboard(bookshop: str, referring: str, model: str, replies: str, secret: str) -> None:
    servers = [{"name": "books", "url": bookshop}, {"name": "referring", "url": referring}]
    manifest = {
        "tenant": {"id": TENANT, "name": "Watched"},
        "model": {"base_url": model, "main": "scripted", "small": SMALL},
        "servers": servers,
        "agents": [{"name": "clerk", "instructions": "Be kind.", "servers": ["books", "referring"], "plain": True}],
        "connections": [
            {"name": "web", "channel": "standard_webhooks", "agent": "clerk", "secret": secret, "reply_url": replies}
        ],
    }
    report = handler("provision")({"action": "apply", "manifest": manifest})
    assert not report["errors"], report


def answer_one_message() -> None:
    from turnkey.channels import InboundMessage
    from turnkey.store.acting import acting_for
    from turnkey.store.stores import Stores
    from turnkey.turn.reference import TurnReference

    stores, now = Stores.from_environment(), datetime.now(UTC)
    reference = TurnReference(tenant=TENANT, connection="web", conversation=CONVERSATION, turn=1)
    with acting_for(TENANT):
        message = InboundMessage(id="m-1", conversation=CONVERSATION, text="Books about whales?", sent_at=now)
        stores.conversations.accept(reference.key, message, now)
        stores.conversations.take_lease(reference.key, now)
    event = reference.model_dump()
    for _ in range(10):
        if event["next"] == "end":
            return
        event = handler(event["next"])(event)
    raise AssertionError(f"the turn did not end: {event}")


def main(bookshop: str) -> None:
    seen = Seen()
    seen.watch_the_guard()
    secret = new_secret()
    asked = [Call("search_books", {"query": "whales"}), Call("look", {"q": "x"}), Call("peek", {"q": "x"})]
    with (
        services(),
        Trap() as trap,
        Referring(trap.url()) as referring,
        ModelServer([calls(*asked), "Here they are."]) as model,
        ReplyReceiver(secret) as receiver,
    ):
        onboard(bookshop, referring.url("/mcp"), model.base_url, receiver.url("/replies"), secret)
        answer_one_message()
        asyncio.run(_fetch(model.url("/")))
        told = [post.json()["data"]["message"]["text"] for post in receiver.replies(1)]
        ports = {"model": model.port, "replies": receiver.port, "referring": referring.port}
        report = {**seen.report(), "trapped": trap.asked, "told": told, "ports": ports}
        # What a connection past the guard looks like.
        asyncio.run(_stray(model.port))
        print(json.dumps({**report, "control": seen.strays[len(report["strays"]) :]}))


async def _fetch(url: str) -> None:
    from turnkey.network.fetching import fetch

    await fetch(url, allow_private=True)


async def _stray(port: int) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.close()


if __name__ == "__main__":
    main(sys.argv[1])
