"""A tenant of the tests' own on a running stack: onboarded through `provision`, written to through the HTTP API."""

from __future__ import annotations

import json
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

import httpx2

from local.sam import SamStack
from local.stack import Stack
from local.stores import read_partitions
from local.workers import KillTime
from tests.support.model_server import SMALL
from tests.support.receiver import ReplyReceiver
from tests.support.signing import new_secret, signed_headers
from turnkey import ids

_numbers = count(1)


@dataclass(frozen=True)
class Shop:
    """One tenant with one connection, `web`, and its receiver of replies."""

    stack: Stack | SamStack
    tenant: str
    secret: str
    receiver: ReplyReceiver
    manifest: dict[str, Any]

    @property
    def hook(self) -> str:
        return f"{self.stack.api_url}/hooks/{self.tenant}/web"

    def logs(self, function: str) -> list[str]:
        """What the function wrote, for all tenants of the stack."""
        assert isinstance(self.stack, Stack)
        return self.stack.logs(function)

    def pids(self, function: str) -> list[int]:
        """The function's processes."""
        assert isinstance(self.stack, Stack)
        return self.stack.workers.pids(self.stack.function_name(function))

    def kill_next(self, function: str, when: KillTime) -> None:
        """The function's next run dies then."""
        assert isinstance(self.stack, Stack)
        self.stack.workers.kill_next(self.stack.function_name(function), when)

    def apply(self, manifest: dict[str, Any] | None = None) -> dict[str, Any]:
        """Through the provision function; returns its report."""
        answer = self.stack.client("lambda").invoke(
            FunctionName=self.stack.function_name("Provision"),
            Payload=json.dumps({"action": "apply", "manifest": manifest or self.manifest}),
        )
        report: dict[str, Any] = json.loads(answer["Payload"].read())
        assert "FunctionError" not in answer, report
        return report

    def post(
        self, text: str, *, conversation: str = "c-1", message_id: str = "", sender: str = "u-1"
    ) -> httpx2.Response:
        """A signed message, as a sender would post it."""
        message_id = message_id or f"msg_{next(_numbers)}"
        content = {
            "type": "message.created",
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "data": {
                "conversation_id": conversation,
                "sender": {"id": sender, "kind": "user"},
                "message": {"id": message_id, "text": text},
            },
        }
        body = json.dumps(content).encode()
        headers = signed_headers(self.secret, body, message_id=message_id)
        return httpx2.post(self.hook, content=body, headers=headers, timeout=30)

    def post_at_once(self, texts: list[str], *, conversation: str = "c-1", message_id: str = "") -> list[int]:
        """All of them in parallel; the statuses."""
        with ThreadPoolExecutor(len(texts)) as pool:
            posts = pool.map(lambda text: self.post(text, conversation=conversation, message_id=message_id), texts)
            return [response.status_code for response in posts]

    def texts(self, count: int, *, seconds: float = 30) -> list[str]:
        """The texts of the replies, repeats under one id counted once, when there are `count` and the turns are over."""
        self.receiver.replies(count, seconds=seconds)
        self.settle(seconds=seconds)
        replies = {post.id: post.json()["data"]["message"]["text"] for post in self.receiver.replies(count)}
        return list(replies.values())

    def settle(self, *, seconds: float = 30) -> None:
        """Waits until no conversation of the tenant is held and nothing waits in one."""
        deadline = time.monotonic() + seconds
        while open_ones := [row for row in self.rows() if row["sk"] == "STATE" and _is_open(row)]:
            assert time.monotonic() < deadline, f"still open: {open_ones}"
            time.sleep(0.05)

    def rows(self) -> list[dict[str, Any]]:
        """Every row of the tenant in the conversations table."""
        from boto3.dynamodb.types import TypeDeserializer

        read: Any = TypeDeserializer().deserialize
        table = next(table.name for table in self.stack.deployment.tables if "Conversations" in table.name)
        prefix = ids.tenant_key(self.tenant) + "#"
        # From moto itself, which is in this process: a scan has a page of all tenants' rows, however many there are.
        with self.stack.at_rest():
            items = read_partitions(lambda key: key.startswith(prefix))[table]
        return [{name: read(value) for name, value in item.items()} for item in items]

    def turns(self) -> list[dict[str, Any]]:
        """The turns in order."""
        return sorted((row for row in self.rows() if row["sk"].startswith("TURN#")), key=lambda row: row["sk"])

    def steps(self) -> list[dict[str, Any]]:
        """The journal's steps in order, as plain data."""
        rows = sorted((row for row in self.rows() if row["sk"].startswith("STEP#")), key=lambda row: row["sk"])
        return [json.loads(row["json"]) for row in rows]


def _is_open(state: dict[str, Any]) -> bool:
    return "lease_turn" in state or bool(state.get("pending"))


@contextmanager
def open_shop(
    stack: Stack | SamStack,
    model_url: str,
    servers: list[dict[str, Any]],
    *,
    reached_as: str = "127.0.0.1",
    **agent: Any,
) -> Generator[Shop]:
    """A new tenant, onboarded; `agent` adds to its agent's entry in the manifest.

    `reached_as` is how the functions reach this machine.
    """
    tenant, secret = f"shop{next(_numbers)}", new_secret()
    with ReplyReceiver(secret, host="127.0.0.1" if reached_as == "127.0.0.1" else "0.0.0.0") as receiver:
        connection = {
            "name": "web",
            "channel": "standard_webhooks",
            "agent": "clerk",
            "secret": secret,
            "reply_url": receiver.url("/replies", host=reached_as),
            "settle_seconds": 0,
        }
        clerk = {"name": "clerk", "instructions": "You are a clerk.", "servers": [s["name"] for s in servers], **agent}
        manifest = {
            "tenant": {"id": tenant, "name": "A shop"},
            "model": {"base_url": model_url, "main": "scripted", "small": SMALL},
            "servers": servers,
            "agents": [clerk],
            "connections": [connection],
        }
        shop = Shop(stack, tenant, secret, receiver, manifest)
        report = shop.apply()
        assert not report["errors"], report
        yield shop
