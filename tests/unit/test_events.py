"""The sample events are what the functions take."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from turnkey import channels
from turnkey.stdio import StdioRequest
from turnkey.tenancy.manifest import Manifest, parse
from turnkey.turn.reference import FailedTurn, TurnReference

ROOT = Path(__file__).parents[2]


def event(name: str) -> Any:
    return json.loads((ROOT / "events" / f"{name}.json").read_text())


def test_every_function_has_a_sample_event() -> None:
    functions = {app.parent.name for app in (ROOT / "functions").glob("*/app.py")}
    assert {path.stem for path in (ROOT / "events").glob("*.json")} == functions


@pytest.mark.parametrize("name", ["route", "tool_loop", "draw", "assist", "browse", "compose", "deliver"])
def test_a_stages_event_is_a_reference_to_a_turn(name: str) -> None:
    assert TurnReference.model_validate(event(name)).next == name


def test_the_failed_turns_event_says_what_failed() -> None:
    failed = FailedTurn.model_validate(event("apologise"))
    assert failed.error.error == "ModelUnavailable"
    assert "503" in failed.error.message()


def test_the_stdio_servers_event_asks_what_a_server_may_be_asked() -> None:
    request = StdioRequest.model_validate(event("stdio_server"))
    assert [message["method"] for message in request.messages][-1] == "tools/call"


def test_the_sample_manifest_is_valid_and_its_secret_signs_the_sample_webhook() -> None:
    manifest = parse(event("provision")["manifest"], allow_private=False)
    assert isinstance(manifest, Manifest), manifest
    [connection] = manifest.connections
    request = channels.from_event(event("webhook"))
    assert (request.tenant, request.connection) == (manifest.tenant.id, connection.name)
    sent_at = datetime.fromtimestamp(int(request.headers["webhook-timestamp"]), UTC)
    channel = channels.find(connection.channel)
    assert isinstance(connection.secret, SecretStr)
    channel.verify(request, (connection.secret.get_secret_value(),), sent_at)
    [message] = channel.read(request)
    assert message.conversation == event("route")["conversation"]
