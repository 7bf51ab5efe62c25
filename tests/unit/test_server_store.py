"""What is kept of tenants' servers: nothing newer is overwritten, and nothing that was removed comes back."""

from datetime import timedelta
from typing import Any

from tests.support.asking import NOW, onboard, seen, server, tool
from turnkey.mcp import checkup
from turnkey.mcp.checkup import Answer
from turnkey.mcp.registration import Registration
from turnkey.mcp.trust import Remembered
from turnkey.store.servers import After, ServerStore
from turnkey.store.stores import Stores


def after(registration: Registration, **more: Any) -> After:
    health = checkup.answered(registration, Answer(milliseconds=1), NOW)
    return After(registration, health, Remembered(name=registration.name), more.get("due_at"))


def test_what_was_changed_since_it_was_read_is_not_overwritten(stores: Stores, kept: ServerStore) -> None:
    onboard(stores, "shop", server(tool("a")))
    old = seen(kept)
    newer = server(tool("a"), tool("b"))
    stores.tenants.put("shop", newer)
    assert kept.write("shop", old, after(old.registration)) is False
    assert kept.write("shop", old, after(server(tool("c")))) is False
    assert (seen(kept).registration, seen(kept).health) == (newer, None)


def test_a_server_that_was_removed_meanwhile_is_not_brought_back(stores: Stores, kept: ServerStore) -> None:
    onboard(stores, "shop", server(tool("a")))
    old = seen(kept)
    stores.tenants.delete("shop", "SERVER#crm")
    assert kept.write("shop", old, after(server(tool("b")))) is False
    kept.put_off("shop", "crm", NOW)
    assert kept.claim("shop", "crm", NOW, NOW) is False
    assert kept.find("shop", "crm") is None
    assert list(stores.tenants.all_rows("shop")) == ["TENANT#shop"]


def test_an_unchanged_registration_keeps_its_row_and_gets_its_health(stores: Stores, kept: ServerStore) -> None:
    onboard(stores, "shop", server(tool("a")))
    first = seen(kept)
    assert kept.write("shop", first, after(first.registration, due_at=NOW))
    second = seen(kept)
    assert (second.stamp, second.due_at) == (first.stamp, int(NOW.timestamp()))
    assert second.health
    assert second.health.status == "ok"


def test_one_at_a_time_looks_at_a_server(stores: Stores, kept: ServerStore) -> None:
    onboard(stores, "shop", server(tool("a")))
    minute = timedelta(minutes=1)
    assert [kept.claim("shop", "crm", NOW, NOW + minute) for _ in range(2)] == [True, False]
    assert kept.claim("shop", "crm", NOW + 2 * minute, NOW + 3 * minute)
    found = seen(kept)
    kept.write("shop", found, after(found.registration))
    assert kept.claim("shop", "crm", NOW, NOW + minute)
