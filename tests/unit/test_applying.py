"""Applying a manifest: whole or not at all, never twice, and what was given stays where it was given."""

from contextlib import nullcontext
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.support.manifests import MANIFEST, SECRET, changed, manifests, without_values
from tests.support.provisioning import Provisioning, breaking_after, tool
from turnkey.mcp.failures import Failure
from turnkey.store.manifests import ManifestStore
from turnkey.store.secrets import SecretStore
from turnkey.store.stores import Stores
from turnkey.store.tenants import TenantStore

URL = "https://shop.example.com/mcp"


def made(report: dict[str, Any]) -> dict[str, str]:
    """What was changed, by name."""
    return {change["what"]: change["change"] for change in report["changes"] if change["change"] != "unchanged"}


def secret_names(stores: Stores) -> set[str]:
    prefix = "turnkey/tenants/shop/"
    return {name.removeprefix(prefix) for name in stores.secrets.names(prefix)}


@pytest.fixture(autouse=True)
def _no_secrets_from_other_tests(stores: Stores) -> None:
    for name in stores.secrets.names("turnkey/tenants/"):
        stores.secrets.delete(name)


def test_applying_creates_what_the_manifest_says(provisioning: Provisioning, stores: Stores) -> None:
    report = provisioning.applied(MANIFEST)
    assert report["changed"]
    assert set(made(report).values()) == {"created"}
    assert [found["name"] for found in report["servers"][0]["tools"]] == ["search"]
    assert stores.tenants.agent("shop", "clerk").servers == ("catalogue",)
    connection = stores.tenants.connection("shop", "web")
    assert stores.secrets.get(connection.secrets[0]) == SECRET


def test_applying_the_same_again_changes_nothing_and_says_so(provisioning: Provisioning) -> None:
    provisioning.applied(MANIFEST)
    report = provisioning.applied(deepcopy(MANIFEST))
    assert not report["changed"]
    assert made(report) == {}


def test_applying_names_what_was_changed_and_what_was_removed(provisioning: Provisioning, stores: Stores) -> None:
    provisioning.applied(MANIFEST)
    manifest = changed("agents.0.limits", {"calls": 7})
    report = provisioning.applied({**manifest, "connections": []})
    assert made(report) == {
        "agent clerk": "updated",
        "connection web": "removed",
        "secret connections.web.secret": "removed",
    }
    [agent] = [change for change in report["changes"] if change["what"] == "agent clerk"]
    assert agent["fields"] == ["limits.calls"]
    assert stores.tenants.find_entry("shop", "web") is None
    assert secret_names(stores) == {"model/api-key", "server/catalogue/token"}


def test_a_new_secret_is_taken_up_and_named_but_not_shown(provisioning: Provisioning, stores: Stores) -> None:
    provisioning.applied(MANIFEST)
    report = provisioning.applied(changed("model.api_key", "sk-other"))
    assert made(report) == {"secret model.api_key": "updated"}
    assert "sk-other" not in str(report)
    assert stores.secrets.get("turnkey/tenants/shop/model/api-key") == "sk-other"


def test_a_plan_says_what_applying_would_do_and_changes_nothing(provisioning: Provisioning, stores: Stores) -> None:
    planned = provisioning.ask("plan", manifest=MANIFEST)
    assert (stores.tenants.all_rows("shop"), secret_names(stores)) == ({}, set())
    applied = provisioning.applied(MANIFEST)
    assert made(planned) == made(applied)
    assert planned["servers"] == applied["servers"]
    before = stores.tenants.all_rows("shop")
    planned = provisioning.ask("plan", manifest=changed("agents.0.instructions", "You are kind."))
    assert made(planned) == {"agent clerk": "updated"}
    assert stores.tenants.all_rows("shop") == before


@pytest.mark.parametrize("failing", ["manifest", "server", "correction", "kept secret"])
def test_a_manifest_that_cannot_be_applied_changes_nothing(
    provisioning: Provisioning, stores: Stores, failing: str
) -> None:
    provisioning.applied(MANIFEST)
    rows, names = stores.tenants.all_rows("shop"), secret_names(stores)
    manifest = changed("agents.0.instructions", "Changed.")
    if failing == "manifest":
        manifest["connections"][0]["channel"] = "pigeon"
    elif failing == "server":
        provisioning.offers[URL] = Failure(kind="ServerError", message="it failed", http_status=503)
    elif failing == "correction":
        manifest["servers"][0]["tools"] = {"serach": {"title": "Search"}}
    else:
        manifest["connections"].append({**manifest["connections"][0], "name": "new", "secret": {"kept": True}})
    report = provisioning.apply(manifest)
    assert report["errors"]
    assert not report["changed"]
    assert stores.tenants.all_rows("shop") == rows
    assert secret_names(stores) == names


