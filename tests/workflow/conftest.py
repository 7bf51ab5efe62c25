"""The real template, state machine and handlers on moto; a scripted model; the bookshop's real MCP server."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from local.iam.gate import Denial
from local.stack import Stack
from tests.support.model_server import ModelServer
from tests.support.shop import Shop, open_shop

RETRY_PACE = 0.05
"""The state machine's waits between retries, scaled: one second becomes 50 ms."""


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    """One stack for all tests: each has a tenant of its own."""
    parameters = {"ModelBaseUrl": "http://127.0.0.1:9/v1", "ModelName": "none", "MailDomain": "mail.example.com"}
    with Stack(parameters=parameters, announced=False, retry_pace=RETRY_PACE) as running:
        yield running


Denials = Callable[[], list[Denial]]


@pytest.fixture
def denials(stack: Stack) -> Denials:
    """What IAM would have refused since the test began; for tests that try what must be refused."""
    before = stack.denials
    return lambda: [denial for denial in stack.denials if denial not in before]


@pytest.fixture(autouse=True)
def _nothing_is_denied(request: pytest.FixtureRequest) -> Iterator[None]:
    """The whole suite runs under the template's policies: a right that is missing fails the test that needs it."""
    running: Stack | None = request.getfixturevalue("stack") if "stack" in request.fixturenames else None
    before = running.denials if running else []
    yield
    if running and "denials" not in request.fixturenames:
        assert running.denials == before


@pytest.fixture(scope="session")
def bookshop() -> Iterator[str]:
    """Address of the bookshop's MCP server, in a process of its own."""
    command = [sys.executable, "-m", "local.bookshop.server", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield process.stdout.readline().split()[-1]
        process.terminate()


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """Fails a test whose turns asked it more than its script has answers for."""
    with ModelServer() as server:
        yield server
    assert not server.beyond_script


OpenShop = Callable[..., Shop]


@pytest.fixture
def shops(stack: Stack, model: ModelServer, bookshop: str) -> Iterator[OpenShop]:
    """Opens tenants that use the scripted model and, unless told otherwise, the bookshop's server."""
    with ExitStack() as exits:

        def opener(servers: list[dict[str, Any]] | None = None, **agent: Any) -> Shop:
            catalogue = [{"name": "catalogue", "url": bookshop}] if servers is None else servers
            return exits.enter_context(open_shop(stack, model.base_url, catalogue, **agent))

        yield opener


@pytest.fixture
def shop(shops: OpenShop) -> Shop:
    return shops()
