"""The demo tenants' tools as a turn has them, from their real servers; nothing listens."""

import asyncio
from functools import cache
from typing import Any

from mcp import Client
from mcp.types import Tool as McpTool

from local.evals.case import Tenant
from tests.evals.handover import fresh_server
from turnkey.mcp import definitions
from turnkey.mcp.catalogue import toolset
from turnkey.mcp.registration import Registration, ToolDefinition, approved_as_found
from turnkey.mcp.results import to_text
from turnkey.tools import Toolset


@cache
def tools_of(tenant: Tenant) -> Toolset:
    """The toolset of the bookshop or the clinic."""

    async def listed() -> Registration:
        async with Client(fresh_server(tenant)) as client:
            tools = (await client.list_tools()).tools
        return approved_as_found(
            Registration(name="server", url="http://server.test/mcp", tools=tuple(map(definition, tools)))
        )

    return toolset((asyncio.run(listed()),))


def called(tenant: Tenant, tool: str, arguments: dict[str, Any]) -> str:
    """The text of a call's result, from a fresh server."""

    async def call() -> str:
        async with Client(fresh_server(tenant)) as client:
            result = await client.call_tool(tool, arguments)
        parts = [part.model_dump(mode="json", by_alias=True) for part in result.content]
        return to_text(parts, result.structured_content)

    return asyncio.run(call())


def definition(tool: McpTool) -> ToolDefinition:
    """As it is read when its server is registered."""
    found = definitions.read(tool.model_dump(mode="json", by_alias=True, exclude_none=True), 0)
    assert isinstance(found, ToolDefinition), found
    return found
