"""A proxy in front of an MCP server that asks for credentials, and repeats whatever it was sent where it fails."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler
from typing import Any

import httpx2

from tests.support.serving import Server, send

_PASSED_ON = ("content-type", "accept", "mcp-session-id", "mcp-protocol-version", "mcp-method", "mcp-name")
FAULTS = ("told", "refused", "error", "401", "403", "429", "500", "nonsense", "hang up")
"""What may happen to a call: a result that repeats the credentials, an error that does, statuses whose bodies do, an
answer that is no JSON and does, and an answer that breaks off."""


class Door(Server):
    """knows: whether these headers may come in. faults: of the next tool calls, one each; then all is well."""

    def __init__(self, target: str, knows: Callable[[dict[str, str]], bool]) -> None:
        super().__init__()
        self._target = target
        self._knows = knows
        self.faults: list[str] = []
        self.called = 0
        self.let_in = 0

    @property
    def address(self) -> str:
        return self.url("/mcp")

    def fail(self, faults: Sequence[str]) -> None:
        self.faults = list(faults)

    def handle(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        headers = {name.lower(): value for name, value in request.headers.items()}
        if not self._knows(headers):
            return send(request, 401, _repeated(headers), {"www-authenticate": f"Bearer {_repeated(headers)!r}"})
        self.let_in += 1
        message: dict[str, Any] = json.loads(body) if body else {}
        if message.get("method") == "tools/call":
            self.called += 1
            fault = self.faults.pop(0) if self.faults else ""
            if fault:
                return _fail(request, fault, message, headers)
        passed_on = {name: value for name, value in headers.items() if name in _PASSED_ON}
        answer = httpx2.request(request.command, self._target, content=body, headers=passed_on, timeout=30)
        kept = {name: value for name, value in answer.headers.items() if name in ("content-type", "mcp-session-id")}
        send(request, answer.status_code, answer.content, kept)


def _fail(request: BaseHTTPRequestHandler, fault: str, message: dict[str, Any], headers: dict[str, str]) -> None:
    said = _repeated(headers)
    if fault == "hang up":
        request.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n" + said)
        request.close_connection = True
    elif fault == "nonsense":
        send(request, 200, b"{" + said, {"content-type": "application/json"})
    elif fault.isdigit():
        send(request, int(fault), said, {"content-type": "text/plain", "x-said": repr(said)})
    else:
        text = {"content": [{"type": "text", "text": said.decode()}], "isError": False}
        error = {"code": -32602 if fault == "refused" else -32000, "message": said.decode()}
        told = {"result": text} if fault == "told" else {"error": error}
        answer = json.dumps({"jsonrpc": "2.0", "id": message["id"], **told})
        send(request, 200, answer.encode(), {"content-type": "application/json"})


def _repeated(headers: dict[str, str]) -> bytes:
    """As some servers say what is wrong with a request: all of it."""
    return " ".join(f"{name}: {value}" for name, value in headers.items()).encode()
