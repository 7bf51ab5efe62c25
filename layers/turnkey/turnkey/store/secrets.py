"""Secrets Manager: rows hold names, never values. Values are kept in warm memory for minutes, by full name."""

import time

from botocore.exceptions import ClientError

from turnkey.environment import required
from turnkey.errors import TenantMisconfigured
from turnkey.store import clients

CACHE_SECONDS = 300


def tenant_secret_name(tenant: str, name: str) -> str:
    """Full name of a tenant's secret: the stack, then the tenant, so that IAM can hold tenants apart by prefix."""
    return f"{required('TURNKEY_SECRETS_PREFIX')}/tenants/{tenant}/{name}"


class SecretStore:
    """Reads with a cache. The full name begins with the tenant, so no tenant's value is found under another's."""

    def __init__(self) -> None:
        self._cache: dict[str, tuple[float, str]] = {}

    def get(self, name: str) -> str:
        """The secret's value. Raises TenantMisconfigured when there is none."""
        kept = self._cache.get(name)
        if kept and time.monotonic() - kept[0] < CACHE_SECONDS:
            return kept[1]
        value = self.find(name)
        if value is None:
            raise TenantMisconfigured(f"secret {name!r} does not exist: apply the manifest again with its value")
        self._cache[name] = (time.monotonic(), value)
        return value

    def find(self, name: str) -> str | None:
        """The value as it is now, past the cache."""
        try:
            return clients.secretsmanager().get_secret_value(SecretId=name)["SecretString"]
        except ClientError as error:
            if error.response.get("Error", {}).get("Code") != "ResourceNotFoundException":
                raise
            return None

    def put(self, name: str, value: str) -> None:
        try:
            clients.secretsmanager().create_secret(Name=name, SecretString=value)
        except ClientError as error:
            if error.response.get("Error", {}).get("Code") != "ResourceExistsException":
                raise
            clients.secretsmanager().put_secret_value(SecretId=name, SecretString=value)
        self._cache.pop(name, None)
