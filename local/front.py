"""The HTTP API on this machine: takes requests as API Gateway does and runs the routes' functions."""

import functools
import json
import socket
from collections.abc import Iterable
from contextlib import AbstractContextManager
from threading import Thread

import anyio
import anyio.to_thread
import uvicorn
from starlette.types import Receive, Scope, Send

from local.deployment import Route
from local.gateway import MalformedResponse, Request, Response, error_response, event_of, response_of
from local.invocation import PAYLOAD_LIMIT_BYTES, Dispatch
from local.routing import Match, Routes

# https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
BODY_LIMIT_BYTES = 10 * 1024 * 1024
HEAD_LIMIT_BYTES = 10_240
INTEGRATION_SECONDS = 30.0

_TOO_LARGE = error_response(413, "Request Entity Too Large")


class Front(AbstractContextManager["Front"]):
    """Serves the routes at `url` from a thread of its own."""

    def __init__(
        self, routes: Iterable[Route], dispatch: Dispatch, *, port: int = 0, seconds: float = INTEGRATION_SECONDS
    ) -> None:
        """Port 0 takes a free one. `seconds` is how long a function may take to answer.

        Raises `OSError` when the port is taken.
        """
        self._socket = socket.create_server(("127.0.0.1", port))
        api = _Api(Routes(routes), dispatch, seconds)
        config = uvicorn.Config(api, log_config=None, lifespan="off", server_header=False, timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._thread = Thread(target=self._server.run, args=([self._socket],), name="front", daemon=True)

    def __enter__(self) -> "Front":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()

    @property
    def url(self) -> str:
        """The API's address, without a slash at the end."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"


class _Api:
    """The ASGI application."""

    def __init__(self, routes: Routes, dispatch: Dispatch, seconds: float) -> None:
        self._routes = routes
        self._dispatch = dispatch
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await _send(await self._answer(scope, receive), send)

    async def _answer(self, scope: Scope, receive: Receive) -> Response:
        if _head_bytes(scope) > HEAD_LIMIT_BYTES:
            return error_response(431, "Request Header Fields Too Large")
        match = self._routes.match(scope["method"], scope["path"])
        if match is None:
            return error_response(404, "Not Found")
        body = await _body(receive)
        if body is None:
            return _TOO_LARGE
        return await self._integrate(_request(scope, body), match)

    async def _integrate(self, request: Request, match: Match) -> Response:
        event = json.dumps(event_of(request, match)).encode()
        if len(event) > PAYLOAD_LIMIT_BYTES:
            return _TOO_LARGE
        run = functools.partial(self._dispatch, match.route.function_name, event)
        outcome = None
        with anyio.move_on_after(self._seconds):
            outcome = await anyio.to_thread.run_sync(run, abandon_on_cancel=True)
        if outcome is None:
            return error_response(503, "Service Unavailable")
        try:
            return error_response(500, "Internal Server Error") if outcome.failed else response_of(outcome.payload)
        except MalformedResponse:
            return error_response(500, "Internal Server Error")


def _head_bytes(scope: Scope) -> int:
    line = len(scope["method"]) + len(scope["raw_path"]) + len(scope["query_string"])
    return line + sum(len(name) + len(value) for name, value in scope["headers"])


async def _body(receive: Receive) -> bytes | None:
    """The request's body, or nothing if it is longer than the gateway takes."""
    body, length, more = bytearray(), 0, True
    while more:
        message = await receive()
        chunk, more = message.get("body", b""), message.get("more_body", False)
        length += len(chunk)
        # Read on to the end all the same: a client still sending would not see the answer.
        if length <= BODY_LIMIT_BYTES:
            body += chunk
    return bytes(body) if length <= BODY_LIMIT_BYTES else None


def _request(scope: Scope, body: bytes) -> Request:
    client: tuple[str, int] | None = scope["client"]
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
    source_ip = client[0] if client else "127.0.0.1"
    headers += [("x-forwarded-for", source_ip), ("x-forwarded-proto", "http")]
    return Request(
        method=scope["method"],
        path=scope["path"],
        query=scope["query_string"].decode("latin-1"),
        protocol=f"HTTP/{scope['http_version']}",
        source_ip=source_ip,
        headers=headers,
        body=body,
    )


async def _send(response: Response, send: Send) -> None:
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in response.headers]
    if response.status not in (204, 304):
        headers.append((b"content-length", str(len(response.body)).encode()))
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    await send({"type": "http.response.body", "body": response.body})
