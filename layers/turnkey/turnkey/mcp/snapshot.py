"""Registration: what a server offers, found on the same path that a turn uses."""

import time

import anyio
from mcp import Client
from mcp.types import Tool as McpTool

from turnkey.errors import TenantMisconfigured
from turnkey.mcp.registration import Registration, ToolDefinition
from turnkey.mcp.transport import Exchange, connect, unwrap, watching
from turnkey.tools import Hints, kinds
from turnkey.values import Value

MAX_PAGES = 50
"""Some servers hand out cursors for ever."""


class Snapshot(Value):
    registration: Registration
    milliseconds: int


async def take(registration: Registration, token: str, *, seconds: float, allow_private: bool) -> Snapshot:
    """The registration with the mode that worked and all tools. Raises TenantMisconfigured: unreachable, refused."""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    started = time.monotonic()
    # Anew, whatever an earlier registration found.
    fresh = registration.model_copy(update={"mode": "auto", "discovered": None})
    with watching() as exchange:
        try:
            with anyio.fail_after(seconds):
                async with connect(fresh, headers, seconds=seconds, allow_private=allow_private) as client:
                    found = _found(fresh, client, await _all_tools(client))
        except Exception as error:
            raise TenantMisconfigured(_problem(registration, unwrap(error), exchange, seconds)) from error
    return Snapshot(registration=found, milliseconds=int((time.monotonic() - started) * 1000))


def _found(registration: Registration, client: Client, tools: list[McpTool]) -> Registration:
    discovered = client.session.discover_result
    return registration.model_copy(
        update={
            "mode": client.protocol_version if discovered else "legacy",
            "protocol": client.protocol_version,
            "discovered": discovered.model_dump(mode="json", by_alias=True, exclude_none=True) if discovered else None,
            "tools": tuple(definition(tool) for tool in tools),
        }
    )


async def _all_tools(client: Client) -> list[McpTool]:
    tools: list[McpTool] = []
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(MAX_PAGES):
        page = await client.list_tools(cursor=cursor)
        tools += page.tools
        cursor = page.next_cursor
        if cursor is None or cursor in seen:
            break
        seen.add(cursor)
    return tools


def definition(tool: McpTool) -> ToolDefinition:
    """The server's own words for one tool, with the kind that they speak for."""
    notes = tool.annotations
    defaults = Hints()
    hints = Hints(
        read_only=bool(notes and notes.read_only_hint),
        destructive=defaults.destructive if notes is None or notes.destructive_hint is None else notes.destructive_hint,
        idempotent=bool(notes and notes.idempotent_hint),
    )
    title = tool.title or (notes.title if notes else None) or ""
    annotated = notes is not None and notes.read_only_hint is not None
    return ToolDefinition(
        name=tool.name,
        title=title,
        description=tool.description or "",
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        hints=hints,
        kind=kinds.infer(tool.name, title, tool.output_schema, read_only=hints.read_only, annotated=annotated),
    )


def _problem(registration: Registration, error: BaseException, exchange: Exchange, seconds: float) -> str:
    if isinstance(error, TenantMisconfigured):
        return str(error)
    if isinstance(error, TimeoutError):
        return f"{registration.place} did not answer within {seconds:g} s: is the server running?"
    if exchange.status in (401, 403):
        return f"{registration.place} refused the credentials with status {exchange.status}: check auth"
    return f"{registration.place} could not be used{exchange.explain()}: {type(error).__name__}: {str(error)[:200]}"
