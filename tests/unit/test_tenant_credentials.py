"""A shared client signs each request as the tenant that is acted for then, and as nobody where there is none."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio
import anyio.to_thread
import pytest
from botocore.credentials import ReadOnlyCredentials

from turnkey.errors import Permanent
from turnkey.store import clients, credentials, making, platform
from turnkey.store.acting import acting_for, tenant_acted_for
from turnkey.store.credentials import SESSION_SECONDS, SPARE_SECONDS, TenantCredentials, TenantSessions
from turnkey.store.objects import ObjectStore
from turnkey.store.stores import Stores

ROLE = "arn:aws:iam::123456789012:role/turn-tenant"


class Desk:
    """Hands out sessions, and notes for whom."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.now = 0.0

    def assume(self, tenant: str) -> ReadOnlyCredentials:
        self.asked.append(tenant)
        return ReadOnlyCredentials(f"key-{tenant}-{len(self.asked)}", "secret", "token")

    def sessions(self, **settings: Any) -> TenantSessions:
        return TenantSessions(self.assume, clock=lambda: self.now, **settings)


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_tenants_session_is_kept_until_shortly_before_its_end(desk: Desk) -> None:
    sessions = desk.sessions()
    first = sessions.of("a")
    desk.now = SESSION_SECONDS - SPARE_SECONDS - 1
    assert sessions.of("a") is first
    desk.now += 1
    assert sessions.of("a") is not first
    assert desk.asked == ["a", "a"]


def test_each_tenant_has_a_session_of_its_own(desk: Desk) -> None:
    sessions = desk.sessions()
    assert [sessions.of(tenant).access_key for tenant in ("a", "a-b", "a")] == ["key-a-1", "key-a-b-2", "key-a-1"]


def test_only_so_many_sessions_are_kept_and_the_longest_unused_goes_first(desk: Desk) -> None:
    sessions = desk.sessions(most=2)
    for tenant in ("a", "b", "a", "c", "a", "b"):
        sessions.of(tenant)
    assert desk.asked == ["a", "b", "c", "b"]


@pytest.mark.parametrize("name", ["", "*", "a#b", "a/b", "a\n", "A", "a*", "${aws:PrincipalTag/tenant}"])
def test_no_session_is_asked_for_what_is_no_tenants_name(desk: Desk, name: str) -> None:
    with pytest.raises(Permanent, match="acting_for"):
        desk.sessions().of(name)
    assert not desk.asked


def test_many_threads_of_one_tenant_assume_its_role_once(desk: Desk) -> None:
    slow = threading.Event()

    def assume(tenant: str) -> ReadOnlyCredentials:
        slow.wait(5)
        return desk.assume(tenant)

    sessions = TenantSessions(assume)
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(sessions.of, "a") for _ in range(8)]
        slow.set()
        assert len({future.result() for future in asked}) == 1
    assert desk.asked == ["a"]


def test_one_tenants_slow_session_holds_up_no_other(desk: Desk) -> None:
    never, begun = threading.Event(), threading.Event()

    def assume(tenant: str) -> ReadOnlyCredentials:
        if tenant == "slow":
            begun.set()
            never.wait(10)
        return desk.assume(tenant)

    sessions = TenantSessions(assume)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(sessions.of, "slow")
        begun.wait(5)
        assert sessions.of("quick").access_key == "key-quick-1"
        assert not waiting.done()
        never.set()


def test_a_session_that_was_refused_is_asked_for_again(desk: Desk) -> None:
    answers: Iterator[Callable[[str], ReadOnlyCredentials]] = iter([_refuse, desk.assume])
    sessions = TenantSessions(lambda tenant: next(answers)(tenant))
    with pytest.raises(RuntimeError):
        sessions.of("a")
    assert sessions.of("a").access_key == "key-a-1"


def _refuse(_: str) -> ReadOnlyCredentials:
    raise RuntimeError("not now")


