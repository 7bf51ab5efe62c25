"""A proxy in front of an MCP server that keeps count of what passes."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler
from typing import Any

import httpx2

from tests.support.serving import Server, send

_PASSED_ON = (
    "content-type",
    "accept",
    "mcp-session-id",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
    "authorization",
)


class CountingProxy(Server):
    """`requests` has "POST tools/call" and the like, in order; `headers` each one's headers."""

    def __init__(self, target: str) -> None:
        super().__init__()
        self._target = target
        self.requests: list[str] = []
        self.headers: list[dict[str, str]] = []

    @property
    def address(self) -> str:
        return self.url("/mcp")

    def handle(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        content: dict[str, Any] = json.loads(body) if body else {}
        self.requests.append(f"{request.command} {content.get('method', '')}".strip())
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.headers.append(headers)
        passed_on = {name: value for name, value in headers.items() if name in _PASSED_ON}
        answer = httpx2.request(request.command, self._target, content=body, headers=passed_on, timeout=30)
        kept = {name: value for name, value in answer.headers.items() if name in ("content-type", "mcp-session-id")}
        send(request, answer.status_code, answer.content, kept)
