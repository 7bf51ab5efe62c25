"""Headers whose values are secrets."""

from collections.abc import AsyncGenerator, Callable

import httpx2
from anyio.to_thread import run_sync

from turnkey.errors import TenantMisconfigured
from turnkey.mcp.auth import BearerAuth, HeaderAuth
from turnkey.mcp.origin import Origin
from turnkey.mcp.vault import Secrets

Headers = dict[str, str]


class SecretHeaders(httpx2.Auth):
    """Sets the headers in each request; reads them again, once, when the server answers 401."""

    def __init__(self, auth: BearerAuth | HeaderAuth, secrets: Secrets, origin: Origin, headers: Headers) -> None:
        self._auth = auth
        self._secrets = secrets
        self._origin = origin
        self._headers = headers

    @classmethod
    async def read(cls, auth: BearerAuth | HeaderAuth, secrets: Secrets, origin: Origin) -> "SecretHeaders":
        """Raises TenantMisconfigured for a secret that is missing, or is no header's value."""
        return cls(auth, secrets, origin, await run_sync(headers_of, auth, secrets.get))

    async def async_auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        self._origin.check(request)
        sent = self._headers
        request.headers.update(sent)
        response = yield request
        if response.status_code != 401:
            return
        self._headers = await run_sync(headers_of, self._auth, self._secrets.fresh)
        if self._headers != sent:
            request.headers.update(self._headers)
            yield request


def headers_of(auth: BearerAuth | HeaderAuth, get: Callable[[str], str]) -> Headers:
    """Headers by name, with the values that `get` has. Raises TenantMisconfigured for one that cannot be sent."""
    if isinstance(auth, BearerAuth):
        return {"authorization": f"Bearer {_sendable(auth.token_secret, get)}"}
    return {name: _sendable(secret, get) for name, secret in auth.secrets.items()}


def is_sendable(value: str) -> bool:
    """Whether a header can carry the value: printable ASCII, no white space around it."""
    return bool(value) and value.isascii() and value.isprintable() and value == value.strip()


def _sendable(secret: str, get: Callable[[str], str]) -> str:
    value = get(secret)
    # Checked when it was given; whoever writes to Secrets Manager by another way is met here.
    if not is_sendable(value):
        raise TenantMisconfigured(
            f"secret {secret!r} can be no header's value: it is empty, has a line break or white space around it, or "
            "is not ASCII; set it again"
        )
    return value
