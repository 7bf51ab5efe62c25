"""The `turnkey` command as a person uses it: up, apply, a message, a restart."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.support.model_server import Answer, ModelServer
from tests.support.receiver import ReplyReceiver
from tests.support.signing import new_secret, signed_headers

pytestmark = pytest.mark.long

TURNKEY = [str(Path(sys.executable).with_name("turnkey"))]
ROOT = Path(__file__).parents[2]


def environment(model: ModelServer, **more: str) -> dict[str, str]:
    path = os.pathsep.join([str(ROOT), str(ROOT / "layers/turnkey")])
    return {**os.environ, "PYTHONPATH": path, "OPENAI_BASE_URL": model.base_url, "TURNKEY_MODEL": "scripted", **more}


@contextmanager
def up(folder: Path, model: ModelServer) -> Generator[str]:
    """`turnkey up --data` in `folder`; gives the API's address, and ends it as Ctrl-C does."""
    command = [*TURNKEY, "up", "--port", "0", "--data", "data"]
    with subprocess.Popen(command, cwd=folder, env=environment(model), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        line = next(line for line in process.stdout if "HTTP API" in line)
        yield line.split()[2].split("/hooks")[0]
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


def turnkey(folder: Path, model: ModelServer, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*TURNKEY, *words], cwd=folder, env=environment(model, **more), capture_output=True, text=True, check=False
    )


def apply(folder: Path, model: ModelServer, **more: str) -> subprocess.CompletedProcess[str]:
    return turnkey(folder, model, "apply", "tenant.yaml", **more)


def post(api: str, secret: str, text: str) -> None:
    data: dict[str, Any] = {"conversation_id": "c", "message": {"id": "m", "text": text}}
    content = {"type": "message.created", "timestamp": "2026-01-01T00:00:00Z", "data": data}
    body = json.dumps(content).encode()
    headers = signed_headers(secret, body, message_id=f"msg_{text}")
    assert httpx2.post(f"{api}/hooks/shop/web", content=body, headers=headers, timeout=30).status_code == 200


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    manifest = {
        "tenant": {"id": "shop", "name": "Shop"},
        "agents": [{"name": "clerk", "instructions": "You are a clerk."}],
        "connections": [
            {
                "name": "web",
                "channel": "standard_webhooks",
                "agent": "clerk",
                "secret": "${SECRET}",
                "reply_url": "${REPLY_URL}",
                "settle_seconds": 0,
            }
        ],
    }
    (tmp_path / "tenant.yaml").write_text(json.dumps(manifest))
    return tmp_path


def test_a_person_can_bring_it_up_add_a_tenant_restart_it_and_lose_nothing(folder: Path, model: ModelServer) -> None:
    secret = new_secret()
    with ReplyReceiver(secret) as receiver:
        variables = {"SECRET": secret, "REPLY_URL": receiver.url("/replies")}
        model.script([Answer("first"), Answer("too late", delay_seconds=60), Answer("second")])
        with up(folder, model) as api:
            first = apply(folder, model, **variables)
            assert (first.returncode, "created" in first.stdout) == (0, True), first
            again = apply(folder, model, **variables)
            assert (again.returncode, "already so" in again.stdout) == (0, True), again
            refused = apply(folder, model, SECRET="short", REPLY_URL="ftp://nowhere")
            assert refused.returncode == 1
            assert "connections[0].secret" in refused.stdout
            assert "connections[0].reply_url" in refused.stdout
            tools = turnkey(folder, model, "tools", "--overflow")
            assert (tools.returncode, "No tool regularly" in tools.stdout) == (0, True), tools
            post(api, secret, "one")
            receiver.replies(1, seconds=20)
            post(api, secret, "two")
            assert model.wait(lambda: len(model.requests) == 2, 20)
        with up(folder, model):
            posts = receiver.replies(2, seconds=20)
    assert [found.json()["data"]["message"]["text"] for found in posts] == ["first", "second"]


def test_a_missing_variable_is_named(folder: Path, model: ModelServer) -> None:
    missing = apply(folder, model)
    assert missing.returncode == 2
    assert "SECRET" in missing.stderr
    assert "REPLY_URL" in missing.stderr
