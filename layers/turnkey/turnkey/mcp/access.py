"""What opens the door of a tenant's server: a flow that proves us in each request, or a stdio server's settings.

Credentials go with the flow and not with the client's headers: the flow alone knows where a request goes, so they reach
the server's own origin and nothing else, and it alone can read a secret again when the server answers 401.
"""

import json
from dataclasses import dataclass, field
from typing import Any, cast

import httpx2
from anyio.to_thread import run_sync

from turnkey.errors import TenantMisconfigured
from turnkey.mcp.auth import ClientCredentials, NoAuth
from turnkey.mcp.headers import SecretHeaders
from turnkey.mcp.origin import OnFailure, Origin
from turnkey.mcp.registration import Registration
from turnkey.mcp.vault import Secrets, Vault

_NOTHING = httpx2.Auth()
"""Sends each request as it is."""


@dataclass(frozen=True)
class Access:
    """`auth` is for the client of a remote server; `settings`, by name, for a stdio server's process."""

    auth: httpx2.Auth = field(default=_NOTHING, repr=False)
    settings: dict[str, str] = field(default_factory=dict[str, str], repr=False)


async def open_access(registration: Registration, vault: Vault, *, on_failure: OnFailure | None = None) -> Access:
    """What proves us to the registration's server. Raises TenantMisconfigured for a secret that is missing or broken.

    A 401 is dealt with inside `auth`: secrets are read again past the cache, an OAuth token is fetched anew, once, and
    the request is sent again; a 401 that comes out of it is final. Where no credential is to be had the request is not
    sent: the flow raises ServerFailed, and `on_failure` is told first, in the context of the request, since the SDK
    turns what its transport raises into a closed connection.
    """
    auth = registration.auth
    if isinstance(auth, NoAuth):
        return Access(settings=await run_sync(_settings, registration.settings_secret, vault.secrets))
    origin = Origin(registration.url, on_failure or (lambda _: None))
    if isinstance(auth, ClientCredentials):
        # About a second to import.
        from turnkey.mcp.oauth import TokenFlow

        return Access(auth=TokenFlow(auth, vault, registration.url, origin))
    return Access(auth=await SecretHeaders.read(auth, vault.secrets, origin))


def _settings(secret: str, secrets: Secrets) -> dict[str, str]:
    if not secret:
        return {}
    try:
        found: Any = json.loads(secrets.get(secret))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise TenantMisconfigured(f"secret {secret!r} is no JSON object of settings: apply the manifest again")
    return {str(name): str(value) for name, value in cast(dict[Any, Any], found).items()}
