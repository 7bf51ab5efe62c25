"""A server's registration and its tools are never of two versions, and a warm read costs what a small one does."""

import gzip
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.many_tools import definitions, server
from turnkey import ids
from turnkey.errors import TenantMisconfigured, Transient
from turnkey.mcp.registration import Registration, ToolDefinition, approved_as_found
from turnkey.mcp.trust import approve
from turnkey.store import clients, registrations
from turnkey.store.stores import Stores
from turnkey.store.table import Table
from turnkey.turn.toolsets import tools_of
from turnkey.warm import Warm


@pytest.fixture(autouse=True)
def _cold() -> None:
    registrations.kept = Warm(20_000_000, lambda one: one.size)


@pytest.fixture
def table(stores: Stores) -> Table:
    return stores.tenants._table  # pyright: ignore[reportPrivateUsage]


def rows(table: Table, tenant: str = "shop") -> dict[str, dict[str, Any]]:
    return {item["sk"]: item for item in table.query(ids.tenant_key(tenant), "")}


def read(stores: Stores, name: str = "s", tenant: str = "shop") -> Registration:
    return stores.tenants.registrations(tenant, (name,))[0]


class Reads:
    """Counts the items that DynamoDB hands out."""

    def __init__(self) -> None:
        self.items = 0
        events = clients.dynamodb().meta.events
        for operation in ("GetItem", "BatchGetItem", "Query"):
            events.register(f"after-call.dynamodb.{operation}", self._count)

    def _count(self, parsed: dict[str, Any], **_: object) -> None:
        batches = parsed.get("Responses", {}).values()
        self.items += len(parsed.get("Items", ())) + ("Item" in parsed) + sum(len(items) for items in batches)

    def during(self, action: Callable[[], object]) -> int:
        before = self.items
        action()
        return self.items - before


def large(count: int, seed: int = 1) -> tuple[ToolDefinition, ...]:
    """Definitions that compression hardly makes smaller."""
    noise = random.Random(seed)
    return tuple(
        ToolDefinition(name=f"t{number}", description=noise.randbytes(5000).hex(), input_schema={})
        for number in range(count)
    )


def of(*tools: ToolDefinition, name: str = "s") -> Registration:
    return approved_as_found(Registration(name=name, url="https://s.example.com/mcp", tools=tools))


def test_what_is_put_is_what_is_read(stores: Stores) -> None:
    changed = server(5).model_copy(update={"approved": {"crm.find_customer": "old", "gone": "older"}})
    for registration in (server(0), server(5), server(500), changed, server(3, name="s_2")):
        stores.tenants.put("shop", registration)
        assert read(stores, registration.name) == registration
    assert stores.tenants.all_registrations("shop") == (changed, server(3, name="s_2"))
    assert list(stores.tenants.all_rows("shop")) == ["SERVER#s", "SERVER#s_2"]


def test_the_head_is_as_small_for_500_tools_as_for_five(stores: Stores, table: Table) -> None:
    sizes: list[int] = []
    for count in (5, 500):
        stores.tenants.put("shop", server(count))
        sizes.append(len(bytes(rows(table)["SERVER#s"]["gzip"])))
    assert sizes[1] < 1.2 * sizes[0]


def test_a_warm_read_reads_the_head_alone(stores: Stores) -> None:
    stores.tenants.put("shop", server(500))
    reads = Reads()
    assert reads.during(lambda: read(stores)) == 2
    assert reads.during(lambda: read(stores)) == 1


def test_an_approval_reads_no_tools_again_and_makes_the_toolset_anew(stores: Stores) -> None:
    found = server(50)
    held = found.model_copy(update={"approved": {}})
    stores.tenants.put("shop", held)
    assert len(tools_of("shop", (read(stores),))) == 0
    stores.tenants.put("shop", approve(held, ["crm.add_note"]))
    reads = Reads()
    assert reads.during(lambda: read(stores)) == 1
    assert [tool.original_name for tool in tools_of("shop", (read(stores),))] == ["crm.add_note"]


def test_the_same_registrations_give_the_same_toolset(stores: Stores) -> None:
    stores.tenants.put("shop", server(50))
    assert tools_of("shop", (read(stores),)) is tools_of("shop", (read(stores),))


def test_two_tenants_servers_of_one_name_are_two(stores: Stores) -> None:
    stores.tenants.put("shop", server(5))
    stores.tenants.put("other", server(7))
    for _ in range(2):
        assert len(tools_of("shop", (read(stores),))) == 5
        assert len(tools_of("other", (read(stores, tenant="other"),))) == 7


