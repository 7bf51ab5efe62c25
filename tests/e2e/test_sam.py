"""What is deployed, run by SAM: the built layers, each function in a container, SAM's own HTTP API.

    make test-sam

Needs a container engine. Where there is none, CI fails and everyone else is told so.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from local.sam import HOST, ROOT, SamStack
from local.sam_process import sam_command
from tests.support.model_server import Answer, Call, ModelServer, calls
from tests.support.shop import Shop, open_shop

TURN_SECONDS = 90
"""A turn's first run in cold containers on a slow machine."""


@pytest.fixture(scope="module")
def built() -> None:
    docker = shutil.which("docker")
    if not docker or subprocess.run([docker, "version"], capture_output=True).returncode:
        message = "SAM's containers need Docker, and none answers here. See docs/sam.md."
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    architecture = os.environ.get("TURNKEY_ARCHITECTURE") or "x86_64"
    command = [*sam_command(), "build", "--parameter-overrides", f"Architecture={architecture}"]
    build = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "SAM_CLI_TELEMETRY": "0"}, capture_output=True, text=True
    )
    assert build.returncode == 0, build.stderr


@pytest.fixture(scope="module")
def stack(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SamStack]:
    log = tmp_path_factory.mktemp("sam") / "log"
    parameters = {"ModelBaseUrl": f"http://{HOST}:9/v1", "ModelName": "none"}
    try:
        with log.open("wb") as file, SamStack(parameters=parameters, log=file, announced=False) as running:
            yield running
    finally:
        # pytest shows it with the first test that failed.
        sys.stderr.write(_tail(log))


def _tail(log: Path, lines: int = 200) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])


@pytest.fixture(scope="module")
def bookshop() -> Iterator[str]:
    """Address of the bookshop's MCP server on this machine, as a container sees it."""
    command = [sys.executable, "-m", "local.bookshop.server", "--host", "0.0.0.0", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield process.stdout.readline().split()[-1].replace("0.0.0.0", HOST)
        process.terminate()


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with ModelServer(host="0.0.0.0") as server:
        yield server


@pytest.fixture
def shop(stack: SamStack, model: ModelServer, bookshop: str) -> Iterator[Shop]:
    """Onboarded by the provision function in its container."""
    servers = [{"name": "catalogue", "url": bookshop}]
    with open_shop(stack, model.url("/v1", host=HOST), servers, reached_as=HOST) as opened:
        yield opened


def runs_of(tool: str, bookshop: str) -> int:
    health = httpx2.get(bookshop.replace(HOST, "127.0.0.1").replace("/mcp", "/health")).json()
    return health["calls"].get(tool, 0)


def test_a_message_is_answered_through_every_container(shop: Shop, model: ModelServer, bookshop: str) -> None:
    before = runs_of("search_books", bookshop)
    model.small(['{"subject": "whales", "constraints": []}'])
    model.script([calls(Call("search_books", {"query": "whales", "limit": 2})), "Leviathan, or The Whale is here."])
    assert shop.post("Do you have any books about whales?").status_code == 200
    [reply] = shop.receiver.replies(1, seconds=TURN_SECONDS)
    assert reply.json()["data"]["message"]["text"] == "Leviathan, or The Whale is here."
    assert runs_of("search_books", bookshop) == before + 1
    assert not model.beyond_script


def test_a_repeated_webhook_gets_no_second_reply(shop: Shop, model: ModelServer) -> None:
    model.script(["Good morning."])
    receipts = [shop.post("Good morning!", message_id="msg_again").json() for _ in range(2)]
    assert [receipt["accepted"] for receipt in receipts] == [1, 0]
    assert shop.texts(1, seconds=TURN_SECONDS) == ["Good morning."]


def test_a_webhook_with_a_wrong_signature_is_refused(shop: Shop) -> None:
    forged = Shop(shop.stack, shop.tenant, "whsec_" + "A" * 43 + "=", shop.receiver, shop.manifest)
    assert forged.post("Hello?").status_code == 401


def test_a_failure_in_a_container_is_known_by_its_class_and_ends_in_an_apology(shop: Shop, model: ModelServer) -> None:
    model.script(lambda _: Answer("no such key", status=401))
    shop.post("Is anybody there?")
    [text] = shop.texts(1, seconds=TURN_SECONDS)
    assert text.startswith("Sorry")
    assert len(model.requests) == 1, "a refused key was tried again"
