"""A list whole: the pages that follow the first one, for a chart that is to count everything."""

import json
from collections.abc import Awaitable, Callable
from typing import Any, cast

from turnkey.deliverables.rows import Rows, find_rows
from turnkey.mcp import schemas
from turnkey.reading.roles import role
from turnkey.tools import CallOutcome, JsonObject, Tool

MAX_PAGES = 20
MAX_ROWS = 20_000
_CURSORS = ("cursor", "page_token", "next_token", "continuation_token", "after")
_NEXT = ("next_cursor", "nextCursor", "next_page_token", "nextPageToken", "next_token", "nextToken", "next")

Call = Callable[[JsonObject], Awaitable[CallOutcome]]


async def whole(first: CallOutcome, tool: Tool, arguments: JsonObject, call: Call) -> CallOutcome:
    """The first page's outcome with all the rows that follow, as {"rows": […], "total": …}; as it is where the tool has
    no pages, says that this is all, or fails on the way. Only for tools that read."""
    rows = find_rows(first.text, tool.fields.items)
    if first.status != "ok" or rows is None:
        return first
    gathered, total = list(rows.rows), rows.total
    page, pages = first, 1
    while pages < MAX_PAGES and len(gathered) < MAX_ROWS:
        following = _following(tool, arguments, page.text, len(gathered), total, pages)
        if following is None:
            break
        page = await call(following)
        more = find_rows(page.text, tool.fields.items) if page.status == "ok" else None
        if not _adds(more, gathered):
            break
        gathered += cast(Rows, more).rows
        pages += 1
    if pages == 1:
        return first
    text = json.dumps({"rows": gathered, "total": max(total, len(gathered))}, ensure_ascii=False)
    return first.model_copy(update={"text": text})


def _adds(more: Rows | None, gathered: list[dict[str, Any]]) -> bool:
    """A server that gives the same page for ever ends here."""
    return more is not None and bool(more.rows) and more.rows[0] not in gathered


def _following(tool: Tool, arguments: JsonObject, text: str, have: int, total: int, pages: int) -> JsonObject | None:
    """The arguments for the next page, or None where there is none."""
    properties = schemas.present(tool.parameters)
    cursor = next((name for name in _CURSORS if name in properties), None)
    following = _next_cursor(text) if cursor else None
    if cursor and following:
        return {**arguments, cursor: following}
    if have >= total:
        return None
    offset = next((name for name, schema in properties.items() if role(name, schema) == "offset"), None)
    if offset:
        return {**arguments, offset: int(arguments.get(offset) or 0) + have}
    return {**arguments, "page": int(arguments.get("page") or 1) + pages} if "page" in properties else None


def _next_cursor(text: str) -> str | None:
    try:
        result: Any = json.loads(text)
    except ValueError:
        return None
    fields = cast(dict[str, Any], result) if isinstance(result, dict) else {}
    found = next((fields[name] for name in _NEXT if isinstance(fields.get(name), str)), None)
    return found or None
