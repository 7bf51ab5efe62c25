"""ToolLoop: opens what the turn needs and runs its loop. openai and mcp are imported when they are first needed."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from typing import TYPE_CHECKING

from turnkey.mcp.registration import Registration
from turnkey.mcp.vault import Vault
from turnkey.models.resolve import resolve
from turnkey.store.functions import RefreshRequests
from turnkey.store.results import ResultStore
from turnkey.store.stores import Stores
from turnkey.store.tallies import TallyStore
from turnkey.tenancy.settings import Limits
from turnkey.tools import CallOutcome, JsonObject, Tool, Toolset, builtins
from turnkey.tools.parameters import for_server
from turnkey.turn import offering, skilling
from turnkey.turn.calling import Calling
from turnkey.turn.reference import TurnReference
from turnkey.turn.run import Run
from turnkey.turn.running import Loop
from turnkey.turn.showing import Showing
from turnkey.turn.skill_calls import SkillCalls, with_skills
from turnkey.turn.toolsets import tools_of

if TYPE_CHECKING:
    from turnkey.mcp.connection import Servers


class ToolLoop:
    def __init__(
        self,
        stores: Stores,
        results: ResultStore,
        tallies: TallyStore,
        refreshes: RefreshRequests,
        *,
        allow_private: bool,
    ) -> None:
        self._stores = stores
        self._results = results
        self._tallies = tallies
        self._refreshes = refreshes
        self._allow_private = allow_private

    def run(self, reference: TurnReference, remaining_seconds: Callable[[], float]) -> TurnReference:
        """Next is "compose", "draw" for a chart, or "tool_loop" where a fresh invocation must go on. Raises what the
        model endpoint raises; a tool's failure is data, not an error."""
        return asyncio.run(self._run(reference, remaining_seconds))

    async def _run(self, reference: TurnReference, remaining_seconds: Callable[[], float]) -> TurnReference:
        from turnkey.models.openai_endpoint import OpenAIEndpoint
        from turnkey.network.sending import HttpSender

        turns, secrets = self._stores.turns, self._stores.secrets
        record = turns.get(reference).record
        steps = turns.journal(reference)
        agent = self._stores.tenants.agent(reference.tenant, record.agent)
        registrations = self._stores.tenants.registrations(reference.tenant, agent.servers)
        all_tools = tools_of(reference.tenant, registrations)
        every = tools_of(reference.tenant, registrations, skilling.hidden(agent, all_tools))
        known = Toolset((*all_tools, *builtins.TOOLS))
        tools = offering.shown(every, record, steps, agent.limits.tools)
        endpoint = resolve(agent.model, secrets)
        instructed = with_skills(self._stores.tenants, reference.tenant, agent, record.known.loaded)
        run = Run(reference, record, instructed, tools, every, known, endpoint.call_format)
        async with AsyncExitStack() as stack:
            model = await stack.enter_async_context(OpenAIEndpoint(endpoint, allow_private=self._allow_private))
            vault = Vault(reference.tenant, secrets, self._stores.tokens)
            on_gone = partial(self._refreshes.ask, reference.tenant)
            caller = _Caller(stack, vault, registrations, agent.limits, on_gone, self._allow_private)
            skills = SkillCalls(self._stores.tenants, reference.tenant, agent, record, all_tools)
            calling = Calling(run, turns, self._results, self._tallies, caller, skills)
            showing = Showing(self._stores, HttpSender(allow_private=self._allow_private), reference, record)
            stack.push_async_callback(showing.close)
            following = await Loop(run, steps, turns, model, calling, showing, remaining_seconds).run()
        return reference.then(following)


class _Caller:
    """See turnkey.turn.calling.Caller. Imports `mcp` with the first call."""

    def __init__(
        self,
        stack: AsyncExitStack,
        vault: Vault,
        registrations: tuple[Registration, ...],
        limits: Limits,
        on_gone: Callable[[str], None],
        allow_private: bool,
    ) -> None:
        self._stack = stack
        self._vault = vault
        self._registrations = {server.name: server for server in registrations}
        self._limits = limits
        self._on_gone = on_gone
        self._allow_private = allow_private
        self._servers: Servers | None = None

    @property
    def seconds(self) -> float:
        """A server's own time goes before the agent's."""
        own = (server.timeouts.call for server in self._registrations.values())
        return max(self._limits.call_seconds, *(seconds or 0 for seconds in own), 0)

    async def ready(self) -> None:
        if self._servers is not None:
            return
        from turnkey.mcp.connection import Servers

        servers = Servers(
            self._vault,
            self._registrations,
            seconds=self._limits.call_seconds,
            parallel=self._limits.parallel,
            allow_private=self._allow_private,
            on_gone=self._on_gone,
        )
        self._servers = await self._stack.enter_async_context(servers)

    async def call(self, tool: Tool, arguments: JsonObject) -> CallOutcome:
        if self._servers is None:
            raise RuntimeError("ready() comes before the first call")
        return await self._servers.call(tool, for_server(arguments, tool.parameters))