def test_tools_too_many_for_one_row_take_several_and_give_them_back(stores: Stores, table: Table) -> None:
    stores.tenants.put("shop", of(*large(100)))
    assert sorted(rows(table)) == ["SERVER#s", "TOOLS#s#0", "TOOLS#s#1"]
    assert read(stores) == of(*large(100))
    stores.tenants.put("shop", server(5))
    assert sorted(rows(table)) == ["SERVER#s", "TOOLS#s#0"]
    assert read(stores) == server(5)


def test_more_tools_than_are_kept_are_refused_and_leave_what_there_was(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registrations, "MAX_PARTS", 1)
    stores.tenants.put("shop", server(5))
    with pytest.raises(TenantMisconfigured, match="more than the"):
        stores.tenants.put("shop", of(*large(100)))
    assert read(stores) == server(5)


def test_a_reader_never_gets_a_head_with_other_tools(
    stores: Stores, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between its reads of head and tools somebody writes another version, again and again."""
    versions = [of(*definitions(count)) for count in range(1, 12)]
    stores.tenants.put("shop", versions[0])
    writers = iter(versions[1:4])
    get_many = Table.get_many

    def crossed(self: Table, keys: Any) -> Any:
        keys = list(keys)
        if any(sk.startswith("TOOLS#") for _, sk in keys) and (version := next(writers, None)):
            stores.tenants.put("shop", version)
        return get_many(self, keys)

    monkeypatch.setattr(Table, "get_many", crossed)
    found = read(stores)
    assert found == versions[3]
    assert found.approved.keys() == {tool.name for tool in found.tools}


def test_a_reader_gives_up_where_others_write_for_ever(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    stores.tenants.put("shop", server(1))
    get_many, counts = Table.get_many, iter(range(2, 1000))

    def crossed(self: Table, keys: Any) -> Any:
        keys = list(keys)
        if any(sk.startswith("TOOLS#") for _, sk in keys):
            stores.tenants.put("shop", server(next(counts)))
        return get_many(self, keys)

    monkeypatch.setattr(Table, "get_many", crossed)
    with pytest.raises(Transient, match="are being replaced"):
        read(stores)


def test_of_two_who_write_at_once_one_is_whole_and_last(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    stores.tenants.put("shop", server(3))
    transact, others = Table.transact, iter([server(9)])

    def crossed(self: Table, *writes: Any) -> None:
        if other := next(others, None):
            stores.tenants.put("shop", other)
        transact(self, *writes)

    monkeypatch.setattr(Table, "transact", crossed)
    stores.tenants.put("shop", server(6))
    assert read(stores) == server(6)


def test_a_server_goes_with_its_tools_and_no_others(stores: Stores, table: Table) -> None:
    stores.tenants.put("shop", server(5))
    stores.tenants.put("shop", server(5, name="s-2"))
    stores.tenants.delete("shop", "SERVER#s")
    assert sorted(rows(table)) == ["SERVER#s-2", "TOOLS#s-2#0"]
    with pytest.raises(TenantMisconfigured, match="no server s"):
        read(stores)
    stores.tenants.delete("shop", "SERVER#s")


def test_a_row_from_before_tools_had_rows_of_their_own_is_read_and_replaced(stores: Stores, table: Table) -> None:
    packed = gzip.compress(server(5).model_dump_json().encode())
    table.put({"pk": ids.tenant_key("shop"), "sk": "SERVER#s", "gzip": packed})
    assert read(stores) == server(5)
    stores.tenants.put("shop", server(6))
    assert read(stores) == server(6)
    assert sorted(rows(table)) == ["SERVER#s", "TOOLS#s#0"]


def test_warm_memory_is_bounded_and_forgets_what_was_used_longest_ago() -> None:
    kept: Warm[str, str] = Warm(10, len)
    for key, value in (("a", "xxxx"), ("b", "xxxx")):
        kept.keep(key, value)
    kept.get("a")
    kept.keep("c", "xxxx")
    assert [kept.get(key) for key in "abc"] == ["xxxx", None, "xxxx"]
    kept.keep("d", "x" * 11)
    assert [kept.get(key) for key in "abcd"] == ["xxxx", None, "xxxx", None]


def test_more_than_is_kept_warm_is_read_all_the_same(stores: Stores) -> None:
    registrations.kept = Warm(3000, lambda one: one.size)
    for name in ("s", "t", "u"):
        stores.tenants.put("shop", server(20, name=name))
    found = stores.tenants.registrations("shop", ("s", "t", "u"))
    assert found == tuple(server(20, name=name) for name in ("s", "t", "u"))
