"""A whole turn, from registration to reply, opens no connection but through the network guard."""

import json
import subprocess
import sys
from typing import Any
from urllib.parse import urlsplit

import pytest

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def seen(bookshop: str) -> dict[str, Any]:
    """What a process of its own saw of its own connections."""
    command = [sys.executable, "-m", "tests.support.watched_turn", bookshop]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1]) | {"bookshop": urlsplit(bookshop).port}


def test_the_turn_reached_servers_model_and_customer(seen: dict[str, Any]) -> None:
    assert seen["told"] == ["Here they are."]
    reached = {int(address.rpartition(":")[2]) for address in seen["guarded"]}
    assert {seen["bookshop"], *seen["ports"].values()} <= reached


def test_no_connection_and_no_look_up_went_past_the_guard(seen: dict[str, Any]) -> None:
    assert (seen["strays"], seen["looked_up"]) == ([], [])


def test_nothing_was_fetched_because_a_schema_refers_to_it(seen: dict[str, Any]) -> None:
    assert seen["trapped"] == []


def test_a_connection_past_the_guard_would_have_been_seen(seen: dict[str, Any]) -> None:
    assert len(seen["control"]) == 1
