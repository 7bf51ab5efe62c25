"""OAuth 2 client credentials: each request with a token, and one run at a time fetching it."""

import random
import time
from collections.abc import AsyncGenerator
from functools import partial

import anyio
import httpx2
from anyio.to_thread import run_sync

from turnkey.mcp.auth import ClientCredentials
from turnkey.mcp.failures import Failure
from turnkey.mcp.origin import Origin
from turnkey.mcp.token_fetch import Fetch, NoToken
from turnkey.mcp.tokens import Claim, Grant, Token, Tokens
from turnkey.mcp.vault import Vault

WAIT_SECONDS = 15.0
"""For another run's token; longer than one holder may take, so that a dead one's place is taken within it."""
REFUSED_SECONDS = 60.0
"""A token that replaced a refused one, and is refused too, is not replaced again for so long."""
_PAUSE_SECONDS = (0.1, 0.3)
_GOODBYE_SECONDS = 5.0


class TokenFlow(httpx2.Auth):
    """Sends each request with a token. After a 401 it gets another one, once, and sends the request again."""

    def __init__(self, auth: ClientCredentials, vault: Vault, url: str, origin: Origin) -> None:
        self._auth = auth
        self._vault = vault
        self._origin = origin
        self._grant = Grant(
            tenant=vault.tenant,
            secret=auth.token_secret,
            url=url,
            issuer=auth.issuer,
            client_id=auth.client_id,
            scope=auth.scope,
        )

    async def async_auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """Raises ServerFailed where no token is to be had."""
        self._origin.check(request)
        token = await run_sync(self._vault.tokens.find, self._grant)
        refusal: httpx2.Response | None = None
        while True:
            if token is None or refusal is not None:
                fetch = Fetch(self._grant, self._auth, self._vault.secrets, request, refusal)
                getting = _Getting(self._grant, self._vault.tokens, fetch, token)
                try:
                    outgoing = await getting.begin()
                    while outgoing is not None:
                        outgoing = await getting.next((yield outgoing))
                except NoToken as error:
                    self._origin.refuse(error.failure)
                finally:
                    await getting.close()
                token = getting.token
            request.headers["authorization"] = f"Bearer {token.value}"
            response = yield request
            if response.status_code != 401 or refusal is not None or _is_replacement(token):
                return
            refusal = response


def _is_replacement(token: Token) -> bool:
    return token.replaces_refused and time.time() - token.obtained_at < REFUSED_SECONDS


class _Getting:
    """Getting a token that is not the refused one: another run's, or one that is fetched here."""

    def __init__(self, grant: Grant, tokens: Tokens, fetch: Fetch, refused: Token | None) -> None:
        self._grant = grant
        self._tokens = tokens
        self._fetch = fetch
        self._refused = refused
        self._claim = Claim()
        self._found: Token | None = None

    @property
    def token(self) -> Token:
        """The token, once there is no further request to send."""
        if self._found is None:
            raise RuntimeError("the token is there when `next` has returned None")
        return self._found

    async def begin(self) -> httpx2.Request | None:
        """The first request to send, or None where the token is there. Raises NoToken."""
        await self._wait()
        return None if self._found else await self._fetch.begin()

    async def next(self, response: httpx2.Response) -> httpx2.Request | None:
        """The same, given the answer to the one before."""
        outgoing = await self._fetch.next(response)
        if outgoing is None:
            token = self._fetch.token(replaces_refused=self._refused is not None)
            await run_sync(self._tokens.keep, self._claim, token)
            self._found, self._claim = token, Claim()
        return outgoing

    async def close(self) -> None:
        """Gives the right to fetch back, whatever happened: a run that is cut off must not hold up the others."""
        with anyio.move_on_after(_GOODBYE_SECONDS, shield=True):
            await self._fetch.close()
            if self._claim.holder:
                await run_sync(self._tokens.release, self._claim, self._grant)

    async def _wait(self) -> None:
        """Until there is a token, or the right to fetch one."""
        give_up = anyio.current_time() + WAIT_SECONDS
        seen = {"", self._refused.id if self._refused else ""}
        while True:
            self._claim = await run_sync(self._tokens.claim, self._grant)
            is_news = self._claim.newest not in seen
            if is_news or self._claim.holder:
                self._found = await self._look(past_cache=is_news)
            if self._found or self._claim.holder:
                return
            seen.add(self._claim.newest)
            if anyio.current_time() > give_up:
                message = f"no access token came within {WAIT_SECONDS:g} s: another run is fetching one; try again"
                raise NoToken(Failure(kind="AuthFailed", message=message))
            await anyio.sleep(random.uniform(*_PAUSE_SECONDS))  # noqa: S311 - not for secrecy

    async def _look(self, *, past_cache: bool) -> Token | None:
        token = await run_sync(partial(self._tokens.find, self._grant, past_cache=past_cache))
        return None if token is None or (self._refused and token.id == self._refused.id) else token
