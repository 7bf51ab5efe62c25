"""Asking a server again: what is new or changed is held, and whoever changed the registration meanwhile wins."""

from hashlib import sha256
from typing import Any

import pytest

from tests.support.asking import NOW, Asking, Clock, onboard, seen, server, tool, usable
from turnkey.errors import Permanent
from turnkey.mcp import trust
from turnkey.mcp.failures import Failure
from turnkey.mcp.registration import Registration
from turnkey.store.servers import ServerStore
from turnkey.store.stores import Stores
from turnkey.tenancy import refreshing
from turnkey.tenancy.refreshing import PATIENCE, Outcome
from turnkey.tenancy.servers import ServerDesk


def test_a_refresh_holds_what_changed_and_remembers_what_was_approved(
    stores: Stores, kept: ServerStore, asking: Asking
) -> None:
    onboard(stores, "shop", server(tool("a"), tool("b"), tool("c")))
    asking.answers["crm"] = (tool("a"), tool("b", "Other."), tool("d"))
    assert asking.refresh("shop", "crm") == "checked"
    found = seen(kept)
    assert usable(kept) == ["a"]
    assert found.health
    assert (found.health.status, found.health.held) == ("changed", ("b", "d"))
    assert found.remembered
    assert [tool.name for tool in found.remembered.tools] == ["b", "c"]
    asking.answers["crm"] = (tool("a"), tool("b"), tool("c"))
    asking.refresh("shop", "crm")
    assert usable(kept) == ["a", "b", "c"]


def test_a_server_that_fails_keeps_its_tools_and_is_due_sooner(
    stores: Stores, kept: ServerStore, asking: Asking
) -> None:
    onboard(stores, "shop", server(tool("a")))
    asking.answers["crm"] = Failure(kind="AuthFailed", message="no", http_status=401)
    asking.refresh("shop", "crm")
    found = seen(kept)
    assert usable(kept) == ["a"]
    assert found.health
    assert (found.health.status, found.health.http_status) == ("auth_failed", 401)
    assert found.due_at == int((NOW + refreshing.DUE_WHEN_ILL).timestamp())


def test_an_empty_list_is_believed_when_it_is_said_twice_or_a_call_was_told_so(
    stores: Stores, kept: ServerStore, asking: Asking
) -> None:
    onboard(stores, "shop", server(tool("a"), tool("b")))
    asking.answers["crm"] = ()
    asking.refresh("shop", "crm")
    found = seen(kept)
    assert usable(kept) == ["a", "b"]
    assert found.health
    assert (found.health.status, found.health.error) == ("degraded", "NoTools")
    asking.refresh("shop", "crm")
    assert usable(kept) == []
    asking.answers["crm"] = (tool("a"), tool("b", "Other."))
    asking.refresh("shop", "crm")
    assert usable(kept) == ["a"]
    asking.answers["crm"] = ()
    asking.refresh("shop", "crm", gone=True)
    assert usable(kept) == []


def test_an_approval_during_a_refresh_stands(stores: Stores, kept: ServerStore, asking: Asking) -> None:
    onboard(stores, "shop", server(tool("a")))
    asking.answers["crm"] = (tool("a", "Other."), tool("b"))
    asking.refresh("shop", "crm")
    desk = ServerDesk(kept, asking)
    asking.meanwhile = lambda: _approved(desk, "a")
    assert asking.refresh("shop", "crm") == "checked"
    assert usable(kept) == ["a"]


def _approved(desk: ServerDesk, *tools: str) -> None:
    assert desk.approve("shop", "crm", tools).approved == tools