def test_tasks_and_threads_that_a_run_starts_act_for_its_tenant() -> None:
    async def seen() -> list[str]:
        in_groups: list[str] = []

        async def note() -> None:
            in_groups.append(tenant_acted_for())

        async with anyio.create_task_group() as group:
            group.start_soon(note)
        in_task = await asyncio.create_task(_acted_for())
        in_threads = [await asyncio.to_thread(tenant_acted_for), await anyio.to_thread.run_sync(tenant_acted_for)]
        return [*in_groups, in_task, *in_threads]

    with acting_for("a"):
        assert asyncio.run(seen()) == ["a"] * 4
    assert tenant_acted_for() == ""


async def _acted_for() -> str:
    return tenant_acted_for()


def test_two_tenants_tasks_side_by_side_each_act_for_their_own() -> None:
    async def act(tenant: str) -> list[str]:
        with acting_for(tenant):
            found: list[str] = []
            for _ in range(20):
                await asyncio.sleep(0)
                found.append(await asyncio.to_thread(tenant_acted_for))
            return found

    async def both() -> list[list[str]]:
        return list(await asyncio.gather(act("a"), act("b")))

    assert asyncio.run(both()) == [["a"] * 20, ["b"] * 20]


def test_a_thread_that_was_told_nothing_acts_for_nobody() -> None:
    """Then a tenant's data is out of its reach: see the Permanent above."""
    with acting_for("a"), ThreadPoolExecutor(1) as pool:
        assert pool.submit(tenant_acted_for).result() == ""


@pytest.fixture
def signed(stores: Stores, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The keys that requests of the tenants' clients are signed with, in order; clients made anew with a role."""
    given = TenantCredentials(desk.sessions())
    monkeypatch.setattr(credentials, "of_the_tenant", lambda: given)
    made = (clients.dynamodb, clients.s3, clients.secretsmanager)
    keys: list[str] = []

    def note(request: Any, **_: Any) -> None:
        keys.append(str(request.headers["Authorization"]).partition("Credential=")[2].partition("/")[0])

    for make in made:
        make.cache_clear()
        any_client: Any = make()
        any_client.meta.events.register_first("before-send", note)
    yield keys
    for make in made:
        make.cache_clear()


def test_one_shared_client_signs_each_request_as_the_tenant_of_that_moment(stores: Stores, signed: list[str]) -> None:
    anyone: Any = making.client("s3")
    anyone.create_bucket(Bucket="whose", CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
    for tenant in ("a", "b", "a"):
        with acting_for(tenant):
            stores.tenants.find_tenant(tenant)
            stores.secrets.find(f"turnkey/tenants/{tenant}/x")
            ObjectStore("whose").put(f"tenants/{tenant}/x", b"")
    assert [key[:5] for key in signed] == ["key-a"] * 3 + ["key-b"] * 3 + ["key-a"] * 3


def test_a_request_for_nobody_is_never_sent(stores: Stores, signed: list[str]) -> None:
    with pytest.raises(Permanent, match="acting_for"):
        stores.tenants.find_tenant("a")
    with pytest.raises(Permanent, match="acting_for"):
        stores.secrets.find("turnkey/tenants/a/x")
    assert signed == []


def test_what_the_platform_does_for_itself_is_signed_as_the_function(stores: Stores, signed: list[str]) -> None:
    assert stores.tenants.tenant_ids() == ()
    assert signed == []


def test_a_session_is_asked_for_under_the_tenants_name_and_tag(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []
    real: Any = platform.sts().assume_role

    def note(**request: Any) -> Any:
        asked.append(request)
        return real(**request)

    monkeypatch.setattr(platform.sts(), "assume_role", note)
    session = credentials.assume(ROLE, "a-b")
    assert session.token
    assert asked == [
        {
            "RoleArn": ROLE,
            "RoleSessionName": "tenant-a-b",
            "Tags": [{"Key": "tenant", "Value": "a-b"}],
            "DurationSeconds": SESSION_SECONDS,
        }
    ]


def test_without_a_tenant_role_the_functions_own_credentials_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TURNKEY_TENANT_ROLE_ARN", raising=False)
    credentials.of_the_tenant.cache_clear()
    assert credentials.of_the_tenant() is None
    credentials.of_the_tenant.cache_clear()
