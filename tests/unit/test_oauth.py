"""OAuth client credentials through the real network guard: what is sent where, kept how long, and what never leaves."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import anyio
import httpx2
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from tests.support.authorization import METADATA, PROTECTED, AuthorizationServer, ProtectedServer, as_json
from tests.support.memory_web import Reply, Seen, Web
from turnkey.errors import AddressRefused
from turnkey.mcp.access import open_access
from turnkey.mcp.auth import ClientCredentials, SigningAlgorithm
from turnkey.mcp.failures import Failure, ServerFailed
from turnkey.mcp.registration import Registration
from turnkey.mcp.tokens import Grant, Token, TriedTokens
from turnkey.mcp.vault import Vault
from turnkey.network.client import client
from turnkey.store.stores import Stores

pytestmark = pytest.mark.long

URL = "https://mcp.shop.org/mcp"
ISSUER = "https://login.shop.org"
SECRET = "turnkey/tenants/shop/server/s/client-secret"
TOKEN = "turnkey/tenants/shop/server/s/oauth-token"


class World:
    """A shop's server, its authorization server, and one connection of ours to it."""

    def __init__(self, stores: Stores) -> None:
        self.stores = stores
        self.web = Web()
        self.authorization = AuthorizationServer(ISSUER)
        self.server = ProtectedServer(URL, self.authorization, lambda _: as_json({"ok": True}))
        self.web.serve("mcp.shop.org", self.server.answer)
        self.web.serve("login.shop.org", self.authorization.answer)
        self.auth = ClientCredentials(issuer=ISSUER, client_id="client", client_secret=SECRET, token_secret=TOKEN)
        self.failures: list[Failure] = []
        stores.secrets.put(SECRET, self.authorization.secret)
        stores.secrets.delete(TOKEN)

    @property
    def grant(self) -> Grant:
        return Grant(
            tenant="shop", secret=TOKEN, url=URL, issuer=self.auth.issuer, client_id="client", scope=self.auth.scope
        )

    @property
    def requests(self) -> list[str]:
        return [f"{seen.method} {seen.host}{seen.path}" for seen in self.web.seen]

    def ask(self, times: int = 1, *, url: str = URL, stores: Stores | None = None) -> list[httpx2.Response]:
        """Requests over one connection, one after the other."""
        used = stores or self.stores
        registration = Registration(name="s", url=URL, auth=self.auth)

        async def run() -> list[httpx2.Response]:
            vault = Vault("shop", used.secrets, used.tokens)
            access = await open_access(registration, vault, on_failure=self.failures.append)
            async with client(allow_private=False, seconds=5, wires=self.web) as http:
                http.auth = access.auth
                return [await http.post(url, json={"n": n}) for n in range(times)]

        return anyio.run(run)

    def keep(self, value: str, **changes: Any) -> Token:
        """A token from before, kept as another run would have."""
        now = time.time()
        fields = {"id": value, "value": value, "grant": self.grant, "obtained_at": now - 900, "expires_at": now + 2700}
        token = Token.model_validate({**fields, **changes})
        other = Stores.from_environment()
        other.tokens.keep(other.tokens.claim(self.grant), token)
        return token

    def sent(self) -> str:
        """All that left, but for what went to the token endpoint of the pinned issuer and to the server itself."""
        elsewhere = [seen for seen in self.web.seen if seen.host not in ("login.shop.org", "mcp.shop.org")]
        return repr(elsewhere)


@pytest.fixture
def world(stores: Stores) -> World:
    return World(stores)


def test_the_first_request_already_has_a_token(world: World) -> None:
    assert [response.status_code for response in world.ask()] == [200]
    assert world.requests == [
        f"GET mcp.shop.org{PROTECTED}/mcp",
        f"GET login.shop.org{METADATA}",
        "POST login.shop.org/token",
        "POST mcp.shop.org/mcp",
    ]
    assert world.authorization.asked[0]["grant_type"] == "client_credentials"
    assert world.authorization.asked[0]["resource"] == URL


def test_a_warm_call_is_one_request(world: World) -> None:
    world.ask()
    world.web.seen.clear()
    world.ask(2)
    assert world.requests == ["POST mcp.shop.org/mcp"] * 2


