"""The key of a model endpoint: read again when it is refused, and never part of what went wrong."""

from __future__ import annotations

from collections.abc import Callable
from http.server import BaseHTTPRequestHandler

import anyio
import pytest

from tests.support.model_server import ModelServer
from tests.support.serving import send
from turnkey.errors import ModelUnavailable, TenantMisconfigured, TurnkeyError
from turnkey.models.chat import ChatRequest, Endpoint
from turnkey.models.openai_endpoint import OpenAIEndpoint

REQUEST = ChatRequest(messages=({"role": "user", "content": "Hello?"},))


class Locked(ModelServer):
    """Takes one key."""

    def __init__(self, key: str) -> None:
        super().__init__(["Hello."])
        self._key = key
        self.refused = 0

    def handle(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        if request.headers["authorization"] == f"Bearer {self._key}":
            return super().handle(request, body)
        self.refused += 1
        # As some do, it repeats what it was sent.
        send(request, 401, str(request.headers).encode(), {"content-type": "text/plain"})


def ask(server: ModelServer, key: str, again: Callable[[], str] | None) -> str:
    endpoint = Endpoint(base_url=server.base_url, api_key=key, read_key_again=again, main="m", small="m")

    async def run() -> str:
        async with OpenAIEndpoint(endpoint, allow_private=True) as model:
            return (await model.ask(REQUEST)).text

    return anyio.run(run)


def told(error: BaseException | None) -> str:
    """All that a log shows of it."""
    text = ""
    while error:
        text += f"{error!s} {error!r} "
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return text


def test_a_refused_key_is_read_again_and_the_request_sent_once_more() -> None:
    with Locked("new") as server:
        assert ask(server, "old", lambda: "new") == "Hello."
        assert server.refused == 1


@pytest.mark.parametrize("again", [None, lambda: "old"])
def test_a_key_that_is_still_the_same_is_refused_once(again: Callable[[], str] | None) -> None:
    with Locked("new") as server, pytest.raises(TenantMisconfigured, match="check key, name and address"):
        ask(server, "old", again)
    assert server.refused == 1


@pytest.mark.parametrize(
    "key", ["canary-key", "canary-key\r\nx-evil: 1", "canary-key\n", "canary-kéy", "canary-key\x00"]
)
def test_no_error_repeats_the_key(key: str) -> None:
    with Locked("another") as server, pytest.raises(TurnkeyError) as refused:
        ask(server, key, lambda: key)
    assert "canary" not in told(refused.value)


def test_an_endpoint_that_is_gone_does_not_show_the_key() -> None:
    server = Locked("key").start()
    server.close()
    with pytest.raises(ModelUnavailable) as gone:
        ask(server, "canary-key", lambda: "canary-key")
    assert "canary" not in told(gone.value)


def test_no_representation_shows_the_key() -> None:
    endpoint = Endpoint(
        base_url="https://x.org", api_key="canary", read_key_again=lambda: "canary", main="m", small="m"
    )
    assert "canary" not in f"{endpoint!r} {endpoint.model_dump(exclude={'api_key'})!r}"
