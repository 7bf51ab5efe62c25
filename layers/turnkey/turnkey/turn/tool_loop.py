"""ToolLoop: opens what the turn needs and runs its loop. openai and mcp are imported when they are first needed."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from turnkey.mcp.catalogue import toolset
from turnkey.mcp.registration import Registration
from turnkey.mcp.results import CallOutcome
from turnkey.models.resolve import resolve
from turnkey.store.secrets import SecretStore
from turnkey.store.stores import Stores
from turnkey.tools import JsonObject, Tool
from turnkey.turn.reference import TurnReference
from turnkey.turn.running import Loop, Run

if TYPE_CHECKING:
    from turnkey.mcp.connection import Servers


class ToolLoop:
    def __init__(self, stores: Stores, *, allow_private: bool) -> None:
        self._stores = stores
        self._allow_private = allow_private

    def run(self, reference: TurnReference, remaining_seconds: Callable[[], float]) -> TurnReference:
        """Next is "compose", or "tool_loop" where a fresh invocation must go on. Raises what the model endpoint
        raises; a tool's failure is data, not an error."""
        return asyncio.run(self._run(reference, remaining_seconds))

    async def _run(self, reference: TurnReference, remaining_seconds: Callable[[], float]) -> TurnReference:
        from turnkey.models.openai_endpoint import OpenAIEndpoint

        record = self._stores.turns.get(reference).record
        agent = self._stores.tenants.agent(reference.tenant, record.agent)
        registrations = self._stores.tenants.registrations(reference.tenant, agent.servers)
        endpoint = resolve(agent.model, self._stores.secrets)
        run = Run(
            reference=reference,
            record=record,
            agent=agent,
            tools=toolset(registrations).only(record.tools),
            call_format=endpoint.call_format,
        )
        async with AsyncExitStack() as stack:
            model = await stack.enter_async_context(OpenAIEndpoint(endpoint, allow_private=self._allow_private))
            by_name = {server.name: server for server in registrations}
            call = _Caller(stack, by_name, self._stores.secrets, agent.limits.call_seconds, self._allow_private)
            finished = await Loop(run, self._stores.turns, model, call, remaining_seconds).finished()
        return reference.then("compose" if finished else "tool_loop")


class _Caller:
    """Makes calls; imports `mcp` with the first one."""

    def __init__(
        self,
        stack: AsyncExitStack,
        registrations: dict[str, Registration],
        secrets: SecretStore,
        seconds: float,
        allow_private: bool,
    ) -> None:
        self._stack = stack
        self._registrations = registrations
        self._secrets = secrets
        self._seconds = seconds
        self._allow_private = allow_private
        self._servers: Servers | None = None

    async def __call__(self, tool: Tool, arguments: JsonObject) -> CallOutcome:
        from turnkey.mcp.connection import Servers

        if self._servers is None:
            servers = Servers(
                self._registrations, self._secrets, seconds=self._seconds, allow_private=self._allow_private
            )
            self._servers = await self._stack.enter_async_context(servers)
        return await self._servers.call(tool, arguments)