def test_another_process_finds_the_token_where_it_is_kept(world: World) -> None:
    world.ask()
    world.web.seen.clear()
    world.ask(stores=Stores.from_environment())
    assert world.requests == ["POST mcp.shop.org/mcp"]


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
def test_the_client_proves_itself_in_the_way_that_was_registered(world: World, method: Any) -> None:
    world.auth = world.auth.model_copy(update={"method": method})
    assert world.ask()[0].status_code == 200
    asked = world.authorization.asked[0]
    assert (asked["authorization"] != "", "client_secret" in asked) == (
        method == "client_secret_basic",
        method != "client_secret_basic",
    )


def test_a_secret_with_signs_of_its_own_arrives_whole(world: World) -> None:
    world.authorization.secret = "a:b%2F+c ü&=/"
    world.stores.secrets.put(SECRET, world.authorization.secret)
    assert world.ask()[0].status_code == 200


KEYS: dict[SigningAlgorithm, Callable[[], Any]] = {
    "RS256": lambda: rsa.generate_private_key(65537, 2048),
    "PS256": lambda: rsa.generate_private_key(65537, 2048),
    "ES256": lambda: ec.generate_private_key(ec.SECP256R1()),
    "EdDSA": ed25519.Ed25519PrivateKey.generate,
}


@pytest.mark.parametrize("algorithm", list(KEYS))
def test_a_key_signs_for_the_pinned_issuer(world: World, algorithm: SigningAlgorithm) -> None:
    key = KEYS[algorithm]()
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
    world.authorization.public_key = (
        key.public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        .decode()
    )
    world.stores.secrets.put(SECRET, pem)
    world.auth = world.auth.model_copy(update={"method": "private_key_jwt", "algorithm": algorithm})
    assert world.ask()[0].status_code == 200
    assert "PRIVATE" not in repr([seen.body for seen in world.web.seen])


def test_a_key_that_signs_nothing_is_named_and_not_shown(world: World) -> None:
    world.stores.secrets.put(SECRET, "-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----")
    world.auth = world.auth.model_copy(update={"method": "private_key_jwt"})
    with pytest.raises(ServerFailed) as caught:
        world.ask()
    assert caught.value.failure.kind == "AuthFailed"
    assert "canary" not in str(caught.value)


def test_a_401_is_answered_with_one_new_token(world: World) -> None:
    world.keep("revoked")
    assert world.ask()[0].status_code == 200
    assert len(world.authorization.asked) == 1
    assert world.server.statuses == [401, 200]


def test_a_server_that_refuses_the_new_token_too_is_left_at_that(world: World) -> None:
    world.keep("revoked")
    world.server.authorization = AuthorizationServer(ISSUER)
    assert [response.status_code for response in world.ask(3)] == [401, 401, 401]
    # Three calls within a minute: a token that replaced a refused one is not replaced again.
    assert len(world.authorization.asked) == 1


def test_a_token_that_is_revoked_soon_after_is_replaced(world: World) -> None:
    world.ask()
    world.authorization.revoke()
    assert world.ask()[0].status_code == 200
    assert len(world.authorization.asked) == 2


def test_what_another_run_fetched_meanwhile_is_used(world: World) -> None:
    world.keep("revoked")
    mine, other = world.stores, Stores.from_environment()
    assert mine.tokens.find(world.grant)
    world.ask(stores=other)
    world.web.seen.clear()
    assert world.ask()[0].status_code == 200
    assert len(world.authorization.asked) == 1
    assert world.requests == ["POST mcp.shop.org/mcp"] * 2


@pytest.mark.parametrize(
    ("left", "lifetime", "is_sent"),
    [(-1, 3600, False), (30, 3600, False), (90, 3600, True), (2, 60, False), (30, 60, True)],
)
def test_a_token_is_replaced_shortly_before_it_ends_and_never_sent_after(
    world: World, left: float, lifetime: float, is_sent: bool
) -> None:
    now = time.time()
    ends = {"obtained_at": now + left - lifetime, "expires_at": now + left}
    token = Token.model_validate({"id": "t", "value": "about-to-end", "grant": world.grant, **ends})
    world.stores.secrets.put(TOKEN, token.model_dump_json())
    world.authorization.valid.add("about-to-end")
    assert world.ask()[0].status_code == 200
    assert (world.authorization.given == []) is is_sent
    assert ("about-to-end" in repr(world.web.seen)) is is_sent


@pytest.mark.parametrize("lifetime", [3600, None])
def test_a_token_without_an_end_is_kept_too(world: World, lifetime: int | None) -> None:
    world.authorization.lifetime = lifetime
    world.ask()
    world.ask(stores=Stores.from_environment())
    assert len(world.authorization.given) == 1


