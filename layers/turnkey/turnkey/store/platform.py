"""Clients with the function's own credentials, for what the platform does for itself: it starts turns, lists its
tenants, reads its model's key. Nothing here is limited to a tenant: what is a tenant's goes through `clients`."""

from functools import cache
from typing import TYPE_CHECKING

from turnkey.store import making

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_secretsmanager import SecretsManagerClient
    from mypy_boto3_stepfunctions import SFNClient
    from mypy_boto3_sts import STSClient


@cache
def dynamodb() -> "DynamoDBClient":
    return making.client("dynamodb")


@cache
def secretsmanager() -> "SecretsManagerClient":
    return making.client("secretsmanager")


@cache
def stepfunctions() -> "SFNClient":
    return making.client("stepfunctions")


@cache
def awslambda() -> "LambdaClient":
    """To have another of the platform's functions do something, without waiting for it."""
    return making.client("lambda")


@cache
def sts() -> "STSClient":
    return making.client("sts")
