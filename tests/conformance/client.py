"""The client under test: python -m tests.conformance.client URL

What Turnkey has is reached through Turnkey: its transport, its network guard, its client credentials. What it has no use
for, such as a person who signs in, is the SDK's own, through the same guard; so the whole of the suite's list is run.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import anyio
import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider, TokenStorage
from mcp.client.auth.extensions.identity_assertion import IdentityAssertionOAuthProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from mcp.types import ElicitRequestParams, ElicitResult
from pydantic import AnyUrl

from turnkey.mcp.access import open_access
from turnkey.mcp.auth import Auth, ClientCredentials, NoAuth
from turnkey.mcp.registration import Registration
from turnkey.mcp.tokens import TriedTokens
from turnkey.mcp.transport import connect
from turnkey.mcp.vault import Vault
from turnkey.network.client import client as guarded_client

SECONDS = 20.0
REDIRECT = "http://localhost:3000/callback"
CLIENT_DOCUMENT = "https://conformance-test.local/client-metadata.json"
"""The suite's own name for a client that is known by a document."""

Ask = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]


async def main(url: str, scenario: str, context: dict[str, Any]) -> None:
    """Lists the server's tools and calls each. Raises whatever kept it from doing so."""
    with anyio.fail_after(SECONDS):
        async with _opened(url, scenario, context) as ask:
            tools: list[dict[str, Any]] = (await ask("tools/list", {}))["tools"]
            for tool in tools:
                await ask("tools/call", {"name": tool["name"], "arguments": _arguments(tool["inputSchema"])})


def is_turnkey(scenario: str) -> bool:
    """Whether the scenario is about something that Turnkey has."""
    return scenario.startswith("auth/client-credentials") or not scenario.startswith(("auth/", "elicitation"))


def _opened(url: str, scenario: str, context: dict[str, Any]) -> AbstractAsyncContextManager[Ask]:
    if is_turnkey(scenario):
        return _turnkey(url, context)
    return _sdk(url, lambda: _signed_in(url, scenario, context))


@asynccontextmanager
async def _turnkey(url: str, context: dict[str, Any]) -> AsyncGenerator[Ask]:
    """Turnkey's own way to a registered server."""
    auth: Auth = await _credentials(url, context) if context else NoAuth()
    registration = Registration(name="suite", url=url, auth=auth)
    secret = str(context.get("client_secret") or context.get("private_key_pem") or "")
    access = await open_access(registration, Vault("suite", _Given(secret), TriedTokens()))
    async with connect(registration, access, allow_private=True) as line:

        async def ask(method: str, params: dict[str, Any]) -> dict[str, Any]:
            return await line.ask(method, params, SECONDS)

        yield ask


async def _credentials(url: str, context: dict[str, Any]) -> ClientCredentials:
    """As a tenant would register them. The suite does not say who issued them: the tenant would know."""
    is_key = "private_key_pem" in context
    return ClientCredentials(
        issuer=await _issuer(url),
        client_id=context["client_id"],
        method="private_key_jwt" if is_key else "client_secret_basic",
        algorithm=context.get("signing_algorithm", "RS256"),
        client_secret="secret",
        token_secret="token",
    )


async def _issuer(url: str) -> str:
    parts = urlsplit(url)
    place = f"{parts.scheme}://{parts.netloc}/.well-known/oauth-protected-resource{parts.path}"
    async with guarded_client(allow_private=True, seconds=SECONDS) as http:
        return (await http.get(place)).json()["authorization_servers"][0]


@asynccontextmanager
async def _sdk(url: str, auth: Callable[[], Awaitable[httpx2.Auth | None]]) -> AsyncGenerator[Ask]:
    """The SDK's client through the guard."""
    async with guarded_client(allow_private=True, seconds=SECONDS) as http:
        http.auth = await auth() or httpx2.Auth()
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, elicitation_callback=_accept, read_timeout_seconds=SECONDS) as client:

            async def ask(method: str, params: dict[str, Any]) -> dict[str, Any]:
                if method == "tools/list":
                    result: Any = await client.list_tools()
                else:
                    result = await client.call_tool(params["name"], params["arguments"])
                return result.model_dump(mode="json", by_alias=True)

            yield ask


