"""Deleting a tenant through the real function, after real turns: nothing is left of it, and all of its neighbour."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from local.stack import Stack
from tests.support.model_server import Answer, ModelServer
from tests.support.shop import Shop
from tests.workflow.conftest import OpenShop
from tests.workflow.test_provisioning import ask, end_locks, of, problems

pytestmark = pytest.mark.long


def delete(shop: Shop, **fields: Any) -> dict[str, Any]:
    return ask(shop, "delete", tenant=shop.tenant, confirm=shop.tenant, quiet_seconds=0, **fields)


def everything(shop: Shop) -> Iterator[str]:
    """Whatever the emulated services hold of the tenant, found without the platform's help."""
    stack = shop.stack
    assert isinstance(stack, Stack)
    for table in stack.deployment.tables:
        for page in stack.client("dynamodb").get_paginator("scan").paginate(TableName=table.name):
            for item in page["Items"]:
                key = item["pk"]["S"]
                if key == f"TENANT#{shop.tenant}" or key.startswith(f"TENANT#{shop.tenant}#"):
                    yield f"{key} {item['sk']['S']}"
    for bucket in stack.deployment.buckets:
        objects = stack.client("s3").list_objects_v2(Bucket=bucket, Prefix=f"tenants/{shop.tenant}/")
        yield from (entry["Key"] for entry in objects.get("Contents", []))
    for page in stack.client("secretsmanager").get_paginator("list_secrets").paginate():
        names = (secret["Name"] for secret in page["SecretList"])
        yield from (name for name in names if f"/tenants/{shop.tenant}/" in name)


def neighbour(shop: Shop) -> Shop:
    """A tenant whose id begins with the shop's."""
    manifest = deepcopy(shop.manifest)
    manifest["tenant"]["id"] = f"{shop.tenant}x"
    other = replace(shop, tenant=f"{shop.tenant}x", manifest=manifest)
    assert not other.apply()["errors"]
    return other


def without_audit(shop: Shop) -> list[str]:
    return [place for place in everything(shop) if "#AUDIT " not in place]


def test_nothing_is_left_of_a_tenant_that_had_turns(shops: OpenShop, model: ModelServer) -> None:
    shop = shops()
    other = neighbour(shop)
    for tenant in (shop, other):
        for conversation in ("c-1", "c#2"):
            model.script([Answer("Hello.")])
            tenant.post("hello", conversation=conversation)
            tenant.settle()
    assert len(list(everything(shop))) > 10
    before = sorted(everything(other))
    answer = delete(shop)
    assert answer["done"], answer
    assert set(answer["left"].values()) == {0}
    assert answer["removed"]["conversations"] == 2
    assert answer["removed"]["secrets"] == 1
    assert without_audit(shop) == []
    assert sorted(everything(other)) == before
    assert shop.post("hello?").status_code == 404
    model.script([Answer("Hello.")])
    assert other.post("hello?").status_code == 200
    other.settle()
    assert [entry["action"] for entry in of(shop, "audit")["entries"]] == ["delete", "apply"]
    assert "no tenant" in problems(ask(shop, "export", tenant=shop.tenant))["tenant"]


def test_a_turn_that_runs_is_waited_for_and_answered(shop: Shop, model: ModelServer) -> None:
    model.script([Answer("Hello.", delay_seconds=3)])
    assert shop.post("hello").status_code == 200
    assert model.wait(lambda: bool(model.requests), 20)
    answer = delete(shop)
    assert answer["done"], answer
    shop.receiver.replies(1)
    assert without_audit(shop) == []


def test_a_deletion_that_is_killed_is_ended_by_the_next(shop: Shop, model: ModelServer) -> None:
    model.script([Answer("Hello.")])
    assert shop.post("hello").status_code == 200
    shop.texts(1)
    shop.kill_next("Provision", 0.05)
    shop.stack.client("lambda").invoke(
        FunctionName=shop.stack.function_name("Provision"),
        Payload=f'{{"action": "delete", "tenant": "{shop.tenant}", "confirm": "{shop.tenant}", "quiet_seconds": 0}}',
    )
    end_locks(shop)
    answer = delete(shop)
    assert answer.get("done") or "no tenant" in problems(answer)["tenant"]
    assert without_audit(shop) == []
