"""What moto's DynamoDB and Secrets Manager hold, read and filled without going through their endpoints.

Callers hold the server's lock, so that no request is half done meanwhile.
"""

from collections.abc import Callable
from typing import Any

from moto.dynamodb.models import dynamodb_backends
from moto.secretsmanager.models import FakeSecret, secretsmanager_backends

from local.account import ACCOUNT_ID, REGION

# An item as DynamoDB's JSON has it, {"pk": {"S": "…"}, …}, except that binary values are bytes.
Item = dict[str, Any]
# A secret's current version: `string` or `binary` (base64), and `version_id`. Empty for a secret without a value.
Secret = dict[str, str]


def read_items() -> dict[str, list[Item]]:
    """Every item of every table, by the table's name."""
    tables = dynamodb_backends[ACCOUNT_ID][REGION].tables
    return {name: [item.to_json()["Attributes"] for item in table.all_items()] for name, table in tables.items()}


def read_partitions(wanted: Callable[[str], bool]) -> dict[str, list[Item]]:
    """The items of those partitions whose key is wanted, by the table's name; for tables with a sort key."""
    tables: Any = dynamodb_backends[ACCOUNT_ID][REGION].tables
    return {
        name: [
            item.to_json()["Attributes"]
            for key in list(table.items)
            if wanted(str(key.value))
            for item in list(table.items[key].values())
        ]
        for name, table in tables.items()
    }


def put_items(table_name: str, items: list[Item]) -> None:
    """Puts items that `read_items` returned. Raises `KeyError` for a table that does not exist."""
    table = dynamodb_backends[ACCOUNT_ID][REGION].tables[table_name]
    for item in items:
        table.put_item(item)


def read_secrets() -> dict[str, Secret]:
    """The current version of every secret, by its name."""
    store = secretsmanager_backends[ACCOUNT_ID][REGION].secrets
    secrets = {name: store[name] for name in store}
    return {
        name: _current_version(secret)
        for name, secret in secrets.items()
        if isinstance(secret, FakeSecret) and not secret.is_deleted()
    }


def put_secret(name: str, secret: Secret) -> None:
    """Creates a secret that `read_secrets` returned. Raises moto's error if there is one of that name."""
    secretsmanager_backends[ACCOUNT_ID][REGION].create_secret(
        name=name,
        secret_string=secret.get("string"),
        secret_binary=secret.get("binary"),
        description=None,
        tags=None,
        kms_key_id=None,
        client_request_token=secret.get("version_id"),
        replica_regions=[],
        force_overwrite=False,
    )


def _current_version(secret: FakeSecret) -> Secret:
    version = secret.versions.get(secret.default_version_id or "", {})
    kept = {"string": version.get("secret_string"), "binary": version.get("secret_binary")}
    kept["version_id"] = version.get("version_id")
    return {name: value for name, value in kept.items() if value is not None}
