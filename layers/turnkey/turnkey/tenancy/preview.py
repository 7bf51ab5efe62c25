"""What a manifest's servers offer, tool by tool, as a person decides on it before or after it is applied."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Literal

from pydantic import Field

from turnkey.mcp import catalogue, naming, wording
from turnkey.mcp.failures import FailureKind
from turnkey.mcp.naming import Pair
from turnkey.mcp.registration import Registration, ToolDefinition, to_tool
from turnkey.mcp.schemas import SetAside
from turnkey.mcp.wording import Flag
from turnkey.tenancy.settings import Agent
from turnkey.tools import Hints, ToolKind
from turnkey.values import Value

State = Literal["approved", "new", "changed", "not_allowed", "set_aside"]
"""new and changed: held, until the tenant approves. not_allowed: left out by the manifest. set_aside: no model can be
shown it."""


class ToolPreview(Value):
    """One tool. What can be corrected is as it is after the manifest's corrections."""

    name: str = Field(description="the server's own")
    model_names: tuple[str, ...] = Field(description="as models see it; more than one where agents see it differently")
    title: str
    kind: ToolKind
    hints: Hints
    confirm: bool
    state: State
    reason: str = Field(default="", description="why it is set aside")
    warnings: tuple[str, ...] = Field(default=(), description="about its schema")
    flags: tuple[Flag, ...] = Field(default=(), description="what in its wording is not for a model to read")
    digest: str = Field(description="hash of the server's own words")


class TestReport(Value):
    """A test call. failed: it went wrong. refused: the manifest asks for what is not to be called. held: not made, for
    the tool waits for approval."""

    tool: str
    outcome: Literal["ok", "failed", "refused", "held"]
    error: str = Field(default="", description="class of the server's failure")
    view: str = Field(default="", description="the beginning of what came back, or why it was not made")
    milliseconds: int = 0


class ServerReport(Value):
    """What a server offered, or how it failed."""

    name: str
    url: str
    transport: str
    protocol: str = ""
    milliseconds: int = 0
    tools: tuple[ToolPreview, ...] = ()
    warnings: tuple[str, ...] = Field(default=(), description="about its list of tools")
    error: FailureKind | None = None
    http_status: int = 0
    problem: str = ""
    test: TestReport | None = None


def previews(registrations: Iterable[Registration], agents: Iterable[Agent]) -> dict[str, tuple[ToolPreview, ...]]:
    """By server."""
    servers = list(registrations)
    names = _model_names(servers, agents)
    return {
        server.name: tuple(_preview(server, tool, names[server.name, tool.name]) for tool in server.tools)
        for server in servers
    }


def _preview(server: Registration, definition: ToolDefinition, names: tuple[str, ...]) -> ToolPreview:
    found = catalogue.examine(definition)
    aside = isinstance(found, SetAside)
    tool = to_tool(server, names[0], definition, {})
    return ToolPreview(
        name=definition.name,
        model_names=() if aside else names,
        title=tool.title,
        kind=tool.kind,
        hints=tool.hints,
        confirm=tool.confirm,
        state=_state(server, definition, aside=aside),
        reason=found.reason if isinstance(found, SetAside) else "",
        warnings=() if isinstance(found, SetAside) else found.warnings,
        flags=wording.flags(definition),
        digest=definition.digest,
    )


def _state(server: Registration, tool: ToolDefinition, *, aside: bool) -> State:
    if not server.allows(tool.name):
        return "not_allowed"
    if aside:
        return "set_aside"
    if server.holds(tool):
        return "changed" if tool.name in server.approved else "new"
    return "approved"


def _model_names(servers: list[Registration], agents: Iterable[Agent]) -> dict[Pair, tuple[str, ...]]:
    """As each agent's turns name them; those of a server that no agent has as if one had that server alone."""
    used = [agent.servers for agent in agents]
    alone = [(server.name,) for server in servers if not any(server.name in names for names in used)]
    found: dict[Pair, list[str]] = defaultdict(list)
    for names in (*used, *alone):
        for pair, name in catalogue.model_names(server for server in servers if server.name in names).items():
            found[pair].append(name)
    every = ((server.name, tool.name) for server in servers for tool in server.tools)
    return {pair: tuple(dict.fromkeys(found.get(pair) or [naming.acceptable(pair[1])])) for pair in every}