@pytest.mark.parametrize(
    "applied",
    [
        server(tool("a"), url="https://other.example.com/mcp"),
        server(tool("a"), tool("newer")),
        None,
    ],
)
def test_a_refresh_never_overwrites_what_was_applied_meanwhile(
    stores: Stores, kept: ServerStore, asking: Asking, applied: Registration | None
) -> None:
    onboard(stores, "shop", server(tool("a")))
    asking.answers["crm"] = (tool("a", "Other."),)

    def apply() -> None:
        if applied:
            stores.tenants.put("shop", applied)
        else:
            stores.tenants.delete("shop", "SERVER#crm")

    asking.meanwhile = apply
    assert asking.refresh("shop", "crm") == "superseded"
    found = kept.find("shop", "crm")
    assert (found.registration if found else None) == applied
    assert not found or found.health is None


def test_what_was_just_asked_is_not_asked_again_by_those_who_are_patient(
    stores: Stores, asking: Asking, clock: Clock
) -> None:
    onboard(stores, "shop", server(tool("a")))
    asking.answers["crm"] = (tool("a"),)
    outcomes: list[Outcome] = [asking.refresh("shop", "crm", patient=True) for _ in range(3)]
    assert outcomes == ["checked", "recent", "recent"]
    clock.now += PATIENCE
    assert asking.refresh("shop", "crm", patient=True) == "checked"
    assert asking.refresh("shop", "crm") == "checked"
    assert len(asking.asked) == 3


def test_two_at_once_ask_once(stores: Stores, asking: Asking) -> None:
    onboard(stores, "shop", server(tool("a")))
    asking.answers["crm"] = (tool("a"),)
    second: list[Outcome] = []
    asking.meanwhile = lambda: second.append(asking.refresh("shop", "crm", patient=True))
    assert asking.refresh("shop", "crm", patient=True) == "checked"
    assert second == ["recent"]


def test_a_suspended_tenants_servers_are_left_alone_and_an_unknown_one_is_said(
    stores: Stores, kept: ServerStore, asking: Asking
) -> None:
    onboard(stores, "shop", server(tool("a")), suspended=True)
    assert asking.refresh("shop", "crm", patient=True) == "suspended"
    assert asking.refresh("shop", "none", patient=True) == "missing"
    assert asking.asked == []
    assert seen(kept).due_at


def test_definitions_too_large_to_keep_are_a_failure_of_the_server(
    stores: Stores, kept: ServerStore, asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    onboard(stores, "shop", server(tool("a")))
    asking.answers["crm"] = tuple(tool(f"t{number}", sha256(bytes([number])).hexdigest()) for number in range(60))
    monkeypatch.setattr("turnkey.store.registrations.MAX_ROW_BYTES", 100)
    assert asking.refresh("shop", "crm") == "checked"
    found = seen(kept)
    assert usable(kept) == ["a"]
    assert found.health
    assert (found.health.status, found.health.error) == ("unreachable", "TooLarge")


def test_a_refresh_without_the_tenants_credentials_is_no_refresh(
    stores: Stores, kept: ServerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is read of a tenant is read while acting for it."""
    from turnkey.store import table
    from turnkey.store.acting import tenant_acted_for

    onboard(stores, "shop", server(tool("a")))
    real = table.clients.dynamodb

    def guarded() -> Any:
        if tenant_acted_for() != "shop":
            raise Permanent("nobody is acted for")
        return real()

    monkeypatch.setattr(table.clients, "dynamodb", guarded)
    asking = Asking(stores, kept, Clock(), {"crm": (tool("a"),)})
    desk = ServerDesk(kept, asking)
    assert asking.refresh("shop", "crm", patient=True) == "checked"
    assert desk.health("shop", check=True)[0].usable == ("a",)
    assert desk.approve("shop", "crm").problems == ()


def test_the_trust_record_alone_decides_what_a_turn_shows(stores: Stores, kept: ServerStore, asking: Asking) -> None:
    onboard(stores, "shop", server(tool("a")))
    asking.answers["crm"] = (tool("a", "Other."),)
    asking.refresh("shop", "crm")
    [registration] = stores.tenants.registrations("shop", ("crm",))
    assert registration.usable == ()
    assert trust.held(registration)[0].name == "a"
