"""An MCP server in a thread that does everything right but what a test has it do wrong.

    with FaultyServer({"tools/call": hang}) as server:
        server.url("/mcp")
        server.asked        # ["server/discover", "tools/list", …]

Modern and stateless unless `legacy`: then it gives out a session with the handshake and wants it back. `sse` is the old
transport with a stream of its own, at /sse.
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler
from queue import SimpleQueue
from typing import Any

from tests.support.serving import Server, send

Json = dict[str, Any]
Fault = Callable[[BaseHTTPRequestHandler, Json], bool]
"""Answers the request, or says False: then it is answered as it should be."""

HANG_SECONDS = 30.0
TOOL: Json = {
    "name": "look",
    "description": "Looks.",
    "inputSchema": {"type": "object", "properties": {"at": {"type": "string"}}},
    "annotations": {"readOnlyHint": True},
}
DONE: Json = {"content": [{"type": "text", "text": "done"}]}


class FaultyServer(Server):
    """`faults` by JSON-RPC method; "*" is for any. `result` is of every good call."""

    def __init__(
        self,
        faults: Mapping[str, Fault] | None = None,
        *,
        tools: Sequence[Any] = (TOOL,),
        result: Json = DONE,
        legacy: bool = False,
        protocol: str = "2025-06-18",
        faulty_stream: Fault | None = None,
    ) -> None:
        super().__init__()
        self._faults = dict(faults or {})
        self._tools = list(tools)
        self._result = result
        self._legacy = legacy
        self._protocol = protocol
        self._faulty_stream = faulty_stream
        self._streams: list[SimpleQueue[str | None]] = []
        self.session = 1
        self.asked: list[str] = []
        self.requests: list[str] = []

    @property
    def calls(self) -> int:
        return self.asked.count("tools/call")

    def handle(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        self.requests.append(f"{request.command} {request.path}")
        if request.command == "GET":
            return self._stream(request) if request.path == "/sse" else send(request, 405, b"", {})
        if request.command == "DELETE":
            return send(request, 200, b"", {})
        message: Json = json.loads(body) if body else {}
        method = str(message.get("method", ""))
        self.asked.append(method)
        fault = self._faults.get(method) or self._faults.get("*")
        if fault and fault(request, message):
            return
        if request.path.startswith("/messages/"):
            send(request, 202, b"", {})
            if "id" in message:
                self._streams[int(request.path.rpartition("/")[2])].put(json.dumps(self._answer(message)))
        elif "id" not in message:
            send(request, 202, b"", {})
        elif self._legacy and method != "initialize" and request.headers["mcp-session-id"] != f"s{self.session}":
            send(request, 404, b"", {})
        else:
            headers = {"mcp-session-id": f"s{self.session}"} if self._legacy else {}
            send_json(request, self._answer(message), headers)

    def _stream(self, request: BaseHTTPRequestHandler) -> None:
        if self._faulty_stream and self._faulty_stream(request, {}):
            return
        messages: SimpleQueue[str | None] = SimpleQueue()
        self._streams.append(messages)
        open_stream(request)
        event(request, "endpoint", f"/messages/{len(self._streams) - 1}")
        while (message := messages.get(timeout=HANG_SECONDS)) is not None:
            event(request, "message", message)

    def say(self, data: str) -> None:
        """On every stream, unasked."""
        for messages in self._streams:
            messages.put(data)

    def hang_up(self) -> None:
        """Ends every stream."""
        for messages in self._streams:
            messages.put(None)

    def _answer(self, message: Json) -> Json:
        match message["method"]:
            case "server/discover" if not self._legacy and message["params"].get("_meta"):
                return result(message, {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, **_CACHE})
            case "initialize":
                about = {"name": "faulty", "version": "1"}
                shaken = {"protocolVersion": self._protocol, "capabilities": {"tools": {}}, "serverInfo": about}
                return result(message, shaken)
            case "tools/list":
                return result(message, {"tools": self._tools, **_CACHE})
            case "tools/call":
                return result(message, {**self._result, "resultType": "complete"})
            case _:
                return error(message, -32601, "Method not found")


_CACHE: Json = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


def result(message: Json, value: Any) -> Json:
    return {"jsonrpc": "2.0", "id": message.get("id"), "result": value}


def error(message: Json, code: int, text: str) -> Json:
    return {"jsonrpc": "2.0", "id": message.get("id"), "error": {"code": code, "message": text}}


def send_json(request: BaseHTTPRequestHandler, value: Any, headers: Mapping[str, str] | None = None) -> None:
    send(request, 200, json.dumps(value).encode(), {"content-type": "application/json", **(headers or {})})


def open_stream(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.send_header("content-type", "text/event-stream")
    request.send_header("connection", "close")
    request.end_headers()
    request.close_connection = True


def event(request: BaseHTTPRequestHandler, name: str, data: str) -> None:
    request.wfile.write(f"event: {name}\ndata: {data}\n\n".encode())
    request.wfile.flush()


def status(code: int, **headers: str) -> Fault:
    """Answers with this status and nothing else. Header names have underscores for hyphens."""

    def fault(request: BaseHTTPRequestHandler, message: Json) -> bool:
        send(request, code, b"", {name.replace("_", "-"): value for name, value in headers.items()})
        return True

    return fault


def body(content: bytes, content_type: str = "application/json", **headers: str) -> Fault:
    """Answers 200 with this body."""
    return lambda request, message: bool(
        send(
            request,
            200,
            content,
            {"content-type": content_type, **{name.replace("_", "-"): value for name, value in headers.items()}},
        )
        or True
    )


def answering(make: Callable[[Json], Json]) -> Fault:
    """Answers with this JSON-RPC message."""

    def fault(request: BaseHTTPRequestHandler, message: Json) -> bool:
        send_json(request, make(message))
        return True

    return fault


def once(fault: Fault) -> Fault:
    """The fault for the first request alone."""
    left = [fault]
    return lambda request, message: bool(left) and left.pop()(request, message)


def hang(request: BaseHTTPRequestHandler, message: Json) -> bool:
    """Says nothing, until the client goes away."""
    request.connection.settimeout(HANG_SECONDS)
    try:
        while request.connection.recv(1024):
            pass
    except OSError:
        pass
    request.close_connection = True
    return True


def die(request: BaseHTTPRequestHandler, message: Json) -> bool:
    """Breaks off in the middle of its answer."""
    request.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n{")
    request.close_connection = True
    return True


def drip(request: BaseHTTPRequestHandler, message: Json) -> bool:
    """Goes on for ever, a byte at a time."""
    request.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9999999\r\n\r\n")
    for _ in range(int(HANG_SECONDS * 20)):
        request.wfile.write(b" ")
        request.wfile.flush()
        time.sleep(0.05)
    request.close_connection = True
    return True


def endless(request: BaseHTTPRequestHandler, message: Json) -> bool:
    """Another page, whatever the cursor; each with a tool of its own."""
    number = int(message["params"].get("cursor", 0))
    page = {"tools": [{**TOOL, "name": f"look{number}"}], "nextCursor": str(number + 1)}
    send_json(request, result(message, page))
    return True


def circling(request: BaseHTTPRequestHandler, message: Json) -> bool:
    """Two pages that lead to each other."""
    here = message["params"].get("cursor", "a")
    page = {"tools": [{**TOOL, "name": f"look_{here}"}], "nextCursor": "b" if here == "a" else "a"}
    send_json(request, result(message, page))
    return True


def bomb(size: int) -> Fault:
    """A small body that unpacks to `size` bytes."""
    return body(gzip.compress(bytes(size)), content_encoding="gzip")


def nested(depth: int) -> Fault:
    """A result that is lists in lists."""

    def fault(request: BaseHTTPRequestHandler, message: Json) -> bool:
        head = f'{{"jsonrpc":"2.0","id":{json.dumps(message.get("id"))},"result":{{"tools":'
        content = f'{head}{"[" * depth}{"]" * depth},"content":[]}}}}'
        send(request, 200, content.encode(), {"content-type": "application/json"})
        return True

    return fault


def stream_without_endpoint(request: BaseHTTPRequestHandler, message: Json) -> bool:
    open_stream(request)
    event(request, "message", "{}")
    return hang(request, message)


def stream_to_elsewhere(request: BaseHTTPRequestHandler, message: Json) -> bool:
    open_stream(request)
    event(request, "endpoint", "http://127.0.0.1:9/messages")
    return hang(request, message)
