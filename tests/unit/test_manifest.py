"""Manifests: every error at once, each with its path and what to do."""

from copy import deepcopy
from typing import Any

import pytest

from tests.support.manifests import MANIFEST, changed
from turnkey.tenancy.document import ManifestUnreadable, read
from turnkey.tenancy.manifest import Manifest, parse


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
        ("servers.0.auth", {"token": "x"}, "servers[0].auth", "kind"),
        ("servers.0.auth", {"kind": "bearer", "token": 5}, "servers[0].auth.token", "in quotes"),
        ("servers.0.auth", {"kind": "bearer", "token": {"kept": False}}, "servers[0].auth.token", "{kept: true}"),
        ("servers.0.auth", {"kind": "bearer", "token": ""}, "servers[0].auth.token", "1 to 8192"),
        ("servers.0.auth", {"kind": "headers", "headers": {}}, "servers[0].auth.headers", "at least 1"),
        ("servers.0.auth", {"kind": "headers", "headers": {"Host": "x"}}, "servers[0].auth.headers.Host", "own header"),
        ("servers.0.auth", {"kind": "headers", "headers": {"A": " x"}}, "servers[0].auth.headers.A", "pasted whole"),
        ("servers.0.auth", {"kind": "headers", "headers": {"A b": "x"}}, 'servers[0].auth.headers["A b"]', "own"),
        ("servers.0.tools", {"a.b": {"kind": "none"}}, 'servers[0].tools["a.b"].kind', "'items'"),
        ("servers.0.tools", {"bearer": {"nope": 1}}, "servers[0].tools.bearer.nope", "not a known field"),
        ("servers.0.timeouts", {"list": 61}, "servers[0].timeouts.list", "less than or equal to 60"),
        ("model.api_key", "two words", "model.api_key", "pasted whole"),
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
