"""One token, fetched by the SDK's providers. Imports `mcp` (about a second).

What the SDK does alone, and what is done here instead:
- It begins with a request without a token. Here a token comes first: the SDK is told of a 401 that no server sent.
- It lets the server choose the scope. Here the tenant's own, where it gave one, stands in that 401.
- It gives up on a server without a document about itself. Here the tenant's word, the pinned issuer, is taken then.
- It keeps no absolute expiry, and its errors repeat what the authorization server said. Here the one, not the other.

The requests are sent by the client that the flow belongs to, that is, through the network guard.
"""

import logging
import secrets as secrets_module
import time
from collections.abc import AsyncGenerator

import httpx2
from anyio.to_thread import run_sync
from mcp.client.auth import OAuthFlowError, OAuthTokenError
from mcp.client.auth.extensions.client_credentials import (
    ClientCredentialsOAuthProvider,
    PrivateKeyJWTOAuthProvider,
    SignedJWTParameters,
)
from mcp.client.auth.utils import extract_resource_metadata_from_www_auth
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken

from turnkey.errors import AddressRefused, RedirectRefused
from turnkey.mcp.auth import ClientCredentials
from turnkey.mcp.failures import Failure, FailureKind
from turnkey.mcp.headers import is_sendable
from turnkey.mcp.origin import origin_of
from turnkey.mcp.tokens import Grant, Token
from turnkey.mcp.vault import Secrets
from turnkey.mcp.watching import BROKEN_STATUS, watched

# It logs tracebacks that repeat what the authorization server said.
logging.getLogger("mcp.client.auth").setLevel(logging.CRITICAL)

MAX_CHARACTERS = 16_384
"""Of a token: as much as servers take of all headers together."""
_ABOUT_ITSELF = "/.well-known/oauth-protected-resource"
"""RFC 9728. Below it, first, the one of the server's own path."""
_GUARDED: tuple[tuple[type[Exception], FailureKind], ...] = (
    (RedirectRefused, "RedirectRefused"),
    (AddressRefused, "AddressRefused"),
)


