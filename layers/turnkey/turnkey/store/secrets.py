"""Secrets Manager: rows hold names, never values. Values stay in warm memory for minutes, by tenant and full name."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from botocore.exceptions import ClientError

from turnkey.environment import required
from turnkey.errors import TenantMisconfigured
from turnkey.store import clients, platform
from turnkey.store.acting import tenant_acted_for

CACHE_SECONDS = 300
RECHECK_SECONDS = 60
"""How old a kept value must be to be read again because a signature does not fit: anyone can send one that does not."""
ACCEPTED_SECONDS = 24 * 3600
"""For how long after a rotation the previous value is accepted."""

_GONE = ("ResourceNotFoundException", "InvalidRequestException")
"""Not there, or marked as deleted: AWS takes a moment to delete for good what was to be deleted at once."""
_CURRENT, _PREVIOUS = "AWSCURRENT", "AWSPREVIOUS"


def tenant_secret_name(tenant: str, name: str) -> str:
    """Full name of a tenant's secret: the stack, then the tenant, so that IAM can hold tenants apart by prefix."""
    return f"{_of_tenants()}{tenant}/{name}"


def _of_tenants() -> str:
    return f"{required('TURNKEY_SECRETS_PREFIX')}/tenants/"


@dataclass(frozen=True)
class _Read:
    """What was found; `value` is None where there was nothing. `at` and `created` are seconds since the epoch."""

    at: float
    created: float = 0
    value: str | None = field(default=None, repr=False)


class SecretStore:
    """Reads with a cache. Whoever acts for a tenant has a cache of that tenant's own, so a value in warm memory never
    spares another tenant's run the question whether it may read it."""

    def __init__(
        self, clock: Callable[[], float] = time.time, client: Callable[[], Any] = clients.secretsmanager
    ) -> None:
        """`client` gives a client of Secrets Manager: the tenant's, or `platform.secretsmanager`."""
        self._clock = clock
        self._client = client
        self._cache: dict[tuple[str, str, str], _Read] = {}

    def get(self, name: str) -> str:
        """The secret's value. Raises TenantMisconfigured when there is none."""
        return self._existing(name, CACHE_SECONDS)

    def fresh(self, name: str) -> str:
        """The same past the cache, for when the cached value was refused."""
        return self._existing(name, 0)

    def accepted(self, *names: str, at_most: float = CACHE_SECONDS) -> tuple[str, ...]:
        """The values that a signature may be made with: of each secret the current one and, within a day of its
        rotation, the one before. The first is the one to sign with. None kept is older than `at_most` seconds.

        Raises TenantMisconfigured when there is no such secret.
        """
        return tuple(dict.fromkeys(value for name in names for value in self._accepted(name, at_most)))

    def find(self, name: str) -> str | None:
        """The value as it is now, past the cache."""
        return self._read(name, _CURRENT).value

    def put(self, name: str, value: str) -> None:
        """Creates the secret, or gives it a new value; the old one stays accepted for a day."""
        try:
            self._client().create_secret(Name=name, SecretString=value)
        except ClientError as error:
            if _code(error) == "InvalidRequestException":
                raise TenantMisconfigured(
                    f"secret {name!r} was deleted a moment ago and cannot be made anew yet: apply again in a minute"
                ) from error
            if _code(error) != "ResourceExistsException":
                raise
            self._client().put_secret_value(SecretId=name, SecretString=value)
        self._forget(name)

    def rotate(self, name: str, value: str, *, at_once: bool = False) -> None:
        """Gives the secret a new value. The old one stays accepted for a day, or with `at_once` no longer than caches
        live. Raises TenantMisconfigured when there is no such secret."""
        try:
            # The second time makes the new value the previous one too: one permission less than moving stages.
            for _ in range(2 if at_once else 1):
                self._client().put_secret_value(SecretId=name, SecretString=value)
        except ClientError as error:
            raise _missing(name) if _code(error) == "ResourceNotFoundException" else error from error
        self._forget(name)

    def delete(self, name: str) -> None:
        """Deletes the secret for good, at once. One that does not exist is fine."""
        try:
            self._client().delete_secret(SecretId=name, ForceDeleteWithoutRecovery=True)
        except ClientError as error:
            if _code(error) not in _GONE:
                raise
        self._forget(name)

    def names(self, prefix: str) -> tuple[str, ...]:
        """Full names that begin with `prefix`, in order. AWS may take minutes to list what was just created, and to
        stop listing what was just deleted."""
        # Asked by the platform: in IAM, listing knows no prefixes.
        pages = (
            platform.secretsmanager()
            .get_paginator("list_secrets")
            .paginate(Filters=[{"Key": "name", "Values": [prefix]}])
        )
        found = (secret.get("Name", "") for page in pages for secret in page["SecretList"])
        return tuple(sorted(name for name in found if name.startswith(prefix)))

    def _existing(self, name: str, seconds: float) -> str:
        value = self._kept(name, _CURRENT, seconds).value
        if value is None:
            raise _missing(name)
        return value

    def _accepted(self, name: str, seconds: float) -> Iterator[str]:
        yield self._existing(name, seconds)
        if self._clock() - self._kept(name, _CURRENT, CACHE_SECONDS).created < ACCEPTED_SECONDS:
            previous = self._kept(name, _PREVIOUS, seconds).value
            if previous is not None:
                yield previous

    def _kept(self, name: str, stage: str, seconds: float) -> _Read:
        key = tenant_acted_for(), name, stage
        kept = self._cache.get(key)
        if kept is None or self._clock() - kept.at >= seconds:
            kept = self._read(name, stage)
            # What is not there is asked for again: it may be made any moment. Most secrets have no previous value.
            if kept.value is not None or stage == _PREVIOUS:
                self._cache[key] = kept
        return kept

    def _read(self, name: str, stage: str) -> _Read:
        _check_owner(name)
        now = self._clock()
        try:
            answer: Any = self._client().get_secret_value(SecretId=name, VersionStage=stage)
        except ClientError as error:
            if _code(error) not in _GONE:
                raise
            return _Read(now)
        if "SecretString" not in answer:
            raise TenantMisconfigured(f"secret {name!r} is binary: store it as text")
        return _Read(now, answer["CreatedDate"].timestamp(), answer["SecretString"])

    def _forget(self, name: str) -> None:
        for key in [key for key in self._cache if key[1] == name]:
            self._cache.pop(key, None)


def _check_owner(name: str) -> None:
    """Raises TenantMisconfigured for another tenant's secret, before IAM does."""
    tenant = tenant_acted_for()
    if tenant and name.startswith(_of_tenants()) and not name.startswith(tenant_secret_name(tenant, "")):
        raise TenantMisconfigured(f"secret {name!r} is another tenant's than {tenant!r}")


def _missing(name: str) -> TenantMisconfigured:
    return TenantMisconfigured(f"secret {name!r} does not exist: apply the manifest again with its value")


def _code(error: ClientError) -> str:
    return error.response.get("Error", {}).get("Code", "")
