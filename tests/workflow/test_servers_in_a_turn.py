"""Servers of all kinds in whole turns: one of the operator's catalogue, one over SSE, and a dead one beside a good one."""

import json
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from tests.support import faulty_server as faults
from tests.support.faulty_server import FaultyServer
from tests.support.model_server import Call, ModelServer, calls
from tests.support.shop import Shop

OpenShop = Callable[..., Shop]


def called(shop: Shop) -> list[dict[str, Any]]:
    """What the tool loop logged of the tenant's calls."""
    lines = [json.loads(line) for line in shop.logs("ToolLoop") if '"tool called"' in line]
    return [line for line in lines if line.get("tenant") == shop.tenant]


def results(model: ModelServer) -> str:
    """What the model was told last."""
    return json.dumps(model.requests[-1].body["messages"])


@pytest.mark.long
def test_a_turn_uses_a_stdio_server_of_the_catalogue_and_leaves_no_process(shops: OpenShop, model: ModelServer) -> None:
    settings = {"local_timezone": "Asia/Tokyo"}
    shop = shops([{"name": "clock", "transport": "stdio", "catalogue": "time", "settings": settings}])
    model.script([calls(Call("get_current_time", {"timezone": "Asia/Tokyo"})), *4 * ["It is late in Tokyo."]])
    shop.post("What time is it in Tokyo?")
    assert shop.texts(1) == ["It is late in Tokyo."]
    assert [(line["status"], line["error"]) for line in called(shop)] == [("ok", "")]
    assert "Asia/Tokyo" in results(model)
    for worker in shop.pids("TimeServer"):
        children = subprocess.run(
            ["ps", "-o", "args=", "--ppid", str(worker)], capture_output=True, text=True, check=False
        )
        assert children.stdout == ""


@pytest.mark.long
@pytest.mark.parametrize(
    ("server", "words"),
    [
        ({"catalogue": "shell"}, "no server 'shell': use one of time"),
        ({"catalogue": "time", "settings": {"command": "sh -c id"}}, "no setting command: it takes local_timezone"),
        ({"catalogue": "time", "settings": {"local_timezone": "Nowhere/Land"}}, "exit status"),
    ],
)
def test_a_stdio_server_that_the_catalogue_does_not_allow_is_not_registered(
    shop: Shop, server: dict[str, Any], words: str
) -> None:
    manifest = {**shop.manifest, "servers": [*shop.manifest["servers"], {"name": "x", "transport": "stdio", **server}]}
    (error,) = shop.apply(manifest)["errors"]
    assert error["path"].startswith("servers[1]")
    assert words in error["problem"]


def test_a_turn_uses_a_server_over_sse(shops: OpenShop, model: ModelServer) -> None:
    with FaultyServer(legacy=True) as server:
        shop = shops([{"name": "old", "transport": "sse", "url": server.url("/sse")}])
        model.script([calls(Call("look")), *4 * ["Here you are."]])
        shop.post("Please look.")
        assert shop.texts(1) == ["Here you are."]
        assert server.asked.count("tools/list") == 1, "only when it was registered"
    assert [line["status"] for line in called(shop)] == ["ok"]


def test_a_turn_with_a_dead_server_and_a_good_one_still_replies(
    shops: OpenShop, model: ModelServer, bookshop: str
) -> None:
    with FaultyServer({"tools/call": faults.hang}) as server:
        servers = [
            {"name": "dead", "url": server.url("/mcp"), "timeouts": {"call": 1}},
            {"name": "books", "url": bookshop},
        ]
        shop = shops(servers)
        both = calls(Call("look"), Call("search_books", {"query": "Moby Dick"}))
        model.script([both, *4 * ["Here is Moby Dick; the other system does not answer."]])
        shop.post("Look, and find Moby Dick.")
        (reply,) = shop.texts(1)
    assert reply.startswith("Here is Moby Dick")
    assert {(line["tool"], line["status"], line["error"]) for line in called(shop)} == {
        ("look", "error", "TimedOut"),
        ("search_books", "ok", ""),
    }
    assert "Moby" in results(model)
    assert "did not answer in time" in results(model)
