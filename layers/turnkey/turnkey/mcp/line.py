"""One open connection to a server: asking it for plain data. The SDK's own reading of answers is too strict to use: one
tool that it does not like loses the list, one field that it does not like loses the result."""

from collections.abc import Callable
from typing import Any

import anyio
from mcp import Client
from mcp.types import ListToolsResult
from mcp.types import Tool as McpTool

from turnkey.mcp.registration import ToolDefinition
from turnkey.tools import JsonObject


class LineLost(Exception):
    """The connection will give no answer any more. Its cause, where one is known, is what broke it."""


class Line:
    """Belongs to the task that opened it; any task may ask."""

    def __init__(self, on_lost: Callable[[], None]) -> None:
        """`on_lost` is called where the connection is lost before it is open."""
        self._on_lost = on_lost
        self._client: Client | None = None
        self._lost = anyio.Event()
        self._cause: Exception | None = None
        self.secrets: set[str] = set()
        """Values that must not be repeated."""

    def opened(self, client: Client) -> None:
        self._client = client

    @property
    def client(self) -> Client:
        if self._client is None:
            raise RuntimeError("the connection is not open yet")
        return self._client

    @property
    def discovered(self) -> dict[str, Any] | None:
        """What a modern server said of itself."""
        found = self.client.session.discover_result
        return found.model_dump(mode="json", by_alias=True, exclude_none=True) if found else None

    @property
    def initialized(self) -> dict[str, Any] | None:
        """What another said of itself when hands were shaken."""
        found = self.client.session.initialize_result
        return found.model_dump(mode="json", by_alias=True, exclude_none=True) if found else None

    @property
    def lost(self) -> bool:
        return self._lost.is_set()

    def lose(self, cause: Exception | None = None) -> None:
        """Lets whoever waits for an answer go on without it."""
        self._cause = self._cause or cause
        self._lost.set()
        if self._client is None:
            self._on_lost()

    async def heard(self, message: Any) -> None:
        """Takes what a server says unasked. The SDK also reports here what it could not read, and asks no further."""
        if isinstance(message, Exception):
            self.lose()

    def register(self, tool: ToolDefinition) -> None:
        """Gives the session the stored definition: some arguments travel as headers, too."""
        definition = McpTool(name=tool.name, input_schema=tool.input_schema)
        self.client.session._absorb_tool_listing(ListToolsResult(tools=[definition]), complete=False)  # pyright: ignore[reportPrivateUsage]

    async def ask(self, method: str, params: JsonObject, seconds: float) -> JsonObject:
        """The result as it came. Raises TimeoutError, LineLost, MCPError for the server's no and for no answer."""
        try:
            with anyio.fail_after(seconds):
                answer = await self._answer(method, params)
        except Exception:
            if self._cause is None:
                raise
            raise LineLost("the connection broke off") from self._cause
        if answer is None:
            raise LineLost("the connection broke off") from self._cause
        return answer

    async def _answer(self, method: str, params: JsonObject) -> JsonObject | None:
        """None where the connection is lost first."""
        session: Any = self.client.session
        data: JsonObject = {"method": method, "params": params}
        options: JsonObject = {}
        session._stamp(data, options)
        answer: JsonObject | None = None
        async with anyio.create_task_group() as tasks:

            async def give_up() -> None:
                await self._lost.wait()
                tasks.cancel_scope.cancel()

            tasks.start_soon(give_up)
            answer = await session._dispatcher.send_raw_request(method, data["params"], options)
            tasks.cancel_scope.cancel()
        return answer
