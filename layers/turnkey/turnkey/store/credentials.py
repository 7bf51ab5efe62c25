"""The credentials of the one tenant that a run acts for: a session of the tenant role, tagged with the tenant's name.

IAM looks at that tag with every request (template.yaml, docs/decisions/0012-credentials-of-one-tenant.md). Sessions are
kept in warm memory, by tenant.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from functools import cache
from threading import Lock

from botocore.credentials import Credentials, ReadOnlyCredentials

from turnkey import ids
from turnkey.environment import optional
from turnkey.errors import Permanent
from turnkey.store import platform
from turnkey.store.acting import tenant_acted_for

SESSION_SECONDS = 3600
"""As long as a role may be assumed with the credentials of another."""
SPARE_SECONDS = 300
"""Before its end a session is no longer used for a new request."""
MOST_TENANTS = 500
"""Sessions kept at the same time, about 2 KB each."""

Assume = Callable[[str], ReadOnlyCredentials]
"""Gives a new session of a tenant, good for SESSION_SECONDS."""


@cache
def of_the_tenant() -> Credentials | None:
    """Credentials that are another tenant's whenever another is acted for. None where the template gives no tenant
    role: then the function's own count, which are nobody's."""
    role = optional("TURNKEY_TENANT_ROLE_ARN")
    return TenantCredentials(TenantSessions(lambda tenant: assume(role, tenant))) if role else None


class TenantCredentials(Credentials):
    """botocore asks for `get_frozen_credentials` with each request that it signs, also when it tries again."""

    def __init__(self, sessions: "TenantSessions") -> None:
        super().__init__("none of its own", "none of its own", method="tenant-role")
        self._sessions = sessions

    def get_frozen_credentials(self) -> ReadOnlyCredentials:
        """Those of the tenant acted for in this context. Raises Permanent when there is none."""
        return self._sessions.of(tenant_acted_for())


class TenantSessions:
    """By tenant; safe from many threads, of which one at a time assumes a tenant's role."""

    def __init__(self, assume: Assume, *, most: int = MOST_TENANTS, clock: Callable[[], float] = time.time) -> None:
        self._assume = assume
        self._most = most
        self._clock = clock
        self._lock = Lock()
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def of(self, tenant: str) -> ReadOnlyCredentials:
        """Raises Permanent for what is no tenant's name, and what `assume` raises."""
        if not ids.is_name(tenant):
            raise Permanent(
                f"a tenant's data was asked for while acting for {tenant!r}: wrap the work in acting_for(tenant)"
            )
        kept = self._of(tenant)
        with kept.lock:
            if kept.credentials is None or self._clock() >= kept.until:
                # From before the call, so that it never seems to last longer than it does.
                until = self._clock() + SESSION_SECONDS - SPARE_SECONDS
                kept.credentials, kept.until = self._assume(tenant), until
            return kept.credentials

    def _of(self, tenant: str) -> "_Kept":
        with self._lock:
            kept = self._kept.setdefault(tenant, _Kept())
            self._kept.move_to_end(tenant)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
            return kept


class _Kept:
    """One tenant's session, and the lock of whoever renews it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.credentials: ReadOnlyCredentials | None = None
        self.until = 0.0


def assume(role: str, tenant: str) -> ReadOnlyCredentials:
    """A new session of `role` (its ARN) that stands for the tenant. Raises botocore's ClientError."""
    answer = platform.sts().assume_role(
        RoleArn=role,
        # The role wants the name to be the tag's: in CloudTrail it tells whom a request was for.
        RoleSessionName=f"tenant-{tenant}",
        Tags=[{"Key": "tenant", "Value": tenant}],
        DurationSeconds=SESSION_SECONDS,
    )
    given = answer["Credentials"]
    return ReadOnlyCredentials(given["AccessKeyId"], given["SecretAccessKey"], given["SessionToken"])
