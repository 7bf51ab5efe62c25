"""From registrations to tools."""

from collections.abc import Iterable

from turnkey.mcp import naming, schemas
from turnkey.mcp.registration import Registration, to_tool
from turnkey.tools import Toolset
from turnkey.tools.builtins import NAMES as BUILTIN_NAMES


def toolset(registrations: Iterable[Registration]) -> Toolset:
    """Every acceptable tool of these servers, under names that no two share. Schemas that no endpoint takes are left
    out; provisioning reports them (`set_aside`)."""
    servers = list(registrations)
    names = naming.model_names(
        ((server.name, tool.name) for server in servers for tool in server.usable), reserved=frozenset(BUILTIN_NAMES)
    )
    return Toolset(
        to_tool(server, names[server.name, tool.name], tool, parameters)
        for server in servers
        for tool in server.usable
        if (parameters := schemas.acceptable(tool.input_schema)) is not None
    )


def set_aside(registration: Registration) -> tuple[str, ...]:
    """Names of the tools that no model can be shown."""
    return tuple(tool.name for tool in registration.tools if schemas.acceptable(tool.input_schema) is None)
