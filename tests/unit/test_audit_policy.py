"""The audit log is written by provisioning and taken back by nobody: IAM says so, not only the code."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from local.deployment import Deployment
from local.iam.authority import Authority
from local.iam.dynamodb import Tables, accesses
from local.iam.values import Principal
from local.template import load

AUDIT = {"pk": {"S": "TENANT#shop#AUDIT"}, "sk": {"S": "2026-01-01T12:00:00.000000Z#r"}}
SETTINGS = {"pk": {"S": "TENANT#shop"}, "sk": {"S": "AGENT#clerk"}}


@cache
def deployment() -> Deployment:
    return load(Path(__file__).parents[2] / "template.yaml")


def allowed(operation: str, **parameters: Any) -> bool:
    """Whether provisioning may, in the session of the tenant shop."""
    role = next(role for role in deployment().roles if "ProvisionTenantRole" in role.arn)
    authority = Authority(deployment().roles, deployment().resource_policies)
    asked = list(accesses(operation, parameters, Tables(deployment().tables)))
    assert asked
    return authority.decide(Principal(role.arn, {"tenant": "shop"}), asked).allowed


def table() -> str:
    return next(table.name for table in deployment().tables if "Tenants" in table.name)


def deleting(*keys: dict[str, Any]) -> dict[str, Any]:
    return {"RequestItems": {table(): [{"DeleteRequest": {"Key": key}} for key in keys]}}


def test_the_log_is_written_and_read() -> None:
    assert allowed("PutItem", TableName=table(), Item=AUDIT)
    assert allowed("GetItem", TableName=table(), Key=AUDIT)


@pytest.mark.parametrize(
    ("operation", "key_field"), [("DeleteItem", "Key"), ("UpdateItem", "Key")], ids=["delete", "update"]
)
def test_an_entry_is_neither_deleted_nor_changed(operation: str, key_field: str) -> None:
    assert not allowed(operation, TableName=table(), **{key_field: AUDIT})
    assert allowed(operation, TableName=table(), **{key_field: SETTINGS})


def test_an_entry_is_not_deleted_among_other_rows() -> None:
    assert allowed("BatchWriteItem", **deleting(SETTINGS))
    assert not allowed("BatchWriteItem", **deleting(SETTINGS, AUDIT))
    assert not allowed("TransactWriteItems", TransactItems=[{"Delete": {"TableName": table(), "Key": AUDIT}}])
