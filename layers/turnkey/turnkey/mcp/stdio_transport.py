"""The SDK's streams for a stdio server that runs in a function of its own: each request is one invocation.

The server's process lives for one invocation, so what an old server wants to hear first, the handshake, is said again
before each request; and what it answered when it was registered is answered from memory.
"""

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from contextvars import copy_context
from typing import Any

import anyio
from anyio.to_thread import run_sync
from mcp.client._transport import TransportStreams
from mcp.shared._context_streams import create_context_streams
from mcp.shared.message import SessionMessage
from mcp.types import (
    INTERNAL_ERROR,
    METHOD_NOT_FOUND,
    ErrorData,
    JSONRPCError,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from turnkey.errors import InvocationFailed
from turnkey.mcp import stdio_catalogue
from turnkey.mcp.failures import Failure, FailureKind
from turnkey.mcp.registration import Registration
from turnkey.mcp.watching import Exchange, watched
from turnkey.stdio import THE_TASK
from turnkey.store.acting import tenant_acted_for
from turnkey.store.invoking import FunctionStore
from turnkey.tools import JsonObject

Invoke = Callable[[str, bytes], bytes]
"""See turnkey.store.invoking.FunctionStore.invoke."""

DISCOVER_SHARE = 0.5
"""Of the time to connect. Some old servers say nothing at all to a question before the handshake."""
LONGEST_SECONDS = 120.0
_INVOCATION: dict[str, FailureKind] = {
    "ResourceNotFoundException": "UnknownServer",
    "TooManyRequestsException": "RateLimited",
    "RequestEntityTooLargeException": "TooLarge",
    "RequestTooLargeException": "TooLarge",
    "Function.ResponseSizeTooLarge": "TooLarge",
    "Sandbox.Timedout": "TimedOut",
    "ReadTimeoutError": "TimedOut",
}
"""By Lambda's names and botocore's; any other is the function's own trouble."""
_NOT_RUN = ("ResourceNotFoundException", "TooManyRequestsException", "RequestEntityTooLargeException", "AccessDenied")


@asynccontextmanager
async def stdio_streams(
    registration: Registration, settings: dict[str, str], invoke: Invoke | None = None
) -> AsyncGenerator[TransportStreams]:
    """Raises ServerFailed for a server that the operator's catalogue has not, TenantMisconfigured for its settings."""
    catalogue = stdio_catalogue.from_environment()
    stdio_catalogue.check(registration.catalogue, settings, catalogue)
    function = stdio_catalogue.entry(catalogue, registration.catalogue).function
    process = _Process(registration, settings, function, invoke or FunctionStore().invoke)
    answers, read_stream = create_context_streams[SessionMessage | Exception](0)
    write_stream, written = create_context_streams[SessionMessage](0)

    async def answer(message: JSONRPCRequest) -> None:
        await answers.send(SessionMessage(await process.answer(message)))

    async def carry() -> None:
        async with written, answers:
            async for sent in written:
                if isinstance(sent.message, JSONRPCRequest):
                    # In the asker's context, whose exchange is watched.
                    (written.last_context or copy_context()).run(tasks.start_soon, answer, sent.message)

    async with read_stream, write_stream, anyio.create_task_group() as tasks:
        tasks.start_soon(carry)
        yield read_stream, write_stream
        tasks.cancel_scope.cancel()


class _Process:
    """The server as the SDK sees it: one that remembers."""

    def __init__(self, registration: Registration, settings: dict[str, str], function: str, invoke: Invoke) -> None:
        self._registration = registration
        self._settings = settings
        self._function = function
        self._invoke = invoke
        self._handshake: list[JsonObject] = []

    async def answer(self, request: JSONRPCRequest) -> JSONRPCResponse | JSONRPCError:
        message = request.model_dump(by_alias=True, mode="json", exclude_unset=True)
        if request.method == "initialize":
            initialized = {"jsonrpc": "2.0", "method": "notifications/initialized"}
            # An id of its own, so that its answer is never taken for another's.
            self._handshake = [message | {"id": "handshake"}, initialized]
            if self._registration.mode == "legacy" and self._registration.discovered:
                return JSONRPCResponse(jsonrpc="2.0", id=request.id, result=self._registration.discovered)
            return await self._ask(request, [message])
        before = [] if request.method == "server/discover" else self._handshake
        # The task dies with the process, so its result is waited for at once.
        after = [{"jsonrpc": "2.0", "id": "task", "method": "tasks/result", "params": THE_TASK}]
        is_task = "task" in (request.params or {})
        found = await self._ask(request, [*before, message, *(after if is_task else [])])
        if request.method == "server/discover" and isinstance(found, JSONRPCError):
            # Silence and death are an old server's ways of not knowing the question.
            return _error(request, METHOD_NOT_FOUND, "Not Found")
        return found

    async def _ask(self, request: JSONRPCRequest, messages: list[JsonObject]) -> JSONRPCResponse | JSONRPCError:
        exchange = watched()
        event = {
            "tenant": tenant_acted_for(),
            "settings": self._settings,
            "messages": messages,
            "seconds": self._seconds(request.method),
        }
        payload = json.dumps(event, ensure_ascii=False).encode()
        try:
            answer: Any = json.loads(await run_sync(self._invoke, self._function, payload, abandon_on_cancel=True))
        except InvocationFailed as error:
            exchange.failure = self._invocation_failed(error)
            exchange.unsent = error.code.startswith(_NOT_RUN)
            return _error(request, INTERNAL_ERROR, exchange.failure.message)
        return self._read(request, answer, exchange)

    def _read(self, request: JSONRPCRequest, answer: Any, exchange: Exchange) -> JSONRPCResponse | JSONRPCError:
        """The last of the answers is the one to `request`."""
        if failure := answer.get("failure"):
            message = f"{self._registration.place} {failure['message']}"
            exchange.failure = Failure(kind=failure["kind"], message=message)
            exchange.unsent = not failure["begun"]
            return _error(request, INTERNAL_ERROR, message)
        last: JsonObject = {**answer["messages"][-1], "id": request.id}
        with suppress(ValidationError):
            found = jsonrpc_message_adapter.validate_python(last, by_name=False)
            if isinstance(found, (JSONRPCResponse, JSONRPCError)):
                # What an earlier question met is over.
                exchange.failure, exchange.unsent = None, False
                return found
        place = self._registration.place
        exchange.failure = Failure(kind="InvalidAnswer", message=f"{place} gave an answer that is no MCP")
        return _error(request, INTERNAL_ERROR, exchange.failure.message)

    def _invocation_failed(self, error: InvocationFailed) -> Failure:
        kind = _INVOCATION.get(error.code, "ServerError")
        return Failure(kind=kind, message=f"{self._registration.place}: {error}")

    def _seconds(self, method: str) -> float:
        """How long the server may take; whoever asked waits no longer either."""
        timeouts = self._registration.timeouts
        if method in ("server/discover", "initialize"):
            return timeouts.connect * (DISCOVER_SHARE if method == "server/discover" else 1)
        return timeouts.list if method == "tools/list" else timeouts.call or LONGEST_SECONDS


def _error(request: JSONRPCRequest, code: int, message: str) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=request.id, error=ErrorData(code=code, message=message))
