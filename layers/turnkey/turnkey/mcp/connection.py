"""Calls in a turn. A server is connected when first called, and stays connected for the invocation."""

from collections.abc import Mapping
from types import TracebackType
from typing import Protocol

import anyio
from anyio.abc import TaskGroup, TaskStatus
from mcp import Client, MCPError
from mcp.types import ListToolsResult
from mcp.types import Tool as McpTool

from turnkey.mcp.registration import Registration
from turnkey.mcp.results import CallOutcome, to_text
from turnkey.mcp.transport import Exchange, connect, unwrap
from turnkey.tools import JsonObject, Tool

GOODBYE_SECONDS = 2
REFUSALS = (-32600, -32601, -32602)
"""JSON-RPC errors by which a server says that it did not begin: invalid request, unknown method, invalid parameters.
Any other may come from halfway through, or from the SDK when the connection broke."""


class Secrets(Protocol):
    def get(self, name: str) -> str: ...


class Servers:
    """The servers of one agent; an async context manager. One server's failure never touches another."""

    def __init__(
        self, registrations: Mapping[str, Registration], secrets: Secrets, *, seconds: float, allow_private: bool
    ) -> None:
        self._registrations = registrations
        self._secrets = secrets
        self._seconds = seconds
        self._allow_private = allow_private
        self._clients: dict[str, Client] = {}
        self._exchanges = {name: Exchange() for name in registrations}
        self._closing = anyio.Event()
        self._owners: TaskGroup | None = None

    async def __aenter__(self) -> "Servers":
        self._owners = await anyio.create_task_group().__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        if self._owners is not None:
            # A server that does not say goodbye must not hold up the turn.
            self._owners.cancel_scope.deadline = anyio.current_time() + GOODBYE_SECONDS
            await self._owners.__aexit__(None, None, None)

    async def call(self, tool: Tool, arguments: JsonObject) -> CallOutcome:
        """Makes the call, within the agent's time for one call. Every failure is an outcome, none is raised."""
        self._exchanges[tool.server].begin()
        try:
            with anyio.fail_after(self._seconds):
                client = await self._connected(tool.server)
        except Exception as error:
            return CallOutcome(status="error", text=self._explain(tool, "could not be reached", error))
        try:
            with anyio.fail_after(self._seconds):
                _register(client, tool)
                result = await client.call_tool(tool.original_name, arguments)
        except Exception as error:
            self._clients.pop(tool.server, None)
            return self._failed(tool, error)
        content = [part.model_dump(mode="json", by_alias=True) for part in result.content]
        return CallOutcome(
            status="error" if result.is_error else "ok", text=to_text(content, result.structured_content)
        )

    def _failed(self, tool: Tool, error: Exception) -> CallOutcome:
        """An answer that says no is an error; silence after the request is unknown, unless repeating it is safe."""
        exchange = self._exchanges[tool.server]
        if exchange.unsent:
            return CallOutcome(status="error", text=self._explain(tool, "could not be reached", exchange.unsent))
        cause = unwrap(error)
        if isinstance(cause, MCPError) and cause.error.code in REFUSALS and 200 <= exchange.status < 300:
            return CallOutcome(status="error", text=f"{tool.name} refused the call: {cause.error.message[:300]}")
        if 400 <= exchange.status < 500:
            return CallOutcome(status="error", text=self._explain(tool, "refused the call", error))
        text = self._explain(tool, "did not answer", error)
        return CallOutcome(status="error" if tool.hints.safe_to_repeat else "unknown", text=text)

    async def _connected(self, server: str) -> Client:
        if server not in self._clients:
            if self._owners is None:
                raise RuntimeError("use Servers as an async context manager")
            self._clients[server] = await self._owners.start(self._own, server)
        return self._clients[server]

    async def _own(self, server: str, *, task_status: TaskStatus[Client]) -> None:
        """Enters and leaves one connection, in a task of its own as the SDK requires."""
        registration = self._registrations[server]
        token = self._secrets.get(registration.token_secret) if registration.token_secret else ""
        started = False
        try:
            async with connect(
                registration,
                {"authorization": f"Bearer {token}"} if token else {},
                seconds=self._seconds,
                allow_private=self._allow_private,
                exchange=self._exchanges[server],
            ) as client:
                started = True
                task_status.started(client)
                await self._closing.wait()
        except Exception:
            # Before the start the caller is told; after it, the calls have been.
            if not started:
                raise

    def _explain(self, tool: Tool, what: str, error: Exception) -> str:
        cause = unwrap(error)
        detail = " in time" if isinstance(cause, TimeoutError) else f": {type(cause).__name__}"
        return f"The system behind {tool.name} {what}{detail}{self._exchanges[tool.server].explain()}"


def _register(client: Client, tool: Tool) -> None:
    """Gives the session the stored definition, without which it would list the server's tools behind every call.

    Without an output schema, so that a result that does not match it still arrives as it is.
    """
    definition = McpTool(name=tool.original_name, input_schema=tool.parameters)
    client.session._absorb_tool_listing(ListToolsResult(tools=[definition]), complete=True)
