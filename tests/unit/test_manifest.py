"""Manifests: every error at once, each with its path and what to do; applied whole or not at all, and never twice."""

import base64
from copy import deepcopy
from typing import Any

import pytest

from turnkey.errors import TenantMisconfigured
from turnkey.mcp.registration import ToolDefinition
from turnkey.store.stores import Stores
from turnkey.tenancy.apply import Provisioner
from turnkey.tenancy.document import ManifestUnreadable, read
from turnkey.tenancy.manifest import Manifest, parse

SECRET = "whsec_" + base64.b64encode(b"a secret of thirty-two bytes ok!").decode()
MANIFEST: dict[str, Any] = {
    "tenant": {"id": "shop", "name": "The Shop", "time_zone": "Europe/Berlin"},
    "model": {"base_url": "https://models.example.com/v1", "api_key": "sk-hunter2", "main": "m"},
    "servers": [
        {"name": "catalogue", "url": "https://shop.example.com/mcp", "auth": {"kind": "bearer", "token": "hunter2"}}
    ],
    "agents": [{"name": "clerk", "instructions": "You are a clerk.", "servers": ["catalogue"]}],
    "connections": [
        {
            "name": "web",
            "channel": "standard_webhooks",
            "agent": "clerk",
            "secret": SECRET,
            "reply_url": "https://shop.example.com/replies",
        }
    ],
}


def changed(path: str, value: Any) -> dict[str, Any]:
    """The manifest with one place changed; a path such as agents.0.name."""
    manifest = deepcopy(MANIFEST)
    *parents, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    place: Any = manifest
    for part in parents:
        place = place[part]
    place[last] = value
    return manifest


def problems(content: Any) -> dict[str, str]:
    found = parse(content, allow_private=False)
    assert not isinstance(found, Manifest)
    return {problem.path: problem.problem for problem in found}


def test_a_good_manifest_is_read() -> None:
    assert isinstance(parse(MANIFEST, allow_private=False), Manifest)


@pytest.mark.parametrize(
    ("path", "value", "where", "what"),
    [
        ("tenant.id", "The Shop!", "tenant.id", "match"),
        ("tenant.id", "shop#CONVERSATION", "tenant.id", "match"),
        ("tenant.time_zone", "Berlin", "tenant.time_zone", "Europe/Berlin"),
        ("tenant.colour", "red", "tenant.colour", "not a known field"),
        ("agents", [], "agents", "at least 1"),
        ("agents.0.limits", {"seconds": 0}, "agents[0].limits.seconds", "greater than or equal to 5"),
        ("agents.0.servers", ["other"], "agents[0].servers[0]", "use one of catalogue"),
        ("connections.0.agent", "other", "connections[0].agent", "use one of clerk"),
        ("connections.0.channel", "pigeon", "connections[0].channel", "standard_webhooks"),
        ("connections.0.reply_url", "", "connections[0].reply_url", "replies are POSTed there"),
        ("connections.0.secret", "short", "connections[0].secret", "24 to 64"),
        ("connections.0.reply_url", "http://10.0.0.1/", "connections[0].reply_url", "https"),
        ("servers.0.url", "https://169.254.169.254/", "servers[0].url", "not a public address"),
        ("servers.0.auth", {"kind": "bearer", "token": "a\nb"}, "servers[0].auth.token", "pasted whole"),
        ("servers.0.auth", {"kind": "magic"}, "servers[0].auth", "none"),
        ("model.main", "", "model.main", "name the model"),
    ],
)
def test_a_mistake_is_reported_with_its_path_and_remedy(path: str, value: Any, where: str, what: str) -> None:
    found = problems(changed(path, value))
    assert where in found, found
    assert what in found[where]


def test_every_mistake_is_reported_at_once() -> None:
    manifest = changed("tenant.id", "No Good")
    del manifest["agents"][0]["instructions"]
    manifest["connections"][0]["settle_seconds"] = "soon"
    assert set(problems(manifest)) == {"tenant.id", "agents[0].instructions", "connections[0].settle_seconds"}


def test_a_name_that_is_there_twice_is_reported() -> None:
    manifest = deepcopy(MANIFEST)
    manifest["agents"].append(manifest["agents"][0])
    assert problems(manifest) == {"agents[1].name": "'clerk' is there twice: give each a name of its own"}


@pytest.mark.parametrize("content", [None, [], "text", 3])
def test_what_is_no_document_is_reported(content: Any) -> None:
    assert list(problems(content)) == ["(document)"]


