"""boto3 clients, one a service and process."""

from functools import cache
from typing import TYPE_CHECKING

import boto3
from botocore.config import Config

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_secretsmanager import SecretsManagerClient
    from mypy_boto3_stepfunctions import SFNClient

_CONFIG = Config(connect_timeout=5, read_timeout=10, retries={"mode": "standard", "total_max_attempts": 4})


@cache
def dynamodb() -> "DynamoDBClient":
    return boto3.client("dynamodb", config=_CONFIG)  # pyright: ignore[reportUnknownMemberType]


@cache
def s3() -> "S3Client":
    # Path style: an emulated service's host has no subdomains.
    config = _CONFIG.merge(Config(s3={"addressing_style": "path"}))
    return boto3.client("s3", config=config)  # pyright: ignore[reportUnknownMemberType]


@cache
def secretsmanager() -> "SecretsManagerClient":
    return boto3.client("secretsmanager", config=_CONFIG)  # pyright: ignore[reportUnknownMemberType]


@cache
def stepfunctions() -> "SFNClient":
    return boto3.client("stepfunctions", config=_CONFIG)  # pyright: ignore[reportUnknownMemberType]