def test_a_token_with_a_short_life_stays_in_warm_memory(world: World) -> None:
    world.authorization.lifetime = 300
    world.ask(3)
    assert len(world.authorization.given) == 1
    assert world.stores.secrets.find(TOKEN) is None
    world.ask(stores=Stores.from_environment())
    assert len(world.authorization.given) == 2


@pytest.mark.parametrize(
    "change",
    [
        {"url": "https://other.shop.org/mcp"},
        {"issuer": "https://other.org"},
        {"client_id": "other"},
        {"scope": "x"},
        {"tenant": "other"},
    ],
)
def test_a_token_of_another_grant_is_never_sent(world: World, change: dict[str, str]) -> None:
    other = world.grant.model_copy(update=change)
    world.authorization.valid.add("of-another")
    world.stores.secrets.put(
        TOKEN, Token(id="t", value="of-another", grant=other, obtained_at=time.time()).model_dump_json()
    )
    world.ask()
    assert "of-another" not in repr(world.web.seen)


@pytest.mark.parametrize("kept", ["", "no json", '{"id": 1}', "[]"])
def test_nonsense_where_the_token_is_kept_is_overwritten(world: World, kept: str) -> None:
    world.stores.secrets.put(TOKEN, kept or " ")
    assert world.ask()[0].status_code == 200