class NoToken(Exception):
    """There is no token to be had, and why."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Fetch:
    """The requests by which one token is fetched, one after the other."""

    def __init__(
        self,
        grant: Grant,
        auth: ClientCredentials,
        secrets: Secrets,
        request: httpx2.Request,
        refusal: httpx2.Response | None,
    ) -> None:
        """`request` is the one that needs the token; `refusal` the server's 401, where it sent one."""
        self._grant = grant
        self._auth = auth
        self._secrets = secrets
        self._request = request
        self._refusal = refusal
        self._secret = ""
        self._status = 0
        self._storage = _Storage()
        self._flow: AsyncGenerator[httpx2.Request, httpx2.Response] | None = None

    async def begin(self) -> httpx2.Request:
        """The first request to send. Raises NoToken, and TenantMisconfigured when the client's secret is missing."""
        self._secret = await run_sync(self._secrets.get, self._auth.client_secret)
        return await self._start()

    async def next(self, response: httpx2.Response) -> httpx2.Request | None:
        """The next request, given the answer to the one before; None when the token is there. Raises NoToken."""
        self._status = response.status_code
        if response.status_code == BROKEN_STATUS:
            raise NoToken(self._unreachable(response.request.url))
        try:
            return await self._advance(self._vouched(response))
        except OAuthTokenError:
            # The client's secret may have been rotated.
            before, self._secret = self._secret, await run_sync(self._secrets.fresh, self._auth.client_secret)
            if self._secret == before:
                raise NoToken(self._refused()) from None
        return await self._start()

    def token(self, *, replaces_refused: bool) -> Token:
        """The token. Raises NoToken for one that no header can carry."""
        found = self._storage.found
        if found is None or not is_sendable(found.access_token) or len(found.access_token) > MAX_CHARACTERS:
            raise NoToken(self._failure("gave a token that no header can carry"))
        now = time.time()
        return Token(
            id=secrets_module.token_hex(8),
            value=found.access_token,
            grant=self._grant,
            obtained_at=now,
            expires_at=None if found.expires_in is None else now + found.expires_in,
            replaces_refused=replaces_refused,
        )

    async def close(self) -> None:
        if self._flow:
            await self._flow.aclose()

    async def _start(self) -> httpx2.Request:
        await self.close()
        try:
            self._flow = self._provider().async_auth_flow(self._request)
        except ValueError:
            raise NoToken(self._failure("is no address: correct auth.issuer")) from None
        # The request itself comes first; what answers it is not the server but us.
        await anext(self._flow)
        outgoing = await self._advance(self._challenge())
        if outgoing is None:
            raise NoToken(self._failure("was not asked for a token"))
        return outgoing

    async def _advance(self, response: httpx2.Response) -> httpx2.Request | None:
        if self._flow is None:
            raise RuntimeError("begin comes first")
        try:
            outgoing = await self._flow.asend(response)
        except OAuthTokenError:
            raise
        except OAuthFlowError as error:
            raise NoToken(self._failure(f"was not asked for a token: {str(error)[:200]}")) from None
        except Exception as error:
            # Such as a key that signs nothing. Its message may repeat what it was given.
            raise NoToken(self._failure(f"was not asked for a token: {type(error).__name__}")) from None
        return None if self._storage.found else self._checked(outgoing)

    def _checked(self, outgoing: httpx2.Request) -> httpx2.Request:
        """With the limits of the request that needs the token. Raises NoToken for credentials in the clear."""
        if outgoing.method == "POST" and outgoing.url.scheme != httpx2.URL(self._grant.issuer).scheme:
            raise NoToken(self._failure(f"names a token endpoint that begins with {outgoing.url.scheme}://"))
        outgoing.extensions = {**self._request.extensions, **outgoing.extensions}
        outgoing.headers["accept-encoding"] = "identity"
        return outgoing

    def _provider(self) -> ClientCredentialsOAuthProvider | PrivateKeyJWTOAuthProvider:
        grant, method = self._grant, self._auth.method
        if method != "private_key_jwt":
            return ClientCredentialsOAuthProvider(
                grant.url, self._storage, grant.client_id, self._secret, method, issuer=grant.issuer
            )
        signing = SignedJWTParameters(
            issuer=grant.client_id,
            subject=grant.client_id,
            signing_key=self._secret,
            signing_algorithm=self._auth.algorithm,
        )
        return PrivateKeyJWTOAuthProvider(
            grant.url, self._storage, grant.client_id, signing.create_assertion_provider(), issuer=grant.issuer
        )

    def _challenge(self) -> httpx2.Response:
        """A 401 that asks for the tenant's scope, and says where the server describes itself if the server did."""
        place = extract_resource_metadata_from_www_auth(self._refusal) if self._refusal else None
        parts = {"resource_metadata": place, "scope": self._grant.scope}
        header = "Bearer " + ", ".join(f'{name}="{value}"' for name, value in parts.items() if value)
        return httpx2.Response(401, headers={"www-authenticate": header}, request=self._request)

    def _vouched(self, response: httpx2.Response) -> httpx2.Response:
        """The answer, or the tenant's word where the server has nothing to say about itself."""
        asked, status = response.request, response.status_code
        if asked.url.path != _ABOUT_ITSELF or not 300 <= status < 500 or status == 429:
            return response
        described = {"resource": self._grant.url, "authorization_servers": [self._grant.issuer]}
        return httpx2.Response(200, json=described, request=asked)

    def _unreachable(self, url: httpx2.URL) -> Failure:
        error = watched().error
        for of, kind in _GUARDED:
            if isinstance(error, of):
                return Failure(kind=kind, message=f"there is no access token: {error}")
        is_its_own = origin_of(url) == origin_of(httpx2.URL(self._grant.url))
        message = f"{url.host} could not be reached, so there is no access token"
        return Failure(kind="Unreachable" if is_its_own else "AuthFailed", message=message)

    def _refused(self) -> Failure:
        is_at_fault = self._status >= 500 or self._status == 429
        what = (
            "has no token now: try again"
            if is_at_fault
            else "gave no token: check auth.client_id, its secret and auth.scope"
        )
        return self._failure(what, http_status=self._status)

    def _failure(self, what: str, http_status: int = 0) -> Failure:
        suffix = f" (HTTP status {http_status})" if http_status else ""
        message = f"the authorization server {self._grant.issuer} {what}{suffix}"
        return Failure(kind="AuthFailed", message=message, http_status=http_status)


class _Storage:
    """The SDK's storage, for the length of one fetch. It is handed nothing: whoever fetches has no token."""

    def __init__(self) -> None:
        self.found: OAuthToken | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return None

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.found = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return None

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """Never asked for: clients are not registered on the way."""
