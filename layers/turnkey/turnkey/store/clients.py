"""Clients for a tenant's data, one a service and process. Each request is signed as the tenant that is acted for then
(see `credentials`), so that a shared client never reaches another tenant's rows, secrets or objects."""

from functools import cache
from typing import TYPE_CHECKING, Any

from botocore.config import Config

from turnkey.store import credentials, making

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_scheduler import EventBridgeSchedulerClient
    from mypy_boto3_secretsmanager import SecretsManagerClient

_INVOKE_SECONDS = 150
"""More than any tool call may take (turnkey.mcp.registration.ServerTimeouts)."""


@cache
def dynamodb() -> "DynamoDBClient":
    return making.client("dynamodb", credentials.of_the_tenant())


@cache
def s3() -> "S3Client":
    return making.client("s3", credentials.of_the_tenant())


@cache
def secretsmanager() -> "SecretsManagerClient":
    return making.client("secretsmanager", credentials.of_the_tenant())


@cache
def sesv2() -> Any:
    """For mail to a tenant's people. It tries once: an answer that was lost would have the mail sent again."""
    return making.client("sesv2", credentials.of_the_tenant(), Config(retries={"total_max_attempts": 1}))


@cache
def scheduler() -> "EventBridgeSchedulerClient":
    return making.client("scheduler", credentials.of_the_tenant())


@cache
def awslambda() -> "LambdaClient":
    """For the functions of stdio servers. It tries once: a call may not be safe to repeat."""
    config = Config(read_timeout=_INVOKE_SECONDS, retries={"mode": "standard", "total_max_attempts": 1})
    return making.client("lambda", credentials.of_the_tenant(), config)
