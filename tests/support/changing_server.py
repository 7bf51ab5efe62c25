"""A real MCP server whose tools, and whose mood, a test changes while it runs.

with ChangingServer([tool("search", "Finds books.")]) as server:
    server.address                      # register this
    server.tools[0] = tool("search", "Finds books, and more.")
    server.status = 503                 # every request from now on
"""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Self

import uvicorn
from mcp import MCPError
from mcp.server.lowlevel.server import Server
from mcp.types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent, Tool, ToolAnnotations

INVALID_PARAMS = -32602
_Receive = Callable[[], Awaitable[Any]]


def tool(name: str, description: str = "", *, read_only: bool = True, **properties: Any) -> Tool:
    """A tool with these argument properties (JSON schemas by name)."""
    return Tool(
        name=name,
        description=description or f"Does {name}.",
        input_schema={"type": "object", "properties": properties},
        annotations=ToolAnnotations(read_only_hint=read_only),
    )


class ChangingServer:
    """`tools` are listed as they are now, and only they can be called; `calls` has the names called. `status` other than
    0 answers every request, `seconds` passes before a list of tools, `page` is how many of them a page has."""

    def __init__(self, tools: Sequence[Tool], *, token: str = "") -> None:
        """With `token` it wants that bearer token."""
        self.tools = list(tools)
        self.token = token
        self.status = 0
        self.seconds = 0.0
        self.endless = False
        self.calls: list[str] = []
        self.lists = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        mcp: Server[Any] = Server("changing", on_list_tools=self._list, on_call_tool=self._call)
        self._app = mcp.streamable_http_app(stateless_http=True, json_response=True)
        self._server = uvicorn.Server(uvicorn.Config(self, log_level="critical", timeout_graceful_shutdown=1))
        self._thread = threading.Thread(target=self._server.run, args=([self._listener],), daemon=True)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}/mcp"

    def __enter__(self) -> Self:
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(10)

    async def __call__(self, scope: dict[str, Any], receive: _Receive, send: Callable[[Any], Awaitable[None]]) -> None:
        """The ASGI application: the mood first, then MCP."""
        headers = dict(scope.get("headers", ()))
        wanted = f"Bearer {self.token}".encode() if self.token else headers.get(b"authorization")
        status = self.status or (0 if headers.get(b"authorization") == wanted else 401)
        if scope["type"] != "http" or not status:
            return await self._app(scope, receive, send)
        await send({"type": "http.response.start", "status": status, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})

    async def _list(self, _context: Any, _params: Any) -> ListToolsResult:
        self.lists += 1
        await asyncio.sleep(self.seconds)
        return ListToolsResult(tools=list(self.tools), next_cursor="again" if self.endless else None)

    async def _call(self, _context: Any, params: CallToolRequestParams) -> CallToolResult:
        self.calls.append(params.name)
        if params.name not in [tool.name for tool in self.tools]:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {params.name}")
        return CallToolResult(content=[TextContent(type="text", text=f"{params.name} done")])
