"""One token for many runs at the same time: real HTTP, and the table's own conditions."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from itertools import count

import anyio
import pytest

from local.stack import Stack
from tests.support.authorization import AuthorizationServer, ProtectedServer, Served, as_json
from tests.support.door import Door
from tests.support.memory_web import Reply
from tests.support.model_server import Call, ModelServer, calls
from tests.workflow.conftest import OpenShop
from turnkey.mcp.access import open_access
from turnkey.mcp.auth import ClientCredentials
from turnkey.mcp.failures import Failure, ServerFailed
from turnkey.mcp.registration import Registration
from turnkey.mcp.snapshot import take
from turnkey.mcp.tokens import Grant, Token
from turnkey.mcp.vault import Vault
from turnkey.network.client import client
from turnkey.store import clients
from turnkey.store.secrets import SecretStore
from turnkey.store.tokens import TokenStore

pytestmark = pytest.mark.long

_numbers = count(1)
RUNS = 8


class World:
    """An authorization server and a server behind it, and the stores of as many processes as a test wants."""

    def __init__(self, stack: Stack, exits: ExitStack) -> None:
        self._stack = stack
        self.tenant = f"oauth{next(_numbers)}"
        login, shop = exits.enter_context(Served()), exits.enter_context(Served())
        self.login = login
        self.authorization = AuthorizationServer(login.url())
        self.server = ProtectedServer(shop.url("/mcp"), self.authorization, lambda _: as_json({"ok": True}))
        login.answer, shop.answer = self.authorization.answer, self.server.answer
        place = f"turnkey/tenants/{self.tenant}/server/s"
        self.auth = ClientCredentials(
            issuer=self.authorization.issuer,
            client_id="client",
            client_secret=f"{place}/client-secret",
            token_secret=f"{place}/oauth-token",
        )
        self._secrets().put(self.auth.client_secret, self.authorization.secret)

    @property
    def grant(self) -> Grant:
        return Grant(
            tenant=self.tenant,
            secret=self.auth.token_secret,
            url=self.server.url,
            issuer=self.auth.issuer,
            client_id="client",
        )

    def process(self) -> Vault:
        """The stores of a process that has nothing in warm memory."""
        secrets = self._secrets()
        table = next(table.name for table in self._stack.deployment.tables if "Conversations" in table.name)
        return Vault(self.tenant, secrets, TokenStore(table, secrets))

    def ask(self, *processes: Vault) -> list[int]:
        """A request of each at the same time; the statuses."""
        registration = Registration(name="s", url=self.server.url, auth=self.auth)
        statuses: list[int] = []

        async def one(vault: Vault) -> None:
            access = await open_access(registration, vault)
            async with client(allow_private=True, seconds=20) as http:
                statuses.append((await http.post(self.server.url, auth=access.auth)).status_code)

        async def all_of_them() -> None:
            async with anyio.create_task_group() as tasks:
                for vault in processes:
                    tasks.start_soon(one, vault)

        anyio.run(all_of_them)
        return statuses

    def _secrets(self) -> SecretStore:
        return SecretStore(client=lambda: self._stack.client("secretsmanager"))


@pytest.fixture
def world(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setenv("TURNKEY_SECRETS_PREFIX", "turnkey")
    monkeypatch.setattr(clients, "dynamodb", lambda: stack.client("dynamodb"))
    with ExitStack() as exits:
        yield World(stack, exits)


def test_runs_at_the_same_time_fetch_one_token(world: World) -> None:
    world.authorization.delay_seconds = 0.5
    assert world.ask(*(world.process() for _ in range(RUNS))) == [200] * RUNS
    assert len(world.authorization.asked) == 1


def test_calls_of_one_process_at_the_same_time_fetch_one_token(world: World) -> None:
    world.authorization.delay_seconds = 0.3
    assert world.ask(*[world.process()] * RUNS) == [200] * RUNS
    assert len(world.authorization.asked) == 1


def test_a_token_that_is_revoked_under_many_runs_is_fetched_anew_once(world: World) -> None:
    processes = [world.process() for _ in range(RUNS)]
    assert world.ask(*processes) == [200] * RUNS
    world.authorization.revoke()
    world.authorization.delay_seconds = 0.3
    assert world.ask(*processes) == [200] * RUNS
    assert len(world.authorization.asked) == 2


def test_a_dead_holders_place_is_taken_by_one_of_those_who_wait(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnkey.store.tokens.HOLD_SECONDS", 1.0)
    assert world.process().tokens.claim(world.grant).holder
    started = time.monotonic()
    assert world.ask(*(world.process() for _ in range(RUNS))) == [200] * RUNS
    assert len(world.authorization.asked) == 1
    # Nobody went ahead while the holder might have been alive.
    assert time.monotonic() - started > 0.8


def test_a_token_about_to_end_is_replaced_once_and_not_sent_any_more(world: World) -> None:
    before, now = world.process().tokens, time.time()
    ending = Token(id="t", value="ending", grant=world.grant, obtained_at=now - 3590, expires_at=now + 10)
    before.keep(before.claim(world.grant), ending)
    world.authorization.valid.add("ending")
    assert world.ask(*(world.process() for _ in range(RUNS))) == [200] * RUNS
    assert len(world.authorization.asked) == 1
    assert set(world.server.tokens) == {world.authorization.given[0]}


def failure_of(world: World) -> Failure:
    """Of connecting on the runtime's own path."""
    registration = Registration(name="s", url=world.server.url, auth=world.auth)
    with pytest.raises(ServerFailed) as caught:
        anyio.run(partial(take, registration, world.process(), allow_private=True))
    assert "s3cret" not in str(caught.value)
    return caught.value.failure


