"""Unit tests run without sockets: whatever opens one fails."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from moto import mock_aws
from pytest_socket import disable_socket, enable_socket

from turnkey.environment import required
from turnkey.store.servers import ServerStore
from turnkey.store.stores import Stores

if TYPE_CHECKING:
    from tests.support.asking import Asking, Clock
    from tests.support.provisioning import Provisioning

_numbers = count(1)
NOW = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _no_sockets() -> Iterator[None]:
    # asyncio's own event loop wakes itself through a unix socket.
    disable_socket(allow_unix_socket=True)
    yield
    enable_socket()


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture(scope="session")
def _aws() -> Iterator[None]:
    """moto inside this process, started once: it takes a while."""
    with pytest.MonkeyPatch.context() as environment, mock_aws():
        for name, value in {
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_DEFAULT_REGION": "eu-central-1",
            "TURNKEY_SECRETS_PREFIX": "turnkey",
        }.items():
            environment.setenv(name, value)
        yield


@pytest.fixture
def stores(_aws: None, monkeypatch: pytest.MonkeyPatch) -> Stores:
    """Stores over tables of the test's own."""
    name = f"t{next(_numbers)}"
    dynamodb: Any = boto3.client("dynamodb")
    for kind in ("tenants", "conversations"):
        monkeypatch.setenv(f"TURNKEY_{kind.upper()}_TABLE", f"{name}-{kind}")
        dynamodb.create_table(
            TableName=f"{name}-{kind}",
            BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "tenant")],
            GlobalSecondaryIndexes=[
                {
                    "IndexName": "by-tenant",
                    "KeySchema": [{"AttributeName": "tenant", "KeyType": "HASH"}],
                    "Projection": {"ProjectionType": "KEYS_ONLY"},
                }
            ],
        )
    return Stores.from_environment()


@pytest.fixture
def provisioning(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> "Provisioning":
    """The provision function's own service over the tables of `stores`."""
    # It imports mcp, about a second.
    from tests.support.provisioning import Provisioning

    return Provisioning(monkeypatch)


@pytest.fixture
def clock() -> "Clock":
    from tests.support.asking import Clock

    return Clock()


@pytest.fixture
def kept(stores: Stores) -> ServerStore:
    return ServerStore(required("TURNKEY_TENANTS_TABLE"))


@pytest.fixture
def asking(stores: Stores, kept: ServerStore, clock: "Clock", monkeypatch: pytest.MonkeyPatch) -> "Asking":
    """A refresher whose servers answer what the test says. One at a time: moto within a process is not made for
    threads; that many work at once is tested on the stack."""
    # About a second to import, for the tests that need it.
    from tests.support.asking import Asking
    from turnkey.tenancy import rounds, servers

    for module in (rounds, servers):
        monkeypatch.setattr(module, "AT_ONCE", 1)
    return Asking(stores, kept, clock, {})