def test_rows_hold_names_of_secrets_and_never_their_values(provisioning: Provisioning, stores: Stores) -> None:
    provisioning.applied(MANIFEST)
    rows = "".join(row.model_dump_json() for row in stores.tenants.all_rows("shop").values())
    kept = str(provisioning.ask("export", tenant="shop")) + str(provisioning.ask("audit", tenant="shop"))
    assert "hunter2" not in rows + kept
    assert SECRET not in rows + kept


def test_one_tenants_manifest_leaves_another_tenant_alone(provisioning: Provisioning, stores: Stores) -> None:
    provisioning.applied(MANIFEST)
    before = stores.tenants.all_rows("shop")
    provisioning.applied(changed("tenant.id", "other"))
    provisioning.applied({**changed("tenant.id", "other"), "connections": []})
    assert stores.tenants.all_rows("shop") == before


@given(manifests())
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_exporting_and_applying_again_changes_nothing(provisioning: Provisioning, manifest: dict[str, Any]) -> None:
    provisioning.applied(manifest)
    exported = provisioning.ask("export", tenant="shop")["manifest"]
    assert exported == without_values(manifest)
    report = provisioning.applied(exported)
    assert not report["changed"], made(report)
    assert provisioning.ask("export", tenant="shop")["manifest"] == exported


def test_a_server_is_asked_with_the_secret_that_will_be_stored(provisioning: Provisioning) -> None:
    name = "turnkey/tenants/shop/server/catalogue/token"
    provisioning.applied(MANIFEST)
    assert provisioning.told[name] == "hunter2"
    provisioning.ask("plan", manifest=changed("servers.0.auth.token", "hunter3"))
    assert provisioning.told[name] == "hunter3"
    provisioning.applied(changed("servers.0.auth.token", {"kept": True}))
    assert provisioning.told[name] == "hunter2"


@pytest.mark.parametrize(
    ("path", "value", "secret"),
    [
        ("servers.0.url", "https://elsewhere.example.com/mcp", "servers[0].auth.token"),
        ("servers.1.url", "https://elsewhere.example.com/mcp", "servers[1].auth.client_secret"),
        ("servers.1.auth.issuer", "https://elsewhere.example.com", "servers[1].auth.client_secret"),
        ("model.base_url", "https://elsewhere.example.com/v1", "model.api_key"),
    ],
)
def test_a_secret_is_not_kept_for_another_place_than_it_was_given_for(
    provisioning: Provisioning, path: str, value: str, secret: str
) -> None:
    issuer = {"issuer": "https://login.example.com", "client_id": "me"}
    auth = {"kind": "client_credentials", **issuer, "client_secret": "hunter5"}
    before = deepcopy(MANIFEST)
    before["servers"].append({"name": "oauth", "url": URL, "auth": auth})
    provisioning.applied(before)
    manifest = without_values(changed(path, value, before))
    assert provisioning.refused("apply", manifest=manifest) == {
        secret: "was given for another place than where it would be sent now: give it again"
    }
    moved_within = without_values(changed("servers.0.url", "https://shop.example.com/other", before))
    assert not provisioning.apply(moved_within)["errors"]


def test_what_is_kept_where_nothing_is_stored_is_named(provisioning: Provisioning) -> None:
    problems = provisioning.refused("apply", manifest=without_values(MANIFEST))
    assert set(problems) == {"servers[0].auth.token", "model.api_key", "connections[0].secret"}


