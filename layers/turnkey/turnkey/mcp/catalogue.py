"""From registrations to tools."""

from collections.abc import Iterable, Iterator

from turnkey.mcp import naming, schemas
from turnkey.mcp.naming import Pair
from turnkey.mcp.registration import Registration, ToolDefinition, to_tool
from turnkey.mcp.schemas import Accepted, SetAside
from turnkey.tools import Tool, Toolset
from turnkey.tools.builtins import NAMES as BUILTIN_NAMES
from turnkey.tools.tool import MAX_DESCRIPTION


def toolset(registrations: Iterable[Registration]) -> Toolset:
    """Every acceptable tool of these servers, under names that no two share. Schemas that no endpoint takes are left
    out; provisioning reports them (`examine`)."""
    servers = tuple(registrations)
    names = model_names(servers)
    return Toolset(tool for server in servers for tool in _tools(server, names))


def _tools(server: Registration, names: dict[Pair, str]) -> Iterator[Tool]:
    # Of two definitions under one name the first counts, as when they were listed.
    first = {tool.name: tool for tool in reversed(server.usable)}
    for definition in reversed(first.values()):
        found = schemas.acceptable(definition.input_schema)
        if isinstance(found, Accepted):
            yield to_tool(server, names[server.name, definition.name], definition, found.parameters)


def model_names(registrations: Iterable[Registration]) -> dict[Pair, str]:
    """What models call each tool that its tenant allows. One that waits for approval has its name already, so that
    approving it renames no other."""
    pairs = ((server.name, tool.name) for server in registrations for tool in server.tools if server.allows(tool.name))
    return naming.model_names(pairs, reserved=frozenset(BUILTIN_NAMES))


def examine(definition: ToolDefinition) -> Accepted | SetAside:
    """What becomes of one tool's definition, with all that its owner should know."""
    found = schemas.acceptable(definition.input_schema)
    size = len(definition.description.strip())
    if isinstance(found, SetAside) or size <= MAX_DESCRIPTION:
        return found
    cut = f"of its description's {size:,} characters models are shown the first {MAX_DESCRIPTION:,}"
    return found.model_copy(update={"warnings": (*found.warnings, cut)})


def set_aside(registration: Registration) -> tuple[str, ...]:
    """Names of the tools that no model can be shown."""
    return tuple(tool.name for tool in registration.tools if isinstance(examine(tool), SetAside))
