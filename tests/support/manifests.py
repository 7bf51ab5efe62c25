"""Manifests to start from."""

import base64
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

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


def changed(path: str, value: Any, manifest: Any = MANIFEST) -> dict[str, Any]:
    """The manifest with one place changed; a path such as agents.0.name."""
    manifest = deepcopy(manifest)
    *parents, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    place: Any = manifest
    for part in parents:
        place = place[part]
    place[last] = value
    return manifest


def without_values(manifest: Any) -> Any:
    """The manifest with every secret as kept."""
    if isinstance(manifest, list):
        return [without_values(entry) for entry in manifest]
    if not isinstance(manifest, dict):
        return manifest
    return {
        name: _kept(name, value) if name in (*SECRETS, *MAPS) else without_values(value)
        for name, value in manifest.items()
    }


SECRETS = ("api_key", "token", "secret", "previous_secret", "client_secret", "private_key")
MAPS = ("headers", "settings")


def _kept(name: str, value: Any) -> Any:
    return {key: {"kept": True} for key in value} if name in MAPS else {"kept": True}


_words = st.text("abcdefghij ", min_size=3, max_size=20).map(lambda text: f"x{text}x")
_values = st.text("abcXYZ0189-_", min_size=8, max_size=30)


def _auth() -> st.SearchStrategy[dict[str, Any]]:
    issuer = {
        "kind": st.just("client_credentials"),
        "issuer": st.just("https://login.example.com"),
        "client_id": _values,
    }
    return st.one_of(
        st.fixed_dictionaries({"kind": st.just("none")}),
        st.fixed_dictionaries({"kind": st.just("bearer"), "token": _values}),
        st.fixed_dictionaries(
            {
                "kind": st.just("headers"),
                "headers": st.dictionaries(st.sampled_from(["X-Key", "bearer", "kept", "x.y"]), _values, min_size=1),
            }
        ),
        st.fixed_dictionaries({**issuer, "client_secret": _values}, optional={"scope": _words}),
        st.fixed_dictionaries({**issuer, "private_key": _values, "method": st.just("private_key_jwt")}),
    )


def _servers() -> st.SearchStrategy[list[dict[str, Any]]]:
    server = st.fixed_dictionaries(
        {"name": st.sampled_from(["a", "b", "none", "bearer"]), "url": st.just("https://shop.example.com/mcp")},
        optional={
            "auth": _auth(),
            "transport": st.sampled_from(["sse", "streamable_http"]),
            "allow": st.just(["search"]),
            "timeouts": st.fixed_dictionaries({"call": st.integers(1, 120)}),
            "tools": st.fixed_dictionaries(
                {}, optional={"search": st.fixed_dictionaries({}, optional={"confirm": st.booleans(), "title": _words})}
            ),
        },
    )
    return st.lists(server, max_size=3, unique_by=lambda server: server["name"])


_models = st.fixed_dictionaries(
    {"base_url": st.just("https://models.example.com/v1"), "main": _words}, optional={"api_key": _values}
)


@st.composite
def manifests(draw: st.DrawFn) -> dict[str, Any]:
    """Valid ones of the tenant shop, with remote servers that have a tool search."""
    servers = draw(_servers())
    names = [server["name"] for server in servers]
    agent = st.fixed_dictionaries(
        {"name": st.just("clerk"), "instructions": _words, "servers": st.just(names)},
        optional={
            "model": _models,
            "limits": st.fixed_dictionaries({"calls": st.integers(1, 500)}),
            "plain": st.booleans(),
        },
    )
    connection = {**MANIFEST["connections"][0], "name": draw(st.sampled_from(["web", "secret"]))}
    extra = st.fixed_dictionaries({}, optional={"previous_secret": st.just(SECRET), "progress": st.booleans()})
    tenant = {"id": "shop", "name": draw(_words)}
    return {
        "tenant": draw(
            st.fixed_dictionaries({k: st.just(v) for k, v in tenant.items()}, optional={"time_zone": st.just("UTC")})
        ),
        **draw(st.fixed_dictionaries({}, optional={"model": _models})),
        "servers": servers,
        "agents": [draw(agent)],
        "connections": [{**connection, **draw(extra)}],
    }
