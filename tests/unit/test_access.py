"""What proves us to a server: headers that are secrets, and a stdio server's settings."""

from __future__ import annotations

import json
from typing import Any

import anyio
import httpx2
import pytest

from tests.support.memory_web import Reply, Seen, Web
from turnkey.errors import TenantMisconfigured
from turnkey.mcp.access import Access, open_access
from turnkey.mcp.auth import Auth, BearerAuth, HeaderAuth
from turnkey.mcp.failures import Failure, ServerFailed
from turnkey.mcp.registration import Registration
from turnkey.mcp.tokens import TriedTokens
from turnkey.mcp.vault import TriedSecrets, Vault
from turnkey.network.client import client

URL = "https://mcp.shop.org/mcp"
BEARER = BearerAuth(token_secret="bearer")
HEADERS = HeaderAuth(secrets={"x-api-key": "key", "x-account": "account"})


class Safe:
    """Secrets, of which the cached ones may be old."""

    def __init__(self, **values: str) -> None:
        self.cached = dict(values)
        self.current = dict(values)
        self.reread: list[str] = []

    def get(self, name: str) -> str:
        if name not in self.cached:
            raise TenantMisconfigured(f"secret {name!r} does not exist")
        return self.cached[name]

    def fresh(self, name: str) -> str:
        self.reread.append(name)
        self.cached[name] = self.current[name]
        return self.cached[name]


def ask(
    auth: Auth, secrets: Safe, *, accepted: dict[str, str], url: str = URL, times: int = 1
) -> tuple[list[int], list[Seen], list[Failure]]:
    """Statuses, what arrived, and the failures told, of requests to a server that wants these headers."""
    web = Web()
    web.serve("mcp.shop.org", lambda seen: Reply(200 if accepted.items() <= seen.headers.items() else 401))
    web.serve("elsewhere.org", lambda _: Reply(200))
    failures: list[Failure] = []

    async def run() -> list[int]:
        vault = Vault("shop", secrets, TriedTokens())
        access = await open_access(Registration(name="s", url=URL, auth=auth), vault, on_failure=failures.append)
        async with client(allow_private=False, seconds=5, wires=web) as http:
            return [(await http.post(url, auth=access.auth)).status_code for _ in range(times)]

    try:
        return anyio.run(run), web.seen, failures
    except ServerFailed as error:
        return [], web.seen, [*failures, error.failure]


def test_a_bearer_token_goes_with_every_request() -> None:
    statuses, seen, _ = ask(BEARER, Safe(bearer="abc"), accepted={"authorization": "Bearer abc"}, times=2)
    assert (statuses, len(seen)) == ([200, 200], 2)


def test_headers_of_the_servers_own_go_with_every_request() -> None:
    wanted = {"x-api-key": "k 1", "x-account": "a"}
    statuses, seen, _ = ask(HEADERS, Safe(key="k 1", account="a"), accepted=wanted, times=2)
    assert (statuses, len(seen)) == ([200, 200], 2)


def test_no_auth_sends_no_credential() -> None:
    access = anyio.run(open_access, Registration(name="s", url=URL), Vault("shop", Safe(), TriedTokens()))
    assert access == Access()


@pytest.mark.parametrize(
    ("auth", "header", "secret"), [(BEARER, "authorization", "bearer"), (HEADERS, "x-api-key", "key")]
)
def test_after_a_401_a_rotated_secret_is_read_again_and_the_request_sent_once_more(
    auth: Auth, header: str, secret: str
) -> None:
    secrets = Safe(bearer="old", key="old", account="a")
    secrets.current[secret] = "new"
    new = "Bearer new" if header == "authorization" else "new"
    statuses, seen, _ = ask(auth, secrets, accepted={header: new}, times=2)
    assert statuses == [200, 200]
    assert len(seen) == 3
    assert len(secrets.reread) == len(auth.secrets if isinstance(auth, HeaderAuth) else [1])


def test_a_401_with_an_unchanged_secret_is_final_and_sent_once() -> None:
    secrets = Safe(bearer="wrong")
    statuses, seen, _ = ask(BEARER, secrets, accepted={"authorization": "Bearer right"})
    assert (statuses, len(seen), secrets.reread) == ([401], 1, ["bearer"])


def test_a_403_is_no_reason_to_look_for_another_secret() -> None:
    secrets = Safe(bearer="old")
    web = Web()
    web.serve("mcp.shop.org", lambda _: Reply(403))

    async def run() -> int:
        access = await open_access(Registration(name="s", url=URL, auth=BEARER), Vault("shop", secrets, TriedTokens()))
        async with client(allow_private=False, seconds=5, wires=web) as http:
            return (await http.post(URL, auth=access.auth)).status_code

    assert anyio.run(run) == 403
    assert secrets.reread == []