def test_settings_of_a_server_are_kept_one_by_one(
    provisioning: Provisioning, stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue = '{"time": {"function": "f", "settings": {"KEY": {"required": true}, "REGION": {}}}}'
    monkeypatch.setenv("TURNKEY_STDIO_SERVERS", catalogue)
    settings = {"KEY": "k1", "REGION": "eu"}
    server: dict[str, Any] = {"name": "time", "transport": "stdio", "catalogue": "time", "settings": settings}
    agents = [{**MANIFEST["agents"][0], "servers": ["time"]}]
    manifest = {**MANIFEST, "servers": [server], "agents": agents}
    provisioning.applied(manifest)
    server["settings"] = {"KEY": {"kept": True}, "REGION": "us"}
    assert made(provisioning.applied(manifest)) == {"secret servers.time.settings": "updated"}
    stored = stores.secrets.find("turnkey/tenants/shop/server/time/settings")
    assert stored == '{"KEY": "k1", "REGION": "us"}'


@pytest.mark.parametrize(
    ("server", "path", "problem"),
    [
        ({"catalogue": "tiem", "settings": {"KEY": "k"}}, "servers[0].catalogue", "time"),
        ({"catalogue": "time", "settings": {}}, "servers[0].settings", "needs setting KEY"),
        ({"catalogue": "time", "settings": {"KEY": "k", "PATH": "/"}}, "servers[0].settings", "no setting PATH"),
    ],
)
def test_what_the_operators_catalogue_has_not_is_named(
    provisioning: Provisioning, monkeypatch: pytest.MonkeyPatch, server: dict[str, Any], path: str, problem: str
) -> None:
    monkeypatch.setenv("TURNKEY_STDIO_SERVERS", '{"time": {"function": "f", "settings": {"KEY": {"required": true}}}}')
    agents = [{**MANIFEST["agents"][0], "servers": []}]
    manifest = {**MANIFEST, "servers": [{"name": "time", "transport": "stdio", **server}], "agents": agents}
    problems = provisioning.refused("apply", manifest=manifest)
    assert list(problems) == [path]
    assert problem in problems[path]


def test_a_secret_that_a_removed_server_had_is_removed_with_it(provisioning: Provisioning, stores: Stores) -> None:
    provisioning.applied(MANIFEST)
    without = {**changed("agents.0.servers", []), "servers": []}
    assert made(provisioning.applied(without))["secret servers.catalogue.auth.token"] == "removed"
    assert "server/catalogue/token" not in secret_names(stores)


def test_a_suspended_tenant_stays_suspended_when_its_manifest_is_applied(
    provisioning: Provisioning, stores: Stores
) -> None:
    provisioning.applied(MANIFEST)
    provisioning.ask("suspend", tenant="shop")
    provisioning.applied(changed("tenant.name", "Another name"))
    assert stores.tenants.tenant("shop").suspended
    assert stores.tenants.tenant("shop").name == "Another name"


def test_a_tool_that_changed_is_held_when_the_manifest_is_applied_again(
    provisioning: Provisioning, stores: Stores
) -> None:
    provisioning.offers[URL] = (tool("search"), tool("find"))
    provisioning.applied(MANIFEST)
    provisioning.offers[URL] = (tool("search", "Now it sends mail."), tool("find"), tool("buy"))
    states = {found["name"]: found["state"] for found in provisioning.applied(MANIFEST)["servers"][0]["tools"]}
    assert states == {"search": "changed", "find": "approved", "buy": "new"}
    [registration] = stores.tenants.registrations("shop", ("catalogue",))
    assert [found.name for found in registration.usable] == ["find"]
    health = stores.tenants.all_rows("shop")["HEALTH#catalogue"]
    assert (health.status, health.held) == ("changed", ("search", "buy"))  # type: ignore[union-attr]


def test_what_was_seen_of_a_server_stays_with_it_and_goes_with_it(provisioning: Provisioning, stores: Stores) -> None:
    provisioning.applied(MANIFEST)
    report = provisioning.applied(MANIFEST)
    assert not report["changed"]
    assert "HEALTH#catalogue" in stores.tenants.all_rows("shop")
    provisioning.applied({**changed("agents.0.servers", []), "servers": []})
    assert set(stores.tenants.all_rows("shop")) == {"TENANT#shop", "AGENT#clerk", "CONNECTION#web"}


@pytest.mark.parametrize("dies_at", ["put of a row", "put of a secret", "delete of a row", "put of the manifest"])
@pytest.mark.parametrize("calls", [0, 2])
def test_an_apply_that_died_is_repaired_by_the_next(
    provisioning: Provisioning, stores: Stores, monkeypatch: pytest.MonkeyPatch, dies_at: str, calls: int
) -> None:
    where: dict[str, tuple[type, str]] = {
        "put of a row": (TenantStore, "put"),
        "put of a secret": (SecretStore, "put"),
        "delete of a row": (TenantStore, "delete"),
        "put of the manifest": (ManifestStore, "put"),
    }
    provisioning.applied(MANIFEST)
    manifest = changed("connections.0.name", "shop-chat")
    manifest["servers"][0] |= {"name": "books", "auth": {"kind": "bearer", "token": "hunter4"}}
    manifest["agents"][0] |= {"servers": ["books"], "model": {"api_key": "sk-agent"}}
    with monkeypatch.context() as dying:
        owner, name = where[dies_at]
        dying.setattr(owner, name, breaking_after(getattr(owner, name), calls))
        with pytest.raises(KeyboardInterrupt) if _reached(dies_at, calls) else nullcontext():
            provisioning.apply(manifest)
    provisioning.applied(manifest)
    assert not provisioning.applied(manifest)["changed"]
    assert set(stores.tenants.all_rows("shop")) == {
        "TENANT#shop",
        "AGENT#clerk",
        "CONNECTION#shop-chat",
        "SERVER#books",
        "HEALTH#books",
    }
    assert secret_names(stores) == {
        "model/api-key",
        "agent/clerk/model-api-key",
        "server/books/token",
        "connection/shop-chat/secret",
    }
    assert provisioning.ask("export", tenant="shop")["manifest"] == without_values(manifest)


def _reached(dies_at: str, calls: int) -> bool:
    """Whether applying makes so many such calls: the manifest is kept twice, before and after."""
    return not (dies_at == "put of the manifest" and calls == 2)
