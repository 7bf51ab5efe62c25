"""A hostile tenant next to a victim, on the running stack; and all that the victim has."""

from __future__ import annotations

import gzip
import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, repeat
from typing import Any

import httpx2

from local.stack import Stack
from local.stores import read_partitions, read_secrets
from tests.support.model_server import Answer, ModelServer
from tests.support.shop import Shop, open_shop
from turnkey import ids

BUCKET = "turnkey-objectsbucket"


@dataclass(frozen=True)
class Side:
    """A tenant with a model of its own. `mark` stands in whatever it says and is told."""

    shop: Shop
    model: ModelServer
    mark: str

    @property
    def tenant(self) -> str:
        return self.shop.tenant

    def talk(self, text: str = "Hello.", **message: Any) -> None:
        """A message, and its reply, with the mark in both."""
        before = len(self.shop.receiver.posts)
        assert self.shop.post(f"{text} {self.mark}", **message).status_code == 200
        self.shop.texts(before + 1)

    def script(self, *answers: Answer | str) -> None:
        """What its model answers next; after that the same as ever."""
        following = chain(answers, repeat(f"Yes. {self.mark}"))
        self.model.script(lambda _: next(following))

    def steps(self, conversation: str) -> list[dict[str, Any]]:
        """The journal of one conversation, in order."""
        key = ids.conversation_key(self.tenant, "web", conversation)
        rows = [row for row in self.shop.rows() if row["pk"] == key and row["sk"].startswith("STEP#")]
        return [json.loads(row["json"]) for row in sorted(rows, key=lambda row: row["sk"])]

    def asked(self) -> str:
        """All that its model was ever asked."""
        return json.dumps([request.body for request in (*self.model.requests, *self.model.small_requests)])

    def told(self) -> str:
        """All that was ever sent to its channel."""
        return "".join(post.body.decode() for post in self.shop.receiver.posts)


@contextmanager
def side(stack: Stack, servers: list[dict[str, Any]], mark: str, **agent: Any) -> Generator[Side]:
    with ModelServer(lambda _: f"Yes. {mark}") as model:
        instructions = f"You are a clerk. {mark}"
        with open_shop(stack, model.base_url, servers, instructions=instructions, **agent) as shop:
            yield Side(shop, model, mark)


def holdings(stack: Stack, tenant: str) -> dict[str, Any]:
    """Everything that is the tenant's, by where it is. Read from moto itself, which is in this process."""
    partition, prefix = ids.tenant_key(tenant), f"turnkey/tenants/{tenant}/"
    with stack.at_rest():
        items = read_partitions(lambda key: key == partition or key.startswith(f"{partition}#"))
        secrets = read_secrets()
    found: dict[str, Any] = {
        f"{table} {item['pk']['S']} {item['sk']['S']}": item for table, rows in items.items() for item in rows
    }
    found |= {name: secret for name, secret in secrets.items() if name.startswith(prefix)}
    objects = stack.client("s3").list_objects_v2(Bucket=BUCKET, Prefix=f"tenants/{tenant}/")
    return found | {entry["Key"]: entry["ETag"] for entry in objects.get("Contents", [])}


def keep_result(stack: Stack, tenant: str, conversation: str, handle: str, text: str) -> None:
    """A result of the conversation's first turn, kept as the tool loop keeps what it shows in part."""
    stack.client("dynamodb").put_item(
        TableName="turnkey-ConversationsTable",
        Item={
            "pk": {"S": ids.conversation_key(tenant, "web", conversation)},
            "sk": {"S": f"RESULT#{1:010d}#{handle}"},
            "gzip": {"B": gzip.compress(text.encode())},
        },
    )


def invoke(stack: Stack, function: str, event: dict[str, Any]) -> dict[str, Any]:
    """A function's answer, or its error object."""
    answer = stack.client("lambda").invoke(FunctionName=stack.function_name(function), Payload=json.dumps(event))
    return json.loads(answer["Payload"].read())


def post_raw(stack: Stack, path: str, body: bytes, headers: dict[str, str]) -> int:
    """To the API, with the path exactly as it is given."""
    base = httpx2.URL(stack.api_url)
    url = base.copy_with(raw_path=path.encode())
    return httpx2.post(url, content=body, headers=headers, timeout=30).status_code


def renamed(shop: Shop, tenant: str) -> Shop:
    """Another tenant with the same channel, secret and receiver, onboarded."""
    manifest = {**shop.manifest, "tenant": {"id": tenant, "name": "Another"}}
    other = replace(shop, tenant=tenant, manifest=manifest)
    report = other.apply()
    assert not report["errors"], report
    return other
