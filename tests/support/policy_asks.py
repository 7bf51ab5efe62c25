"""Requests by what they need the right to do, of a stack `turnkey` with tenants a and b."""

from collections.abc import Callable
from typing import Any

from local.account import ACCOUNT_ID, REGION
from local.iam.dynamodb import Tables
from local.iam.services import accesses
from local.iam.values import Access, Principal

Ask = Callable[[Tables], list[Access]]
"""What a request needs the right to do."""

TENANTS, TALKS, BUCKET = "turnkey-TenantsTable", "turnkey-ConversationsTable", "turnkey-objectsbucket"
TALK = "TENANT#a#CONVERSATION#web#c-1"


def role(logical_id: str) -> str:
    return f"arn:aws:iam::{ACCOUNT_ID}:role/turnkey-{logical_id}"


def own(function: str) -> Principal:
    """A function with the credentials of its own role."""
    return Principal(role(f"{function}FunctionRole"))


def session(logical_id: str, tenant: str = "a") -> Principal:
    return Principal(role(logical_id), {"tenant": tenant})


def ask(service: str, operation: str, **parameters: Any) -> Ask:
    return lambda tables: accesses(service, operation, parameters, tables)


def key(partition: str) -> dict[str, Any]:
    return {"pk": {"S": partition}, "sk": {"S": "x"}}


def get(table: str, *partitions: str) -> Ask:
    if len(partitions) == 1:
        return ask("dynamodb", "GetItem", TableName=table, Key=key(partitions[0]))
    return ask("dynamodb", "BatchGetItem", RequestItems={table: {"Keys": [key(one) for one in partitions]}})


def put(table: str, partition: str) -> Ask:
    return ask("dynamodb", "PutItem", TableName=table, Item=key(partition))


def update(table: str, partition: str) -> Ask:
    return ask("dynamodb", "UpdateItem", TableName=table, Key=key(partition))


def delete(table: str, partition: str) -> Ask:
    return ask("dynamodb", "DeleteItem", TableName=table, Key=key(partition))


def batch_delete(table: str, *partitions: str) -> Ask:
    writes = [{"DeleteRequest": {"Key": key(one)}} for one in partitions]
    return ask("dynamodb", "BatchWriteItem", RequestItems={table: writes})


def transact(**writes: str) -> Ask:
    """In the conversations table: kind of write -> partition."""
    parts = [
        {kind: {"TableName": TALKS, ("Item" if kind == "Put" else "Key"): key(partition)}}
        for kind, partition in writes.items()
    ]
    return ask("dynamodb", "TransactWriteItems", TransactItems=parts)


def query(table: str, partition: str, *, index: str = "") -> Ask:
    return ask(
        "dynamodb",
        "Query",
        TableName=table,
        KeyConditionExpression="#k = :v",
        ExpressionAttributeNames={"#k": "tenant" if index else "pk"},
        ExpressionAttributeValues={":v": {"S": partition}},
        **({"IndexName": index} if index else {}),
    )


def secret(operation: str, name: str) -> Ask:
    field = "Name" if operation == "CreateSecret" else "SecretId"
    return ask("secretsmanager", operation, **{field: name})


def thing(operation: str, key: str, bucket: str = BUCKET) -> Ask:
    return ask("s3", operation, Bucket=bucket, Key=key)


def listed(prefix: str | None) -> Ask:
    return ask("s3", "ListObjectsV2", Bucket=BUCKET, **({} if prefix is None else {"Prefix": prefix}))


def invoke(function: str) -> Ask:
    return ask("lambda", "Invoke", FunctionName=function)


def schedule(operation: str, name: str = "a.x", group: str = "turnkey-wakes", target: str = "") -> Ask:
    """Of the scheduler; `target` is the logical id of the role that it is to invoke with."""
    with_target = {"Target": {"RoleArn": role(target)}} if target else {}
    return ask("scheduler", operation, Name=name, GroupName=group, **with_target)


def mail(sender: str, operation: str = "SendEmail") -> Ask:
    """Of SES, in a stack whose parameter MailDomain is mail.example.com."""
    return ask("ses", operation, FromEmailAddress=sender)


def passed(logical_id: str, service: str) -> Ask:
    """A role given to a service to act with."""
    return lambda _: [Access("iam:PassRole", role(logical_id), {"iam:passedtoservice": (service,)})]


def machine(operation: str, name: str = "turnkey-turn") -> Ask:
    return ask("states", operation, stateMachineArn=f"arn:aws:states:{REGION}:{ACCOUNT_ID}:stateMachine:{name}")


def assume(logical_id: str, tenant: str = "a", *, named: str = "", **more: str) -> Ask:
    tags = {**({"tenant": tenant} if tenant else {}), **more}
    return ask(
        "sts",
        "AssumeRole",
        RoleArn=role(logical_id),
        RoleSessionName=named or f"tenant-{tenant}",
        Tags=[{"Key": name, "Value": value} for name, value in tags.items()],
    )


def due(*, attributes: str = "pk, sk, due_at", select: str = "SPECIFIC_ATTRIBUTES") -> Ask:
    """The refresh's scan for what is due; it filters by what it names."""
    named = {"ProjectionExpression": attributes, "FilterExpression": "begins_with(sk, :s)"} if attributes else {}
    return ask("dynamodb", "Scan", TableName=TENANTS, Select=select, **named)


def bare(action: str, table: str) -> Ask:
    """An access to a table that names no partition."""
    arn = f"arn:aws:dynamodb:{REGION}:{ACCOUNT_ID}:table/{table}"
    return lambda _: [Access(action, arn)]
