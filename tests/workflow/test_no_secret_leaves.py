"""Secrets reach the system that they are for and nothing else: whatever fails, and whoever repeats them."""

from __future__ import annotations

import base64
import gzip
import json
import re
import secrets as secrets_module
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import pytest

from local.stack import Stack
from tests.support.authorization import AuthorizationServer, Served
from tests.support.door import FAULTS, Door
from tests.support.model_server import Answer, Call, ModelServer, calls
from tests.support.shop import Shop
from tests.workflow.conftest import OpenShop

pytestmark = pytest.mark.long


def canary(kind: str) -> str:
    return f"canary-{kind}-{secrets_module.token_hex(12)}"


@dataclass
class Kept:
    """What a shop keeps secret, and how its server is reached."""

    door: Door
    auth: dict[str, Any]
    secrets: list[str]
    more: Callable[[], list[str]] = field(default=list[str])

    def all(self) -> list[str]:
        return [*self.secrets, *self.more()]


def bearer(bookshop: str, exits: ExitStack) -> Kept:
    token = canary("bearer")
    door = exits.enter_context(Door(bookshop, lambda headers: headers.get("authorization") == f"Bearer {token}"))
    return Kept(door, {"kind": "bearer", "token": token}, [token])


def headers(bookshop: str, exits: ExitStack) -> Kept:
    key, account = canary("key"), canary("account")
    wanted = {"x-api-key": key, "x-account": account}
    door = exits.enter_context(Door(bookshop, lambda headers: wanted.items() <= headers.items()))
    return Kept(door, {"kind": "headers", "headers": {"X-Api-Key": key, "X-Account": account}}, [key, account])


def oauth(bookshop: str, exits: ExitStack) -> Kept:
    secret = canary("client-secret")
    login = exits.enter_context(Served())
    authorization = AuthorizationServer(login.url(), secret)
    login.answer = authorization.answer
    door = exits.enter_context(
        Door(bookshop, lambda headers: headers.get("authorization", "").removeprefix("Bearer ") in authorization.valid)
    )
    auth = {
        "kind": "client_credentials",
        "issuer": authorization.issuer,
        "client_id": "client",
        "client_secret": secret,
    }
    basic = base64.b64encode(f"client:{secret}".encode()).decode()
    return Kept(door, auth, [secret, basic], lambda: list(authorization.given))


@pytest.fixture(params=[bearer, headers, oauth])
def kept(request: pytest.FixtureRequest, bookshop: str) -> Iterator[Kept]:
    with ExitStack() as exits:
        yield request.param(bookshop, exits)


def test_no_secret_leaves(stack: Stack, shops: OpenShop, model: ModelServer, kept: Kept) -> None:
    server = {"name": "catalogue", "url": kept.door.address, "auth": kept.auth}
    shop = shops([server], limits={"iterations": 50, "results_tokens": 100_000})
    reports = [onboarded(shop)]

    # A turn in which everything goes wrong that can; after each fault a call that goes well.
    kept.door.fail([fault for one in FAULTS for fault in (one, "")])
    turn(shop, model, "faults", search(2 * len(FAULTS)), "Nothing.", "Nothing.")
    assert kept.door.faults == []
    key = shop.manifest["model"]["api_key"]
    for status in (401, 500):
        refusal = Answer(f"Incorrect API key provided: {key}", status=status)
        turn(shop, model, status, [lambda refusal=refusal: refusal])
    kept.door.close()
    turn(shop, model, "gone", search(1), "Nothing.", "Nothing.")

    reports += [unreachable(shop), *nonsense(stack, shop)]
    hidden = [*kept.all(), shop.secret.removeprefix("whsec_"), shop.manifest["model"]["api_key"]]
    assert len(hidden) >= 3
    found = [
        (place, secret)
        for place, text in everything(stack, shop, model, reports)
        for secret in hidden
        if secret in text
    ]
    assert found == []


Step = Callable[[], Answer | str]


def search(times: int) -> list[Step]:
    return [lambda n=n: calls(Call("search_books", {"query": f"whales {n}"})) for n in range(times)]


def turn(shop: Shop, model: ModelServer, conversation: object, steps: list[Step], *texts: str) -> None:
    """A conversation of its own with one turn: the model's steps, its last one for ever."""
    waiting: list[Step] = [*steps, *(lambda text=text: text for text in texts)]
    model.script(lambda _: (waiting.pop(0) if len(waiting) > 1 else waiting[0])())
    before = len(shop.receiver.replies(0))
    shop.post("Do you have any books about whales?", conversation=f"c-{conversation}")
    shop.texts(before + 1)


def onboarded(shop: Shop) -> Any:
    """With a model key of its own, too."""
    shop.manifest["model"]["api_key"] = canary("model-key")
    report = shop.apply()
    assert not report["errors"], report
    return report


def unreachable(shop: Shop) -> Any:
    """Applied while its server is down."""
    manifest = deepcopy(shop.manifest)
    manifest["agents"][0]["instructions"] = "Changed."
    return shop.apply(manifest)


