"""What a request touches, of the services beside DynamoDB. Parameters are those that boto3 takes."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from local.account import ACCOUNT_ID, REGION
from local.iam import dynamodb
from local.iam.values import Access, UnreadableRequest

_Parameters = Mapping[str, Any]
_HERE = f"{REGION}:{ACCOUNT_ID}"
_SUFFIX = re.compile(r"-[A-Za-z0-9]{6}$")
"""Behind the name in a secret's ARN."""


def accesses(service: str, operation: str, parameters: _Parameters, tables: dynamodb.Tables) -> list[Access]:
    """Everything that must be allowed. `service` is the name in IAM's actions, such as states.

    An operation that is not known here is an action of that name on everything: only a policy for "*" allows it.
    Raises UnreadableRequest.
    """
    try:
        if service == "dynamodb":
            return list(dynamodb.accesses(operation, parameters, tables))
        return list(_SERVICES.get(service, _unknown)(service, operation, parameters))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise UnreadableRequest(f"{service}:{operation}: {type(error).__name__} {error}") from error


def _unknown(service: str, operation: str, parameters: _Parameters) -> Iterator[Access]:
    yield Access(f"{service}:{operation}", "*")


def _secrets(service: str, operation: str, parameters: _Parameters) -> Iterator[Access]:
    if operation == "BatchGetSecretValue":
        for secret in parameters.get("SecretIdList", []):
            yield Access(f"{service}:GetSecretValue", _secret_arn(secret))
    name = parameters.get("SecretId") or parameters.get("Name")
    yield Access(f"{service}:{operation}", _secret_arn(name) if name else "*", _tags(parameters))


def _secret_arn(name: str) -> str:
    """Of a secret that is named by its name, its ARN, or its ARN without the six characters that end it."""
    if not name.startswith("arn:"):
        return f"arn:aws:secretsmanager:{_HERE}:secret:{name}-AbCdEf"
    return name if _SUFFIX.search(name) else f"{name}-AbCdEf"


def _s3(service: str, operation: str, parameters: _Parameters) -> Iterator[Access]:
    bucket = f"arn:aws:s3:::{parameters['Bucket']}" if "Bucket" in parameters else "*"
    if operation in ("ListObjects", "ListObjectsV2"):
        prefix = parameters.get("Prefix")
        yield Access("s3:ListBucket", bucket, {} if prefix is None else {"s3:prefix": (prefix,)})
    elif operation == "DeleteObjects":
        for entry in parameters["Delete"]["Objects"]:
            yield Access("s3:DeleteObject", f"{bucket}/{entry['Key']}")
    elif operation == "CopyObject":
        source = parameters["CopySource"]
        place = source if isinstance(source, str) else f"{source['Bucket']}/{source['Key']}"
        yield Access("s3:GetObject", f"arn:aws:s3:::{place.lstrip('/')}")
        yield Access("s3:PutObject", f"{bucket}/{parameters['Key']}")
    else:
        key = parameters.get("Key")
        # What reads an object's head needs the right to read it.
        action = "GetObject" if operation == "HeadObject" else operation
        yield Access(f"s3:{action}", bucket if key is None else f"{bucket}/{key}")


def _states(service: str, operation: str, parameters: _Parameters) -> Iterator[Access]:
    resource = parameters.get("stateMachineArn") or parameters.get("executionArn") or "*"
    yield Access(f"{service}:{operation}", resource)


def _lambda(service: str, operation: str, parameters: _Parameters) -> Iterator[Access]:
    name = parameters.get("FunctionName", "")
    resource = name if name.startswith("arn:") else f"arn:aws:lambda:{_HERE}:function:{name}"
    yield Access(f"{service}:{'InvokeFunction' if operation == 'Invoke' else operation}", resource if name else "*")


def _scheduler(service: str, operation: str, parameters: _Parameters) -> Iterator[Access]:
    name, group = parameters.get("Name"), parameters.get("GroupName") or "default"
    yield Access(f"{service}:{operation}", f"arn:aws:scheduler:{_HERE}:schedule/{group}/{name}" if name else "*")
    if role := parameters.get("Target", {}).get("RoleArn"):
        yield Access("iam:PassRole", role, {"iam:passedtoservice": ("scheduler.amazonaws.com",)})


def _ses(service: str, operation: str, parameters: _Parameters) -> Iterator[Access]:
    """Of mail, the identity is the sender's domain."""
    sender = parameters.get("FromEmailAddress", "")
    identity = f"arn:aws:ses:{_HERE}:identity/{sender.rpartition('@')[2]}" if sender else "*"
    yield Access(f"ses:{operation}", identity, {"ses:fromaddress": (sender,)} if sender else {})


def _sts(service: str, operation: str, parameters: _Parameters) -> Iterator[Access]:
    if operation != "AssumeRole":
        yield from _unknown(service, operation, parameters)
        return
    tags = _tags(parameters)
    name = {"sts:rolesessionname": (parameters["RoleSessionName"],)}
    yield Access("sts:AssumeRole", parameters["RoleArn"], {**tags, **name})
    if tags:
        yield Access("sts:TagSession", parameters["RoleArn"], tags)


def _tags(parameters: _Parameters) -> dict[str, tuple[str, ...]]:
    tags = {tag["Key"]: tag["Value"] for tag in parameters.get("Tags", [])}
    requested = {f"aws:requesttag/{name.lower()}": (value,) for name, value in tags.items()}
    return {**requested, "aws:tagkeys": tuple(tags)} if tags else {}


_SERVICES: dict[str, Callable[[str, str, _Parameters], Iterator[Access]]] = {
    "secretsmanager": _secrets,
    "s3": _s3,
    "states": _states,
    "lambda": _lambda,
    "scheduler": _scheduler,
    "ses": _ses,
    "sts": _sts,
}
