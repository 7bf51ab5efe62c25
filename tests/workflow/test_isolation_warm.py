"""What one process remembers of a tenant it never uses for another: secrets, tokens, connections, breakers, tools.

Two tenants with the same names for everything take turns at the same warm processes. Then one gets rows of its own to
name the other's secrets, as if provisioning had a hole.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest

from local.stack import Stack
from tests.support.authorization import AuthorizationServer, Served
from tests.support.door import Door
from tests.support.hostile import Side, holdings, side
from tests.support.model_server import Call, calls
from tests.support.signing import signed_headers
from turnkey.mcp.auth import BearerAuth, ClientCredentials, HeaderAuth
from turnkey.mcp.registration import Registration
from turnkey.store import clients
from turnkey.store.tenants import Row, TenantStore
from turnkey.tenancy.settings import Agent, Connection

pytestmark = pytest.mark.long

FUNCTIONS = ("Webhook", "Route", "ToolLoop", "Compose", "Deliver")
WORDS = "Do you have any books about whales?"


@dataclass
class Far:
    """One tenant's own systems, and what they saw."""

    side: Side
    doors: dict[str, Door]
    seen: dict[str, list[str]]
    """Every value of every header that came to a server, by the server's name."""
    own: dict[str, str]
    """What is to come to each server."""
    key: str
    issuer: AuthorizationServer

    @property
    def secrets(self) -> set[str]:
        return {*self.own.values(), self.key, self.issuer.secret, *self.issuer.given}

    def search(self, conversation: str, *servers: str) -> list[dict[str, Any]]:
        """A turn that searches with each server's tool; the calls' results."""
        names = [f"{server}_search_books" for server in servers]
        self.side.script(calls(*(Call(name, {"query": "whales", "limit": 1}) for name in names)))
        self.side.talk(WORDS, conversation=conversation)
        return [step for step in self.side.steps(conversation) if step["kind"] == "result"]

    def heard(self) -> str:
        """All that its servers and its model were sent in headers."""
        models = [str(request.headers) for request in (*self.side.model.requests, *self.side.model.small_requests)]
        return " ".join([*(value for values in self.seen.values() for value in values), *models])


@contextmanager
def far(stack: Stack, bookshop: str, mark: str) -> Generator[Far]:
    """Three servers, under the same names for everyone: a bearer's, a header's, and one with OAuth."""
    with ExitStack() as exits:
        login = exits.enter_context(Served())
        issuer = AuthorizationServer(login.url(), f"client-{secrets.token_hex(8)}")
        login.answer = issuer.answer
        own = {name: f"{name}-{mark}-{secrets.token_hex(8)}" for name in ("bearer", "header")}
        seen: dict[str, list[str]] = {name: [] for name in ("bearer", "header", "oauth")}
        doors = {name: exits.enter_context(Door(bookshop, _knows(name, own, issuer, seen[name]))) for name in seen}
        auths: dict[str, Any] = {
            "bearer": {"kind": "bearer", "token": own["bearer"]},
            "header": {"kind": "headers", "headers": {"X-Api-Key": own["header"]}},
            "oauth": {
                "kind": "client_credentials",
                "issuer": issuer.issuer,
                "client_id": "client",
                "client_secret": issuer.secret,
            },
        }
        servers = [{"name": name, "url": door.address, "auth": auths[name]} for name, door in doors.items()]
        tenant = exits.enter_context(side(stack, servers, mark))
        key = f"model-{mark}-{secrets.token_hex(8)}"
        tenant.shop.manifest["model"]["api_key"] = key
        report = tenant.shop.apply()
        assert not report["errors"], report
        yield Far(tenant, doors, seen, own, key, issuer)


def _knows(
    name: str, own: dict[str, str], issuer: AuthorizationServer, seen: list[str]
) -> Callable[[dict[str, str]], bool]:
    def knows(headers: dict[str, str]) -> bool:
        seen.extend(headers.values())
        token = headers.get("authorization", "").removeprefix("Bearer ")
        if name == "oauth":
            return token in issuer.valid
        return own[name] in (token, headers.get("x-api-key"))

    return knows


@pytest.fixture(scope="module")
def both(stack: Stack, bookshop: str) -> Iterator[tuple[Far, Far]]:
    with far(stack, bookshop, "ATTACKER-77aa") as attacker, far(stack, bookshop, "VICTIM-88bb") as victim:
        yield attacker, victim


def processes(stack: Stack) -> dict[str, set[int]]:
    return {function: set(stack.workers.pids(stack.function_name(function))) for function in FUNCTIONS}


def test_turns_of_two_tenants_in_the_same_processes(stack: Stack, both: tuple[Far, Far]) -> None:
    attacker, victim = both
    for one in both:
        one.search("warm-up", "bearer", "header", "oauth")
    warm = processes(stack)
    for number in range(2):
        for one in both:
            results = one.search(f"c-{number}", "bearer", "header", "oauth")
            assert [result["status"] for result in results] == ["ok"] * 3, results
    assert processes(stack) == warm
    for one, other in ((attacker, victim), (victim, attacker)):
        assert all(one.own[name] in " ".join(one.seen[name]) for name in one.own)
        assert one.key in one.heard()
        assert not [secret for secret in other.secrets if secret in one.heard()]
        assert other.side.mark not in one.side.asked() + one.side.told()
        assert all(post.verified for post in one.side.shop.receiver.posts)


def test_anothers_dead_server_of_the_same_name_costs_no_call(both: tuple[Far, Far]) -> None:
    """A breaker that is open for one tenant's server is closed for the other's."""
    attacker, victim = both
    attacker.doors["bearer"].fail(["hang up"] * 12)
    for number in range(4):
        attacker.search(f"dead-{number}", "bearer")
    before = attacker.doors["bearer"].called
    assert "left alone" in attacker.search("dead-5", "bearer")[0]["text"]
    assert attacker.doors["bearer"].called == before
    assert victim.search("alive", "bearer")[0]["status"] == "ok"