def nonsense(stack: Stack, shop: Shop) -> Iterator[Any]:
    """What provision says to requests that are wrong in one place, with secrets in others."""
    manifest = shop.manifest
    for request in (
        {"action": "aply", "manifest": manifest},
        {"manifest": manifest},
        {"action": "apply", "manifest": json.dumps(manifest) + "\n  - ]["},
        {"action": "apply", "manifest": [manifest]},
        {"action": "apply", "manifest": {**manifest, "servers": [{**manifest["servers"][0], "transport": "pigeon"}]}},
        {"action": "apply", "manifest": {**manifest, "connections": [{**manifest["connections"][0], "extra": 1}]}},
        {"action": "apply", "manifest": {**manifest, "model": [manifest["model"]]}},
        {"action": "plan", "manifest": manifest},
        {"action": "export", "tenant": shop.tenant},
        {"action": "rotate_secret", "tenant": shop.tenant, "name": "nowhere", "value": shop.secret},
        {"action": "rotate_secret", "tenant": shop.tenant, "name": 1, "value": {"x": shop.secret}},
        {"action": "servers", "tenant": shop.tenant},
        {"action": "audit", "tenant": shop.tenant},
    ):
        answer = stack.client("lambda").invoke(
            FunctionName=stack.function_name("Provision"), Payload=json.dumps(request).encode()
        )
        yield answer["Payload"].read().decode()


def everything(stack: Stack, shop: Shop, model: ModelServer, reports: list[Any]) -> Iterator[tuple[str, str]]:
    """Every place where a secret has no business, by name."""
    for function in stack.deployment.functions.values():
        yield f"log of {function.logical_id}", "\n".join(stack.logs(function.logical_id))
    yield from executions(stack, shop.tenant)
    yield from rows(stack)
    yield from objects(stack)
    for asked in (*model.requests, *model.small_requests):
        sent = {name: value for name, value in asked.headers.items() if name != "authorization"}
        yield "model request", json.dumps([asked.path, sent, asked.body])
    for post in shop.receiver.posts:
        yield "reply", json.dumps([post.headers, post.body.decode()])
    for report in reports:
        yield "report", report if isinstance(report, str) else json.dumps(report)


def executions(stack: Stack, tenant: str) -> Iterator[tuple[str, str]]:
    machines = stack.client("stepfunctions")
    arn = machines.list_state_machines()["stateMachines"][0]["stateMachineArn"]
    found = machines.list_executions(stateMachineArn=arn)["executions"]
    for execution in (one for one in found if one["name"].startswith(f"{tenant}-")):
        yield "execution", json.dumps(machines.describe_execution(executionArn=execution["executionArn"]), default=str)
        history = machines.get_execution_history(executionArn=execution["executionArn"], includeExecutionData=True)
        yield "history", json.dumps(history, default=str)


def rows(stack: Stack) -> Iterator[tuple[str, str]]:
    for table in stack.deployment.tables:
        for item in stack.client("dynamodb").scan(TableName=table.name)["Items"]:
            yield f"row of {table.name}", _text(item)


def objects(stack: Stack) -> Iterator[tuple[str, str]]:
    client = stack.client("s3")
    for bucket in client.list_buckets()["Buckets"]:
        for entry in client.list_objects_v2(Bucket=bucket["Name"]).get("Contents", []):
            yield "object", _plain(client.get_object(Bucket=bucket["Name"], Key=entry["Key"])["Body"].read())


def _text(item: dict[str, Any]) -> str:
    parts = [json.dumps(item, default=lambda value: value.decode("latin-1"))]
    parts += [_plain(bytes(value["B"])) for value in item.values() if "B" in value]
    return "\n".join(parts)


def _plain(content: bytes) -> str:
    return (gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content).decode("utf-8", "replace")


def test_the_search_would_find_a_secret(stack: Stack, shops: OpenShop, model: ModelServer) -> None:
    """What is put into a conversation's name and a message on purpose is found wherever such things get to."""
    shop, word = shops(), canary("said-aloud")
    said: list[Step] = [lambda: calls(Call("search_books", {"query": word})), lambda: f"Nothing about {word}."]
    turn(shop, model, word, said)
    found = {re.sub(r" of .*", "", place) for place, text in everything(stack, shop, model, [word]) if word in text}
    assert found >= {"log", "execution", "history", "row", "model request", "reply", "report"}


def test_a_setting_that_a_local_server_chokes_on_is_not_repeated(
    stack: Stack, shops: OpenShop, model: ModelServer
) -> None:
    shop, zone = shops(), canary("zone")
    clock = {"name": "clock", "transport": "stdio", "catalogue": "time", "settings": {"local_timezone": zone}}
    report = shop.apply({**shop.manifest, "servers": [*shop.manifest["servers"], clock]})
    assert [error["path"].partition(".")[0] for error in report["errors"]] == ["servers[1]"], report
    found = [place for place, text in everything(stack, shop, model, [report]) if zone in text]
    assert found == []
