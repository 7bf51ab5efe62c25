"""A function's stores in this process: its environment, its credentials, the stack's services."""

from collections.abc import Generator
from contextlib import contextmanager

import pytest

from local.account import REGION
from local.stack import Stack
from turnkey.store import clients, credentials, platform

_MADE = (
    clients.awslambda,
    clients.dynamodb,
    clients.s3,
    clients.secretsmanager,
    credentials.of_the_tenant,
    platform.awslambda,
    platform.dynamodb,
    platform.secretsmanager,
    platform.stepfunctions,
    platform.sts,
)


@contextmanager
def borrowed(stack: Stack, function: str) -> Generator[None]:
    """For its duration this process asks the services as the function's own processes do."""
    environment = {
        **stack.deployment.function(function).environment,
        **stack.credentials(function),
        "AWS_DEFAULT_REGION": REGION,
        "AWS_REGION": REGION,
        "AWS_ENDPOINT_URL": stack.aws_endpoint,
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        _forget()
        try:
            yield
        finally:
            _forget()


def _forget() -> None:
    for made in _MADE:
        made.cache_clear()