@pytest.mark.parametrize(
    "url", ["https://elsewhere.org/mcp", "https://mcp.shop.org:444/mcp", "https://mcp.shop.org.elsewhere.org/mcp"]
)
@pytest.mark.parametrize("auth", [BEARER, HEADERS])
def test_credentials_go_to_the_servers_own_origin_and_nowhere_else(auth: Auth, url: str) -> None:
    statuses, seen, failures = ask(auth, Safe(bearer="b", key="k", account="a"), accepted={}, url=url)
    assert (statuses, seen) == ([], [])
    assert [failure.kind for failure in failures] == ["RedirectRefused"] * 2, "told, then raised"


@pytest.mark.parametrize(
    "value",
    [
        "canary\r\nx-evil: 1",
        "canary\nb",
        "canary\x00b",
        "",
        " canary",
        "canary ",
        "canary\tb",
        "canaryü",
        "canary\u200b",
        "canary\x7f",
        "canary\x85b",
    ],
)
@pytest.mark.parametrize("auth", [BEARER, HEADERS])
def test_what_no_header_can_carry_is_named_and_neither_sent_nor_shown(auth: Auth, value: str) -> None:
    with pytest.raises(TenantMisconfigured, match="can be no header's value") as caught:
        ask(auth, Safe(bearer=value, key=value, account="a"), accepted={})
    assert "canary" not in str(caught.value)


def test_a_rotation_to_what_no_header_can_carry_is_not_sent() -> None:
    secrets = Safe(bearer="old")
    secrets.current["bearer"] = "new\r\nx-evil: 1"
    with pytest.raises(TenantMisconfigured):
        ask(BEARER, secrets, accepted={"authorization": "Bearer new"})


def test_a_missing_secret_is_named_before_anything_is_sent() -> None:
    with pytest.raises(TenantMisconfigured, match="'bearer' does not exist"):
        ask(BEARER, Safe(), accepted={})


def test_settings_of_a_stdio_server_come_from_one_secret() -> None:
    registration = Registration(name="s", transport="stdio", catalogue="time", settings_secret="settings")
    vault = Vault("shop", Safe(settings=json.dumps({"ZONE": "Europe/Berlin", "LIMIT": 3})), TriedTokens())
    assert anyio.run(open_access, registration, vault).settings == {"ZONE": "Europe/Berlin", "LIMIT": "3"}


@pytest.mark.parametrize("kept", ["", "nope-canary", '["canary"]', "3"])
def test_broken_settings_are_named_and_not_shown(kept: str) -> None:
    registration = Registration(name="s", transport="stdio", catalogue="time", settings_secret="settings")
    with pytest.raises(TenantMisconfigured, match="no JSON object of settings") as caught:
        anyio.run(open_access, registration, Vault("shop", Safe(settings=kept), TriedTokens()))
    shown = f"{caught.value} {caught.value.__cause__} {caught.value.__context__}"
    assert "canary" not in shown


def test_what_is_being_tried_goes_before_what_is_kept() -> None:
    kept = Safe(bearer="kept", other="other")
    tried = TriedSecrets({"bearer": "tried"}, kept)
    assert (tried.get("bearer"), tried.fresh("bearer"), tried.get("other"), tried.fresh("other")) == (
        "tried",
        "tried",
        "other",
        "other",
    )


def test_no_representation_shows_a_secret() -> None:
    vault = Vault("shop", Safe(bearer="canary", settings='{"KEY": "canary"}'), TriedTokens())
    remote = Registration(name="s", url=URL, auth=BEARER)
    local = Registration(name="s", transport="stdio", catalogue="time", settings_secret="settings")
    for registration in (remote, local):
        access: Any = anyio.run(open_access, registration, vault)
        assert "canary" not in f"{access!r} {vault!r} {access.auth!r}"


def test_a_request_that_fails_shows_no_header() -> None:
    web = Web()

    async def run() -> None:
        vault = Vault("shop", Safe(bearer="canary"), TriedTokens())
        access = await open_access(Registration(name="s", url=URL, auth=BEARER), vault)
        async with client(allow_private=False, seconds=5, wires=web) as http:
            await http.post(URL, auth=access.auth)

    with pytest.raises(httpx2.ConnectError) as caught:
        anyio.run(run)
    assert "canary" not in f"{caught.value!r} {caught.value.request!r} {caught.value.request.headers!r}"
