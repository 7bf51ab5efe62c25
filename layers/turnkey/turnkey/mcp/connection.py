"""Calls in a turn. A server is connected when first called, and stays connected for the invocation."""

from collections.abc import Mapping
from types import TracebackType
from typing import Protocol

import anyio
from anyio.abc import TaskGroup, TaskStatus
from mcp import Client, MCPError
from mcp.types import ListToolsResult
from mcp.types import Tool as McpTool

from turnkey.mcp.auth import BearerAuth
from turnkey.mcp.breaker import Breaker
from turnkey.mcp.registration import Registration
from turnkey.mcp.results import to_text
from turnkey.mcp.transport import Exchange, connect, unwrap, watching
from turnkey.tools import CallOutcome, JsonObject, Tool

GOODBYE_SECONDS = 2
REFUSALS = (-32600, -32601, -32602)
"""JSON-RPC errors by which a server says that it did not begin: invalid request, unknown method, invalid parameters.
Any other may come from halfway through, or from the SDK when the connection broke."""

breaker = Breaker()
"""In warm memory, by tenant and server."""


class Secrets(Protocol):
    def get(self, name: str) -> str: ...


class Servers:
    """The servers of one agent; an async context manager. One server's failure never touches another."""

    def __init__(
        self,
        tenant: str,
        registrations: Mapping[str, Registration],
        secrets: Secrets,
        *,
        seconds: float,
        parallel: int,
        allow_private: bool,
    ) -> None:
        """`seconds` bounds one call, `parallel` the calls to one server at the same time."""
        self._tenant = tenant
        self._registrations = registrations
        self._secrets = secrets
        self._seconds = seconds
        self._allow_private = allow_private
        self._slots = {name: anyio.Semaphore(parallel) for name in registrations}
        self._connecting = {name: anyio.Lock() for name in registrations}
        self._clients: dict[str, Client] = {}
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
        """Makes the call, within the time for one call. Every failure is an outcome, none is raised."""
        key = f"{self._tenant}/{tool.server}"
        if not breaker.allows(key):
            text = f"The system behind {tool.name} has not answered lately and is left alone for now. Go on without it."
            return CallOutcome(status="error", text=text)
        async with self._slots[tool.server]:
            with watching() as exchange:
                try:
                    with anyio.fail_after(self._seconds):
                        outcome = await self._call(tool, arguments)
                except Exception as error:
                    return self._failed(key, tool, error, exchange)
        breaker.succeeded(key)
        return outcome

    async def _call(self, tool: Tool, arguments: JsonObject) -> CallOutcome:
        client = await self._connected(tool.server)
        _register(client, tool)
        result = await client.call_tool(tool.original_name, arguments)
        structured = result.structured_content
        # The text repeats what is structured: not even copied then.
        content = [part.model_dump(mode="json", by_alias=True) for part in result.content] if structured is None else []
        return CallOutcome(status="error" if result.is_error else "ok", text=to_text(content, structured))

    def _failed(self, key: str, tool: Tool, error: Exception, exchange: Exchange) -> CallOutcome:
        """An answer that says no is an error; silence after the request is unknown, unless repeating it is safe."""
        cause = unwrap(error)
        if exchange.unsent is None and isinstance(cause, MCPError) and 200 <= exchange.status < 300:
            # The server is there; whatever it says, it may be asked again.
            breaker.succeeded(key)
            if cause.error.code in REFUSALS:
                return CallOutcome(status="error", text=f"{tool.name} refused the call: {cause.error.message[:300]}")
        else:
            breaker.failed(key)
            self._clients.pop(tool.server, None)
        if exchange.unsent:
            return CallOutcome(status="error", text=_explain(tool, "could not be reached", exchange.unsent, exchange))
        if 400 <= exchange.status < 500:
            return CallOutcome(status="error", text=_explain(tool, "refused the call", cause, exchange))
        text = _explain(tool, "did not answer", cause, exchange)
        if tool.hints.safe_to_repeat:
            return CallOutcome(status="error", text=f"{text} It may be tried once more.")
        return CallOutcome(status="unknown", text=text)

    async def _connected(self, server: str) -> Client:
        async with self._connecting[server]:
            if server not in self._clients:
                if self._owners is None:
                    raise RuntimeError("use Servers as an async context manager")
                self._clients[server] = await self._owners.start(self._own, server)
            return self._clients[server]

    async def _own(self, server: str, *, task_status: TaskStatus[Client]) -> None:
        """Enters and leaves one connection, in a task of its own as the SDK requires."""
        registration = self._registrations[server]
        auth = registration.auth
        token = self._secrets.get(auth.token_secret) if isinstance(auth, BearerAuth) else ""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        started = False
        try:
            async with connect(
                registration, headers, seconds=self._seconds, allow_private=self._allow_private
            ) as client:
                started = True
                task_status.started(client)
                await self._closing.wait()
        except Exception:
            # Before the start the caller is told; after it, the calls have been.
            if not started:
                raise


def _explain(tool: Tool, what: str, cause: BaseException, exchange: Exchange) -> str:
    detail = " in time" if isinstance(cause, TimeoutError) else f": {type(cause).__name__}"
    return f"The system behind {tool.name} {what}{detail}{exchange.explain()}."


def _register(client: Client, tool: Tool) -> None:
    """Gives the session the stored definition, without which it would list the server's tools behind every call.

    Without an output schema, so that a result that does not match it still arrives as it is.
    """
    definition = McpTool(name=tool.original_name, input_schema=tool.parameters)
    client.session._absorb_tool_listing(ListToolsResult(tools=[definition]), complete=False)