def test_an_authorization_server_that_is_gone_is_named(world: World) -> None:
    world.login.close()
    failure = failure_of(world)
    assert failure.kind == "AuthFailed"
    assert "could not be reached, so there is no access token" in failure.message


def test_an_authorization_server_that_redirects_elsewhere_is_named(world: World) -> None:
    world.login.answer = lambda seen: Reply(307, b"", (("location", f"http://127.0.0.2:9{seen.path}"),))
    failure = failure_of(world)
    assert failure.kind == "RedirectRefused"
    assert "there is no access token" in failure.message


def test_a_client_that_is_refused_is_a_failure_of_credentials(world: World) -> None:
    world.authorization.secret = "changed"
    failure = failure_of(world)
    assert (failure.kind, failure.http_status) == ("AuthFailed", 401)
    assert world.server.statuses == []


def test_a_server_that_refuses_every_token_is_a_failure_of_credentials(world: World) -> None:
    world.server.authorization = AuthorizationServer(world.auth.issuer)
    failure = failure_of(world)
    assert (failure.kind, failure.http_status) == ("AuthFailed", 401)
    assert len(world.authorization.asked) <= 2


def test_a_turn_keeps_its_token_for_the_turns_after_it(
    stack: Stack, shops: OpenShop, model: ModelServer, bookshop: str
) -> None:
    with Served() as login:
        authorization = AuthorizationServer(login.url())
        login.answer = authorization.answer
        known = authorization.valid
        with Door(bookshop, lambda headers: headers.get("authorization", "").removeprefix("Bearer ") in known) as door:
            auth = {
                "kind": "client_credentials",
                "issuer": login.url(),
                "client_id": "client",
                "client_secret": "s3cret",
            }
            shop = shops([{"name": "catalogue", "url": door.address, "auth": auth}])
            before = len(authorization.given)
            for number in (1, 2):
                model.script([calls(Call("search_books", {"query": "whales"})), "Moby Dick.", "Moby Dick."])
                shop.post("Do you have any books about whales?", conversation=f"c-{number}")
                shop.texts(number)
            assert door.called == 2
            assert len(authorization.given) == before + 1
        name = f"turnkey/tenants/{shop.tenant}/server/catalogue/oauth-token"
        kept = json.loads(stack.client("secretsmanager").get_secret_value(SecretId=name)["SecretString"])
        assert kept["value"] == authorization.given[-1]
