"""What the MCP servers of the demo tenants share: honest hints, forgiven nulls, counted runs, and serving.

Streamable HTTP at /mcp, stateless, JSON answers. GET /health tells how often each tool has run, as
{"calls": {"search_books": 2, ...}}, so that a demo can prove that an answer came from there. POST /reset forgets what
was done since the start, so that a measurement begins anew.
"""

import argparse
import contextlib
import inspect
import socket
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import BeforeValidator
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse

READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
ADDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
REMOVES = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)


def or_default(default: object) -> BeforeValidator:
    """For an argument that has a default: null means it."""
    # Small models write null for "no filter". The published schema stays a plain type: some providers refuse anyOf.
    # It must come after Field in Annotated: before it, pydantic publishes "ge" where JSON Schema says "minimum".
    return BeforeValidator(lambda given: default if given is None else given)


class CountingDesk:
    """A base for a tenant's tools. `calls` counts the runs of each tool, refusals included."""

    def __init__(self, refusal: type[Exception]) -> None:
        """`refusal` is what the tenant's rules raise when they cannot do what was asked."""
        self._refusal = refusal
        self.calls: Counter[str] = Counter()

    def renew(self) -> None:
        """Forgets what was done since the start."""
        raise NotImplementedError

    @contextlib.contextmanager
    def _run(self, tool: str) -> Generator[None, None, None]:
        self.calls[tool] += 1
        try:
            yield
        except self._refusal as refused:
            raise ToolError(str(refused)) from refused


@dataclass(frozen=True)
class Offered:
    """A tool as the server lists it; its docstring is the description."""

    run: Callable[..., Awaitable[Any]]
    title: str
    annotations: ToolAnnotations


def create_server(name: str, instructions: str, desk: CountingDesk, tools: Iterable[Offered]) -> MCPServer:
    """The MCP server `name` with these tools of `desk`; nothing listens yet."""
    server = MCPServer(
        name,
        title=name.capitalize(),
        version="1.0.0",
        instructions=instructions,
        log_level="WARNING",
        subscriptions=False,
    )
    for tool in tools:
        # One line: the line breaks of a docstring are the source's, and its indentation too before Python 3.13.
        description = " ".join((inspect.getdoc(tool.run) or "").split())
        server.add_tool(tool.run, title=tool.title, description=description, annotations=tool.annotations)

    @server.custom_route("/health", methods=["GET"])
    async def health(_request: Request) -> JSONResponse:
        return JSONResponse({"calls": dict(desk.calls)})

    @server.custom_route("/reset", methods=["POST"])
    async def reset(_request: Request) -> JSONResponse:
        desk.renew()
        return JSONResponse({})

    return server


def create_app(server: MCPServer, host: str) -> Starlette:
    """The ASGI app: /mcp and /health. On a loopback `host` it refuses any other Host header (DNS rebinding)."""
    return server.streamable_http_app(json_response=True, stateless_http=True, host=host)


class _Announcing(uvicorn.Server):
    """Says on stdout where it listens, once it accepts connections."""

    def __init__(self, config: uvicorn.Config, line: str) -> None:
        super().__init__(config)
        self._line = line

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            print(self._line, flush=True)


def command_line(name: str, description: str, port: int) -> argparse.ArgumentParser:
    """A parser with --host and --port, `port` being the default."""
    parser = argparse.ArgumentParser(prog=name, description=description)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=port, help="port, 0 for a free one (default: %(default)s)")
    return parser


def serve(server: MCPServer, host: str, port: int) -> int:
    """Serves until SIGINT or SIGTERM, port 0 being a free one. Returns the exit status: 1 if the port is taken."""
    try:
        _serve(server, host, port)
    except OSError as taken:
        print(f"{server.name}: cannot listen on {host}:{port}: {taken.strerror}", file=sys.stderr)
        return 1
    return 0


def _serve(server: MCPServer, host: str, port: int) -> None:
    with socket.create_server((host, port)) as listener:
        url = f"http://{host}:{listener.getsockname()[1]}/mcp"
        app = create_app(server, host)
        config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=2)
        with contextlib.suppress(KeyboardInterrupt):
            _Announcing(config, f"{server.name}: listening on {url}").run(sockets=[listener])
