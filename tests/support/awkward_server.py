"""A real MCP server whose tools are awkward: large, slow, many, acting. python -m tests.support.awkward_server

Prints one line with its address when it takes connections. GET /counts tells how often each tool ran, and how many ran at
the same time at most.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections import Counter

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, destructive_hint=False)
server = MCPServer("awkward")
ran: Counter[str] = Counter()
running = 0
most = 0


@server.tool(annotations=READS)
async def rows(count: int) -> str:
    """Rows of a table."""
    ran["rows"] += 1
    return json.dumps({"rows": [{"id": n, "name": f"row number {n}", "price": n * 1.5} for n in range(count)]})


@server.tool(annotations=READS)
async def characters(count: int) -> str:
    """So many characters."""
    ran["characters"] += 1
    return "word " * (count // 5)


@server.tool(annotations=READS, structured_output=False)
async def plain_characters(count: int) -> str:
    """So many characters, sent once."""
    ran["plain_characters"] += 1
    return "word " * (count // 5)


@server.tool(annotations=READS)
async def wait(seconds: float, name: str) -> str:
    """Waits, then says its name."""
    global running, most
    ran["wait"] += 1
    running += 1
    most = max(most, running)
    try:
        await asyncio.sleep(seconds)
    finally:
        running -= 1
    return f"{name} waited"


@server.tool()
async def act(name: str) -> str:
    """Does something."""
    ran["act"] += 1
    order.append(name)
    return f"{name} done"


order: list[str] = []


@server.custom_route("/counts", methods=["GET"])
async def counts(_: Request) -> Response:
    return JSONResponse({"ran": dict(ran), "most": most, "order": order})


def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    app = server.streamable_http_app(stateless_http=True, json_response=True)
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listener])


if __name__ == "__main__":
    main()