def test_a_holder_that_died_is_replaced(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnkey.store.tokens.HOLD_SECONDS", 0.3)
    died = Stores.from_environment().tokens.claim(world.grant)
    assert died.holder
    assert world.ask()[0].status_code == 200
    assert len(world.authorization.given) == 1


def test_a_holder_that_never_ends_is_not_waited_for_without_end(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnkey.mcp.oauth.WAIT_SECONDS", 0.3)
    Stores.from_environment().tokens.claim(world.grant)
    with pytest.raises(ServerFailed, match="another run is fetching one") as caught:
        world.ask()
    assert caught.value.failure.kind == "AuthFailed"
    assert world.requests == []


def test_a_failed_fetch_gives_the_right_to_fetch_back(world: World) -> None:
    world.authorization.secret = "changed"
    with pytest.raises(ServerFailed):
        world.ask()
    assert Stores.from_environment().tokens.claim(world.grant).holder


def test_a_run_that_is_cut_off_gives_the_right_to_fetch_back(world: World) -> None:
    async def never(_: Seen) -> Reply:
        await anyio.sleep(60)
        return Reply(500)

    world.web.serve("login.shop.org", never)
    registration = Registration(name="s", url=URL, auth=world.auth)

    async def run() -> None:
        access = await open_access(registration, Vault("shop", world.stores.secrets, world.stores.tokens))
        with anyio.move_on_after(0.3):
            async with client(allow_private=False, seconds=5, wires=world.web) as http:
                await http.post(URL, auth=access.auth)

    anyio.run(run)
    assert Stores.from_environment().tokens.claim(world.grant).holder


def test_a_rotated_client_secret_is_read_again_once(world: World) -> None:
    assert world.stores.secrets.get(SECRET) == "s3cret"
    world.authorization.secret = "rotated"
    Stores.from_environment().secrets.put(SECRET, "rotated")
    assert world.ask()[0].status_code == 200
    assert len(world.authorization.asked) == 2


def test_a_refused_client_is_named_and_nothing_it_sent_is_repeated(world: World) -> None:
    world.authorization.secret = "changed"
    world.auth = world.auth.model_copy(update={"method": "client_secret_post"})
    with pytest.raises(ServerFailed) as caught:
        world.ask()
    failure = caught.value.failure
    assert (failure.kind, failure.http_status) == ("AuthFailed", 401)
    assert world.failures == [failure]
    assert "check auth.client_id" in failure.message
    # The authorization server's answer repeated the form, secret included.
    chain: BaseException | None = caught.value
    while chain:
        assert "s3cret" not in f"{chain!s}{chain!r}"
        chain = chain.__cause__ or (None if chain.__suppress_context__ else chain.__context__)
    assert len(world.authorization.asked) == 1


def test_the_tenants_scope_stands_whatever_the_server_asks_for(world: World) -> None:
    world.auth = world.auth.model_copy(update={"scope": "catalogue.read"})
    world.server.documents[f"{PROTECTED}/mcp"]["scopes_supported"] = ["admin"]
    world.server.challenge = 'Bearer scope="admin payments"'
    world.keep("revoked")
    assert world.ask()[0].status_code == 200
    assert [asked["scope"] for asked in world.authorization.asked] == ["catalogue.read"]


def test_a_server_without_a_document_about_itself_is_taken_at_the_tenants_word(world: World) -> None:
    world.server.documents.clear()
    assert world.ask()[0].status_code == 200
    assert "POST login.shop.org/token" in world.requests


def test_a_document_in_a_place_of_its_own_is_found_through_the_servers_401(world: World) -> None:
    document = {"resource": "https://mcp.shop.org/", "authorization_servers": [ISSUER]}
    world.server.documents = {"/.well-known/odd-place": document}
    world.server.challenge = 'Bearer resource_metadata="https://mcp.shop.org/.well-known/odd-place"'
    world.keep("revoked")
    assert world.ask()[0].status_code == 200
    assert [asked["resource"] for asked in world.authorization.asked] == ["https://mcp.shop.org/"]


@pytest.mark.parametrize(
    "place", ["https://evil.org", "https://login.shop.org.evil.org", "https://login.shop.org/evil"]
)
def test_a_document_that_points_at_another_authorization_server_gets_no_credential(world: World, place: str) -> None:
    evil = AuthorizationServer(place)
    for host in ("evil.org", "login.shop.org.evil.org"):
        world.web.serve(host, evil.answer)
    world.server.documents[f"{PROTECTED}/mcp"]["authorization_servers"] = [place]
    with pytest.raises(ServerFailed) as caught:
        world.ask()
    assert caught.value.failure.kind == "AuthFailed"
    assert (evil.asked, world.authorization.asked) == ([], [])
    assert "POST mcp.shop.org/mcp" not in world.requests


def test_another_server_that_claims_to_be_the_issuer_gets_no_credential(world: World) -> None:
    evil = AuthorizationServer("https://evil.org")
    evil.metadata = {"issuer": ISSUER}
    world.web.serve("evil.org", evil.answer)
    world.server.documents[f"{PROTECTED}/mcp"]["authorization_servers"] = ["https://evil.org"]
    with pytest.raises(ServerFailed):
        world.ask()
    assert evil.asked == []


@pytest.mark.parametrize(
    "place",
    [
        "https://10.0.0.5",
        "https://169.254.169.254",
        "https://[::ffff:127.0.0.1]",
        "https://2130706433",
        "https://inside.shop.org",
        "https://localhost",
        "http://mcp.shop.org",
    ],
)
@pytest.mark.parametrize("what", ["document", "authorization_server", "token_endpoint"])
def test_whatever_leads_inside_or_out_of_https_gets_nothing(world: World, what: str, place: str) -> None:
    world.web.name("inside.shop.org", "10.0.0.7")
    if what == "document":
        world.keep("revoked")
        world.server.challenge = f'Bearer resource_metadata="{place}/resource"'
    elif what == "authorization_server":
        world.server.documents[f"{PROTECTED}/mcp"]["authorization_servers"] = [place]
    else:
        world.authorization.metadata = {"token_endpoint": f"{place}/token"}
    with pytest.raises((AddressRefused, ServerFailed)):
        world.ask()
    assert world.authorization.asked == []
    assert not [address for address in world.web.connected if not address.startswith("93.184.215.")]
    assert "s3cret" not in world.sent()


@pytest.mark.parametrize("endpoint", ["ftp://login.shop.org/token", "file:///etc/passwd", "javascript:x", "/token", ""])
def test_a_token_endpoint_that_is_no_web_address_gets_nothing(world: World, endpoint: str) -> None:
    world.authorization.metadata = {"token_endpoint": endpoint}
    with pytest.raises(ServerFailed):
        world.ask()
    assert world.authorization.asked == []


def test_an_issuer_over_https_is_not_led_to_a_token_endpoint_in_the_clear(world: World) -> None:
    # Where an operator admits private addresses, the guard admits http too.
    world.authorization.metadata = {"token_endpoint": "http://login.shop.org/token"}

    async def run() -> None:
        registration = Registration(name="s", url=URL, auth=world.auth)
        access = await open_access(registration, Vault("shop", world.stores.secrets, world.stores.tokens))
        async with client(allow_private=True, seconds=5, wires=world.web) as http:
            await http.post(URL, auth=access.auth)

    with pytest.raises(ServerFailed, match="begins with http://"):
        anyio.run(run)
    assert world.authorization.asked == []


def test_metadata_that_redirects_elsewhere_is_not_followed(world: World) -> None:
    evil = AuthorizationServer(ISSUER)
    world.web.serve("evil.org", evil.answer)
    world.web.serve("login.shop.org", lambda seen: Reply(307, b"", (("location", f"https://evil.org{seen.path}"),)))
    with pytest.raises(Exception, match=r"evil\.org|no access token|was not asked"):
        world.ask()
    assert evil.asked == []
    assert world.web.requests_to("evil.org") == []


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_token_request_that_is_redirected_elsewhere_takes_no_secret_along(world: World, status: int) -> None:
    evil = AuthorizationServer(ISSUER)
    world.web.serve("evil.org", evil.answer)

    def answer(seen: Seen) -> Reply:
        if seen.path == "/token":
            return Reply(status, b"", (("location", "https://evil.org/token"),))
        return world.authorization.answer(seen)

    world.web.serve("login.shop.org", answer)
    with pytest.raises(Exception, match=r"redirect|evil\.org|gave no token"):
        world.ask()
    assert evil.asked == []
    assert "s3cret" not in world.sent()


def test_the_token_goes_to_the_servers_own_origin_and_nowhere_else(world: World) -> None:
    world.web.serve("evil.org", lambda _: as_json({}))
    for url in ("https://evil.org/mcp", "https://mcp.shop.org:8443/mcp", "https://login.shop.org/mcp"):
        with pytest.raises(ServerFailed) as caught:
            world.ask(url=url)
        assert caught.value.failure.kind == "RedirectRefused"
    assert world.requests == []


@pytest.mark.parametrize("token", ["bad\r\nx-evil: 1", "", " spaced ", "ünicode", "tab\tbed"])
def test_a_token_that_no_header_can_carry_is_refused(world: World, token: str) -> None:
    def answer(seen: Seen) -> Reply:
        return (
            as_json({"access_token": token, "token_type": "Bearer"})
            if seen.path == "/token"
            else world.authorization.answer(seen)
        )

    world.web.serve("login.shop.org", answer)
    with pytest.raises(ServerFailed) as caught:
        world.ask()
    assert caught.value.failure.kind == "AuthFailed"
    assert "POST mcp.shop.org/mcp" not in world.requests


@pytest.mark.parametrize(
    "body",
    [
        b"<html>",
        b"",
        b"[]",
        b'{"access_token": 1}',
        b'{"token_type": "Bearer"}',
        b'{"access_token": "x", "token_type": "mac"}',
        b"\xff\xfe",
    ],
)
@pytest.mark.parametrize("status", [200, 400, 500])
def test_nonsense_from_the_token_endpoint_is_a_stated_failure(world: World, body: bytes, status: int) -> None:
    def answer(seen: Seen) -> Reply:
        return Reply(status, body) if seen.path == "/token" else world.authorization.answer(seen)

    world.web.serve("login.shop.org", answer)
    with pytest.raises(ServerFailed) as caught:
        world.ask()
    assert caught.value.failure.kind == "AuthFailed"


def test_servers_that_are_being_tried_leave_no_token_behind(world: World) -> None:
    tried = TriedTokens()
    registration = Registration(name="s", url=URL, auth=world.auth)

    async def run() -> list[int]:
        access = await open_access(registration, Vault("shop", world.stores.secrets, tried))
        async with client(allow_private=False, seconds=5, wires=world.web) as http:
            return [(await http.post(URL, auth=access.auth)).status_code for _ in range(3)]

    assert anyio.run(run) == [200, 200, 200]
    assert len(world.authorization.given) == 1
    assert world.stores.secrets.find(TOKEN) is None


def test_rows_and_representations_hold_no_token(world: World) -> None:
    world.ask()
    token = world.authorization.given[0]
    kept = world.stores.tokens.find(world.grant)
    assert kept
    assert kept.value == token
    assert token not in f"{kept!r} {world.stores!r} {vars(world.stores.tokens)!r}"
    rows = world.stores.conversations._table.query("TENANT#shop#LOCKS", "")
    assert len(rows) == 1
    assert token not in repr(rows)
    assert json.loads(world.stores.secrets.find(TOKEN) or "")["value"] == token
