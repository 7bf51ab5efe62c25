"""All tools of a connected server, page by page, from what it answers as it is."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, cast

from mcp import MCPError
from mcp.shared.inbound import find_invalid_x_mcp_header
from mcp.types import PARSE_ERROR

from turnkey.mcp.definitions import BadTool, distinct, read
from turnkey.mcp.line import Line
from turnkey.mcp.registration import ToolDefinition
from turnkey.tools import JsonObject

MAX_PAGES = 50
"""Some servers hand out cursors for ever."""


@dataclass
class Listing:
    """`repeated` are names that came more than once: the first counts. `cut` says why the list was left before its
    end."""

    tools: tuple[ToolDefinition, ...] = ()
    bad: list[BadTool] = field(default_factory=list[BadTool])
    repeated: tuple[str, ...] = ()
    cut: str = ""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is wrong with the list, in words."""
        told = [f"{tool.name!r} {tool.problem}" for tool in self.bad]
        told += [f"{name!r} is listed more than once: only the first is used" for name in self.repeated]
        return (*told, *([self.cut] if self.cut else []))


async def all_tools(line: Line, seconds: float) -> Listing:
    """`seconds` bounds each page; whoever calls bounds the whole. Raises what `Line.ask` raises, and MCPError for an
    answer that is no list."""
    listing = Listing()
    entries = [entry async for page in _pages(line, seconds, listing) for entry in page]
    good: list[ToolDefinition] = []
    for place, raw in enumerate(entries):
        found = read(raw, place)
        if isinstance(found, ToolDefinition) and line.discovered:
            found = _with_sendable_headers(found)
        if isinstance(found, BadTool):
            listing.bad.append(found)
        else:
            good.append(found)
    listing.tools, listing.repeated = distinct(good)
    return listing


def _with_sendable_headers(tool: ToolDefinition) -> ToolDefinition | BadTool:
    """Modern servers may have arguments sent as headers; those that cannot be must not be called (2026-07-28)."""
    reason = find_invalid_x_mcp_header(tool.input_schema)
    return tool if reason is None else BadTool(name=tool.name, problem=f"has an argument no header can carry: {reason}")


async def _pages(line: Line, seconds: float, listing: Listing) -> AsyncIterator[list[Any]]:
    params: JsonObject = {}
    seen: set[str] = set()
    for _ in range(MAX_PAGES):
        page = await line.ask("tools/list", params, seconds)
        tools: Any = page.get("tools")
        if not isinstance(tools, list):
            # As the SDK says of what it cannot read.
            raise MCPError(PARSE_ERROR, "Failed to parse: no list of tools")
        yield cast(list[Any], tools)
        cursor = page.get("nextCursor")
        if not isinstance(cursor, str):
            return
        if cursor in seen:
            listing.cut = "the list of tools leads back to a page that was read: what follows it is not known"
            return
        seen.add(cursor)
        params = {"cursor": cursor}
    listing.cut = f"the list of tools has more than {MAX_PAGES} pages: the rest is not read"