def _store(stack: Stack) -> TenantStore:
    return TenantStore(stack.deployment.outputs["TenantsTableName"])


@pytest.fixture
def poison(stack: Stack, both: tuple[Far, Far], monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Row], None]]:
    """Writes a row of the attacker's past provisioning, as its operator could; afterwards all is as it was."""
    attacker, victim = both
    monkeypatch.setattr(clients, "dynamodb", lambda: stack.client("dynamodb"))
    heard, given, had = victim.heard(), list(victim.issuer.given), holdings(stack, victim.side.tenant)
    before = _store(stack).all_rows(attacker.side.tenant)
    yield lambda row: _store(stack).put(attacker.side.tenant, row)
    for row in before.values():
        _store(stack).put(attacker.side.tenant, row)
    leaked = [secret for secret in victim.secrets if secret in attacker.heard()]
    assert leaked == []
    assert (victim.heard(), victim.issuer.given, holdings(stack, victim.side.tenant)) == (heard, given, had)


def _secret(victim: Far, name: str) -> str:
    return f"turnkey/tenants/{victim.side.tenant}/{name}"


def _registration(stack: Stack, attacker: Far, name: str, **fields: Any) -> Registration:
    """The attacker's, with other credentials."""
    [found] = _store(stack).registrations(attacker.side.tenant, (name,))
    return found.model_copy(update=fields)


Poison = Callable[[Any], None]


def test_a_registration_that_names_anothers_token(stack: Stack, both: tuple[Far, Far], poison: Poison) -> None:
    attacker, victim = both
    auth = BearerAuth(token_secret=_secret(victim, "server/bearer/token"))
    poison(_registration(stack, attacker, "header", auth=auth))
    assert attacker.search("token", "header")[0]["status"] == "error"


def test_a_registration_that_names_anothers_header(stack: Stack, both: tuple[Far, Far], poison: Poison) -> None:
    attacker, victim = both
    auth = HeaderAuth(secrets={"X-Api-Key": _secret(victim, "server/header/header/X-Api-Key")})
    poison(_registration(stack, attacker, "header", auth=auth))
    assert attacker.search("header", "header")[0]["status"] == "error"


@pytest.mark.parametrize("field", ["client_secret", "token_secret"])
def test_a_registration_that_names_anothers_oauth_client(
    stack: Stack, both: tuple[Far, Far], poison: Poison, field: str
) -> None:
    attacker, victim = both
    name = {"client_secret": "server/oauth/client-secret", "token_secret": "server/oauth/oauth-token"}[field]
    # The client secret is tried at the victim's own issuer, where it would be worth something.
    place = {"issuer": victim.issuer.issuer} if field == "client_secret" else {}
    registered = _registration(stack, attacker, "oauth")
    assert isinstance(registered.auth, ClientCredentials)
    auth = registered.auth.model_copy(update={field: _secret(victim, name), **place})
    poison(registered.model_copy(update={"auth": auth}))
    attacker.search(f"oauth-{field}", "oauth")


def test_a_catalogue_server_with_anothers_settings(stack: Stack, both: tuple[Far, Far], poison: Poison) -> None:
    attacker, victim = both
    poison(
        _registration(
            stack,
            attacker,
            "header",
            transport="stdio",
            url="",
            catalogue="time",
            settings_secret=_secret(victim, "server/bearer/token"),
        )
    )
    assert attacker.search("settings", "header")[0]["status"] == "error"


def test_an_agent_that_names_anothers_model_key(stack: Stack, both: tuple[Far, Far], poison: Poison) -> None:
    attacker, victim = both
    agent: Agent = _store(stack).agent(attacker.side.tenant, "clerk")
    model = agent.model.model_copy(update={"api_key_secret": _secret(victim, "model/api-key")})
    poison(agent.model_copy(update={"model": model}))
    attacker.side.talk(conversation="key")
    assert agent.apology in attacker.side.told()


@pytest.mark.parametrize("whose", ["attacker", "victim"])
def test_a_connection_that_names_anothers_signing_secret(
    stack: Stack, both: tuple[Far, Far], poison: Poison, whose: str
) -> None:
    """Neither what one signs oneself nor what the other has signed is taken any more."""
    attacker, victim = both
    connection: Connection = _store(stack).connection(attacker.side.tenant, "web")
    poison(connection.model_copy(update={"secrets": (_secret(victim, "connection/web/secret"),)}))
    signed = {"attacker": attacker, "victim": victim}[whose].side.shop
    body = b'{"type": "message.created"}'
    hook, headers = attacker.side.shop.hook, signed_headers(signed.secret, body, message_id="m")
    # The attacker's processes may still know the connection's own secret for a while, and nobody else's.
    assert httpx2.post(hook, content=body, headers=headers).status_code >= 400


def test_an_apply_that_would_tidy_anothers_secret_away(stack: Stack, both: tuple[Far, Far], poison: Poison) -> None:
    attacker, victim = both
    auth = BearerAuth(token_secret=_secret(victim, "server/bearer/token"))
    poison(_registration(stack, attacker, "header", auth=auth))
    report = attacker.side.shop.apply(
        {**attacker.side.shop.manifest, "servers": []} | _agents_without_servers(attacker)
    )
    assert "another tenant's" in str(report["errors"])


def _agents_without_servers(attacker: Far) -> dict[str, Any]:
    return {"agents": [{**agent, "servers": []} for agent in attacker.side.shop.manifest["agents"]]}