async def _accept(context: Any, params: ElicitRequestParams) -> ElicitResult:
    """Agrees to whatever stands there already."""
    schema: dict[str, Any] = getattr(params, "requested_schema", None) or {}
    fields: dict[str, Any] = schema.get("properties", {})
    return ElicitResult(
        action="accept", content={name: field["default"] for name, field in fields.items() if "default" in field}
    )


async def _signed_in(url: str, scenario: str, context: dict[str, Any]) -> httpx2.Auth | None:
    if not scenario.startswith("auth/"):
        return None
    return await _firm(url, context) if "idp_token_endpoint" in context else _person(url, scenario, context)


def _person(url: str, scenario: str, context: dict[str, Any]) -> OAuthClientProvider:
    """Somebody who signs in, and whose browser is led straight back."""
    led: list[str] = []

    async def show(place: str) -> None:
        # The person's browser, not we: it is shown where to go next and goes there.
        async with httpx2.AsyncClient() as browser:
            led.append((await browser.get(place)).headers["location"])

    async def come_back() -> AuthorizationCodeResult:
        query = {name: values[0] for name, values in parse_qs(urlsplit(led[-1]).query).items()}
        return AuthorizationCodeResult(code=query.get("code", ""), state=query.get("state"), iss=query.get("iss"))

    metadata = OAuthClientMetadata(redirect_uris=[AnyUrl(REDIRECT)], client_name="turnkey", scope=None)
    return OAuthClientProvider(
        url,
        metadata,
        _Memory(context),
        show,
        come_back,
        client_metadata_url=CLIENT_DOCUMENT if scenario == "auth/basic-cimd" else None,
    )


async def _firm(url: str, context: dict[str, Any]) -> IdentityAssertionOAuthProvider:
    """A firm whose own identity provider vouches for who is signed in."""

    async def vouched(audience: str, resource: str) -> str:
        form = {
            "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
            "requested_token_type": "urn:ietf:params:oauth:token-type:id-jag",
            "subject_token": context["idp_id_token"],
            "subject_token_type": "urn:ietf:params:oauth:token-type:id_token",
            "client_id": context["idp_client_id"],
            "audience": audience,
            "resource": resource,
        }
        async with guarded_client(allow_private=True, seconds=SECONDS) as http:
            return (await http.post(context["idp_token_endpoint"], data=form)).json()["access_token"]

    return IdentityAssertionOAuthProvider(
        url,
        _Memory({}),
        context["client_id"],
        context["client_secret"],
        await _issuer(url),
        vouched,
        token_endpoint_auth_method="client_secret_basic",
    )


class _Memory(TokenStorage):
    def __init__(self, context: dict[str, Any]) -> None:
        self._tokens: OAuthToken | None = None
        self._client: OAuthClientInformationFull | None = None
        if "client_id" in context:
            self._client = OAuthClientInformationFull(
                client_id=context["client_id"],
                client_secret=context.get("client_secret"),
                token_endpoint_auth_method="client_secret_basic" if "client_secret" in context else "none",
                redirect_uris=[AnyUrl(REDIRECT)],
            )

    async def get_tokens(self) -> OAuthToken | None:
        return self._tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self._tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self._client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self._client = client_info


class _Given:
    """The one secret that the suite gives."""

    def __init__(self, value: str) -> None:
        self._value = value

    def get(self, name: str) -> str:
        return self._value

    fresh = get


def _arguments(schema: dict[str, Any]) -> dict[str, Any]:
    """Something for each field that a tool cannot do without."""
    samples: dict[str, Any] = {"number": 2, "integer": 2, "boolean": True, "array": [], "object": {}}
    fields: dict[str, Any] = schema.get("properties", {})
    return {name: samples.get(fields.get(name, {}).get("type", ""), "text") for name in schema.get("required", [])}


if __name__ == "__main__":
    anyio.run(
        main,
        sys.argv[1],
        os.environ.get("MCP_CONFORMANCE_SCENARIO", ""),
        json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}")),
    )
