"""Calls in a turn. A server is connected when first called, and stays connected for the invocation."""

from collections.abc import Callable, Mapping
from functools import partial
from types import TracebackType
from typing import Any, cast

import anyio
from anyio.abc import TaskGroup, TaskStatus

from turnkey.mcp import outcomes
from turnkey.mcp.access import open_access
from turnkey.mcp.breaker import Breaker
from turnkey.mcp.diagnosis import diagnose, hide, is_gone, own_words
from turnkey.mcp.failures import Failure, FailureKind
from turnkey.mcp.line import Line
from turnkey.mcp.registration import Registration, ToolDefinition
from turnkey.mcp.snapshot import place
from turnkey.mcp.transport import connect
from turnkey.mcp.vault import Vault
from turnkey.mcp.watching import Exchange, note_refused, watching
from turnkey.tools import CallOutcome, JsonObject, Tool

GOODBYE_SECONDS = 2
_THERE = frozenset[FailureKind](["Refused", "ToolGone", "TooLarge"])
"""Failures of a server that is there and may be asked again at once."""
_STILL_OPEN = _THERE | {"RateLimited"}

breaker = Breaker()
"""In warm memory, by tenant and server."""

OnGone = Callable[[str], None]


class _CallFailed(Exception):
    """`begun`: the server may have begun. `words` are its own."""

    def __init__(self, failure: Failure, words: str, *, begun: bool) -> None:
        super().__init__(failure.message)
        self.failure = failure
        self.words = words
        self.begun = begun


class Servers:
    """The servers of one agent; an async context manager. One server's failure never touches another."""

    def __init__(
        self,
        vault: Vault,
        registrations: Mapping[str, Registration],
        *,
        seconds: float,
        parallel: int,
        allow_private: bool,
        on_gone: OnGone | None = None,
    ) -> None:
        """`seconds` bounds one call, connecting included, where the server's registration does not; `parallel` the
        calls to one server at the same time. `on_gone` is told, once, the name of a server that no longer has a tool
        or has another under its name: its tools should be listed anew."""
        self._vault = vault
        self._registrations = {name: _bounded(server, seconds) for name, server in registrations.items()}
        self._allow_private = allow_private
        self._on_gone = on_gone
        self._gone: set[str] = set()
        self._slots = {name: anyio.Semaphore(parallel) for name in registrations}
        self._connecting = {name: anyio.Lock() for name in registrations}
        self._lines: dict[str, Line] = {}
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
        key = f"{self._vault.tenant}/{tool.server}"
        if not breaker.allows(key):
            return outcomes.left_alone(tool)
        async with self._slots[tool.server]:
            try:
                outcome = await self._call(tool, arguments)
            except _CallFailed as failed:
                outcome = outcomes.failed(tool, failed.failure, failed.words, begun=failed.begun)
                if failed.failure.kind not in _THERE:
                    breaker.failed(key)
                    return outcome
        breaker.succeeded(key)
        if outcome.error == "ToolGone":
            self._tell_gone(tool.server)
        return outcome

    async def _call(self, tool: Tool, arguments: JsonObject) -> CallOutcome:
        deadline = anyio.current_time() + self._seconds(tool)
        try:
            return await self._attempt(tool, arguments, deadline)
        except _CallFailed as failed:
            # A server that does not know the session has not even looked at the call.
            if failed.failure.kind != "SessionLost":
                raise
        return await self._attempt(tool, arguments, deadline)

    async def _attempt(self, tool: Tool, arguments: JsonObject, deadline: float) -> CallOutcome:
        line = await self._opened(tool, deadline)
        definition = self._definition(tool)
        line.register(definition)
        hiding = partial(hide, secrets=line.secrets)
        with watching() as exchange:
            try:
                result = await _result(line, definition, arguments, deadline)
                outcome = outcomes.read(tool, result, hiding)
            except Exception as error:
                failed = self._failed(tool, error, exchange, line, begun=not exchange.unsent)
                if failed.failure.kind not in _STILL_OPEN:
                    self._drop(tool.server, line)
                raise failed from error
        if outcome.status == "error" and is_gone(outcome.text, tool.original_name):
            return outcome.model_copy(update={"error": "ToolGone"})
        return outcome

    async def _opened(self, tool: Tool, deadline: float) -> Line:
        with watching() as exchange:
            try:
                with anyio.fail_after(deadline - anyio.current_time()):
                    return await self._line(tool.server)
            except Exception as error:
                raise self._failed(tool, error, exchange, None, begun=False) from error

    async def _line(self, server: str) -> Line:
        async with self._connecting[server]:
            line = self._lines.get(server)
            if line is None or line.lost:
                if self._owners is None:
                    raise RuntimeError("use Servers as an async context manager")
                line = self._lines[server] = await self._owners.start(self._own, server)
            return line

    async def _own(self, server: str, *, task_status: TaskStatus[Line]) -> None:
        """Enters and leaves one connection, in a task of its own as the SDK requires."""
        registration = self._registrations[server]
        opened: Line | None = None
        try:
            access = await open_access(registration, self._vault, on_failure=note_refused)
            async with connect(registration, access, allow_private=self._allow_private) as line:
                opened = line
                task_status.started(line)
                await self._closing.wait()
        except Exception:
            # Before the start the caller is told; after it, the calls are.
            if opened is None:
                raise
        finally:
            if opened is not None:
                opened.lose()

    def _drop(self, server: str, line: Line) -> None:
        """The next call connects anew; those under way go on."""
        if self._lines.get(server) is line:
            del self._lines[server]

    def _failed(
        self, tool: Tool, error: Exception, exchange: Exchange, line: Line | None, *, begun: bool
    ) -> _CallFailed:
        secrets = line.secrets if line else ()
        where = place(self._registrations[tool.server])
        failure = diagnose(error, exchange, where, secrets, tool=tool.original_name)
        words = "" if exchange.failure else own_words(failure.kind, error, secrets)
        return _CallFailed(failure, words, begun=begun)

    def _definition(self, tool: Tool) -> ToolDefinition:
        """The server's own, which says what travels as a header; the tool's stand in for one that is gone."""
        known = (one for one in self._registrations[tool.server].tools if one.name == tool.original_name)
        return next(known, ToolDefinition(name=tool.original_name, input_schema=tool.parameters))

    def _seconds(self, tool: Tool) -> float:
        return self._registrations[tool.server].timeouts.call or 0

    def _tell_gone(self, server: str) -> None:
        if self._on_gone is not None and server not in self._gone:
            self._gone.add(server)
            self._on_gone(server)


async def _result(line: Line, definition: ToolDefinition, arguments: JsonObject, deadline: float) -> JsonObject:
    """What the call came to; of a tool that runs as a task (2025-11-25, tasks), once the task is over."""
    params: JsonObject = {"name": definition.name, "arguments": arguments}
    left = deadline - anyio.current_time()
    if not definition.as_task:
        return await line.ask("tools/call", params, left)
    begun = await line.ask("tools/call", {**params, "task": {"ttl": int(left * 1000)}}, left)
    task: Any = begun.get("task")
    if not isinstance(task, dict):
        return begun
    return await line.ask(
        "tasks/result", {"taskId": cast(JsonObject, task).get("taskId")}, deadline - anyio.current_time()
    )


def _bounded(registration: Registration, seconds: float) -> Registration:
    """With the time for a call filled in."""
    timeouts = registration.timeouts
    filled = timeouts.model_copy(update={"call": timeouts.call or seconds})
    return registration.model_copy(update={"timeouts": filled})
