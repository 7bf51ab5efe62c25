"""The published schema: what editors complete, and what they mark as wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from local.schema import text
from tests.support.manifests import MANIFEST, manifests, without_values
from turnkey.tenancy.schema import manifest_schema
from turnkey.tenancy.sections import Manifest

ROOT = Path(__file__).parents[2]
SCHEMA = manifest_schema()
VALIDATOR = Draft202012Validator(SCHEMA)
FULL: dict[str, Any] = {
    **MANIFEST,
    "tenant": {
        "id": "shop",
        "name": "The Shop",
        "time_zone": "Europe/Berlin",
        "quotas": {"turns": 100, "tokens": 10_000, "calls": 100, "concurrent_turns": 3},
    },
    "servers": [
        {
            "name": "catalogue",
            "transport": "sse",
            "url": "https://shop.example.com/sse",
            "auth": {"kind": "headers", "headers": {"X-Key": "${KEY}", "X-Other": {"kept": True}}},
            "timeouts": {"connect": 5, "list": 20.5, "call": None},
            "allow": ["search"],
            "tools": {"search": {"title": "Search", "kind": "items", "fields": {"title": "name"}, "words": ["buch"]}},
            "test": {"tool": "search", "arguments": {"query": "x"}},
        },
        {"name": "time", "transport": "stdio", "catalogue": "time", "settings": {"KEY": "${KEY}"}},
        {"name": "open", "url": "https://open.example.com/mcp", "auth": {"kind": "none"}},
        {"name": "token", "url": "https://open.example.com/mcp", "auth": {"kind": "bearer", "token": "${TOKEN}"}},
        {
            "name": "oauth",
            "url": "https://open.example.com/mcp",
            "auth": {
                "kind": "client_credentials",
                "issuer": "https://login.example.com",
                "client_id": "me",
                "private_key": "${PEM}",
                "method": "private_key_jwt",
                "algorithm": "ES256",
            },
        },
    ],
    "agents": [
        {
            **MANIFEST["agents"][0],
            "model": {"base_url": "https://m.example.com/v1", "main": "m", "call_format": "text"},
            "limits": {"iterations": 3, "seconds": 60},
            "plain": False,
            "apology": "Sorry.",
        }
    ],
    "connections": [{**MANIFEST["connections"][0], "previous_secret": {"kept": True}, "settle_seconds": 3}],
}


def read_yaml(text: str) -> list[Any]:
    return [found for found in yaml.safe_load_all(text) if isinstance(found, dict) and "tenant" in found]


def published() -> Iterator[tuple[str, Any]]:
    """Every manifest that stands in the repository."""
    for path in sorted((ROOT / "local").glob("*/tenant.yaml")):
        yield path.name, yaml.safe_load(path.read_text())
    yield "events/provision.json", json.loads((ROOT / "events/provision.json").read_text())["manifest"]
    for path in sorted((ROOT / "docs").glob("*.md")):
        for block in re.findall(r"```yaml\n(.*?)```", path.read_text(), re.DOTALL):
            for manifest in read_yaml(block):
                yield path.name, manifest
    yield "tests", MANIFEST
    yield "tests, all fields", FULL
    yield "tests, exported", without_values(FULL)


def test_the_published_schema_is_current_and_is_one() -> None:
    assert (ROOT / "docs/manifest.schema.json").read_text() == text(), "run: turnkey schema > docs/manifest.schema.json"
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(("place", "manifest"), list(published()))
def test_every_manifest_in_the_repository_is_valid(place: str, manifest: Any) -> None:
    assert [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(manifest)] == [], place


def test_the_repository_has_manifests_to_look_at() -> None:
    places = [place for place, _ in published()]
    assert {"tenant.yaml", "events/provision.json", "onboarding.md"} <= set(places)
    assert places.count("tenant.yaml") == 2


@given(manifests())
@settings(max_examples=40, deadline=None)
def test_what_is_accepted_is_valid(manifest: dict[str, Any]) -> None:
    Manifest.model_validate(manifest)
    assert VALIDATOR.is_valid(manifest)
    assert VALIDATOR.is_valid(without_values(manifest))


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a document, the whole one included."""
    yield path
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        yield from places(entry, (*path, key))


def spoilt(path: tuple[Any, ...]) -> Iterator[Any]:
    """The full manifest, wrong in every way at one place."""
    for wrong in (None, 5, -1, 10**9, 0.5, "", "x" * 9000, "A b", "a\nb", [], [7], {}, {"nope": 1}, True, {"kept": 1}):
        yield with_value(path, wrong)
    if path:
        yield without(path)


def with_value(path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    manifest = deepcopy(FULL)
    place: Any = manifest
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return manifest


def without(path: tuple[Any, ...]) -> Any:
    manifest = deepcopy(FULL)
    place: Any = manifest
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    return manifest


@pytest.mark.parametrize("path", list(places(FULL)), ids=str)
def test_what_is_refused_by_its_form_is_not_valid(path: tuple[Any, ...]) -> None:
    for manifest in spoilt(path):
        if VALIDATOR.is_valid(manifest):
            assert not form_problems(manifest), manifest


def form_problems(manifest: Any) -> list[str]:
    """What the models refuse, less what only a look-up can tell."""
    try:
        Manifest.model_validate(manifest)
    except ValidationError as error:
        return [str(entry["loc"]) for entry in error.errors() if entry["loc"][-1:] != ("time_zone",)]
    return []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("tenant", "id"), "${TENANT}"),
        (("agents", 0, "limits", "calls"), "${CALLS}"),
        (("agents", 0, "plain"), "${PLAIN}"),
        (("connections", 0, "channel"), "${CHANNEL}"),
        (("servers", 0, "url"), "https://${HOST}/mcp"),
        (("connections", 0, "secret"), {"kept": True}),
    ],
)
def test_a_variable_stands_wherever_a_value_does(path: tuple[Any, ...], value: Any) -> None:
    assert VALIDATOR.is_valid(with_value(path, value))


def test_every_field_says_what_it_is() -> None:
    silent: list[str] = []
    for name, section in {"Manifest": SCHEMA, **SCHEMA["$defs"]}.items():
        silent += [
            f"{name}.{field}" for field, node in section.get("properties", {}).items() if "description" not in node
        ]
    assert silent == []