def test_no_problem_repeats_a_secret() -> None:
    manifest = changed("servers.0.auth", {"kind": "bearer", "token": "hunter2 with a space"})
    manifest["connections"][0]["secret"] = "whsec_hunter2!"
    assert "hunter2" not in str(problems(manifest))


def test_yaml_and_json_are_both_read() -> None:
    assert read("tenant: {id: shop}") == read('{"tenant": {"id": "shop"}}') == {"tenant": {"id": "shop"}}


def test_broken_yaml_is_reported_with_its_line() -> None:
    with pytest.raises(ManifestUnreadable, match="line 2"):
        read("tenant:\n  id: [")


@pytest.fixture
def provisioner(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> Provisioner:
    """With servers that answer at once: the real ones are asked in tests/workflow."""
    from turnkey.mcp import snapshot

    async def take(registration: Any, token: str, **_: Any) -> snapshot.Snapshot:
        if "down" in registration.url:
            raise TenantMisconfigured(f"{registration.url} did not answer")
        tools = (ToolDefinition(name="search", input_schema={"type": "object"}),)
        return snapshot.Snapshot(registration=registration.model_copy(update={"tools": tools}), milliseconds=1)

    monkeypatch.setattr(snapshot, "take", take)
    return Provisioner(stores.tenants, stores.secrets, allow_private=False)


def test_applying_creates_what_the_manifest_says(provisioner: Provisioner, stores: Stores) -> None:
    report = provisioner.apply(MANIFEST)
    assert report.changed
    assert {change.change for change in report.changes} == {"created"}
    assert report.servers[0].tools == ("search",)
    assert stores.tenants.agent("shop", "clerk").servers == ("catalogue",)
    connection = stores.tenants.connection("shop", "web")
    assert stores.secrets.get(connection.secrets[0]) == SECRET


def test_applying_the_same_again_changes_nothing_and_says_so(provisioner: Provisioner) -> None:
    provisioner.apply(MANIFEST)
    report = provisioner.apply(deepcopy(MANIFEST))
    assert not report.changed
    assert {change.change for change in report.changes} == {"unchanged"}


def test_applying_names_what_was_changed_and_what_was_removed(provisioner: Provisioner, stores: Stores) -> None:
    provisioner.apply(MANIFEST)
    report = provisioner.apply({**changed("agents.0.instructions", "You are kind."), "connections": []})
    assert {change.what: change.change for change in report.changes if change.change != "unchanged"} == {
        "agent clerk": "updated",
        "connection web": "removed",
    }
    assert stores.tenants.find_connection("shop", "web") is None


def test_a_new_secret_is_taken_up_and_named_but_not_shown(provisioner: Provisioner, stores: Stores) -> None:
    provisioner.apply(MANIFEST)
    report = provisioner.apply(changed("model.api_key", "sk-other"))
    assert [change.what for change in report.changes if change.change == "updated"] == [
        "secret turnkey/tenants/shop/model/api-key"
    ]
    assert "sk-other" not in report.model_dump_json()
    assert stores.secrets.get("turnkey/tenants/shop/model/api-key") == "sk-other"


@pytest.mark.parametrize("path", ["tenant.id", "servers.0.url"])
def test_a_manifest_that_cannot_be_applied_changes_nothing(provisioner: Provisioner, stores: Stores, path: str) -> None:
    provisioner.apply(MANIFEST)
    before = stores.tenants.all_rows("shop")
    manifest = changed("agents.0.instructions", "Changed.")
    manifest["tenant" if path == "tenant.id" else "servers"] = (
        {"id": "NO"} if path == "tenant.id" else [{"name": "catalogue", "url": "https://down.example.com/mcp"}]
    )
    report = provisioner.apply(manifest)
    assert report.errors
    assert not report.changed
    assert stores.tenants.all_rows("shop") == before


def test_rows_hold_names_of_secrets_and_never_their_values(provisioner: Provisioner, stores: Stores) -> None:
    provisioner.apply(MANIFEST)
    rows = "".join(row.model_dump_json() for row in stores.tenants.all_rows("shop").values())
    assert "hunter2" not in rows
    assert SECRET not in rows


def test_one_tenants_manifest_leaves_another_tenant_alone(provisioner: Provisioner, stores: Stores) -> None:
    provisioner.apply(MANIFEST)
    before = stores.tenants.all_rows("shop")
    provisioner.apply(changed("tenant.id", "other"))
    provisioner.apply({**changed("tenant.id", "other"), "connections": []})
    assert stores.tenants.all_rows("shop") == before
