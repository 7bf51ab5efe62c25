"""A list whole: pages are followed to the end, and no server can make that endless."""

import asyncio
import json
from typing import Any

import pytest

from turnkey.deliverables.rows import find_rows
from turnkey.tools import CallOutcome, JsonObject, Tool
from turnkey.turn import paging

ROWS = [{"n": number} for number in range(95)]


def tool(**properties: Any) -> Tool:
    return Tool(
        name="list_things",
        server="s",
        original_name="list_things",
        description="Lists things.",
        parameters={"type": "object", "properties": properties},
        kind="items",
    )


def page(rows: list[dict[str, Any]], **beside: Any) -> CallOutcome:
    return CallOutcome(status="ok", text=json.dumps({"things": rows, **beside}))


def whole(listing: Tool, first: CallOutcome, answer: Any, arguments: JsonObject | None = None) -> tuple[int, int, int]:
    """Rows, total and further calls."""
    calls: list[JsonObject] = []

    async def call(given: JsonObject) -> CallOutcome:
        calls.append(given)
        return answer(given)

    outcome = asyncio.run(paging.whole(first, listing, arguments or {"limit": 10}, call))
    found = find_rows(outcome.text)
    assert found
    return len(found.rows), found.total, len(calls)


def test_an_offset_is_followed_to_the_end() -> None:
    listing = tool(limit={"type": "integer"}, offset={"type": "integer"})
    got = whole(
        listing,
        page(ROWS[:10], total=95),
        lambda given: page(ROWS[given["offset"] : given["offset"] + 10], total=95),
    )
    assert got == (95, 95, 9)


def test_a_page_number_is_followed_to_the_end() -> None:
    listing = tool(page={"type": "integer"})
    got = whole(
        listing,
        page(ROWS[:50], total=95),
        lambda given: page(ROWS[(given["page"] - 1) * 50 : given["page"] * 50], total=95),
    )
    assert got == (95, 95, 1)


def test_a_cursor_is_followed_to_the_end() -> None:
    listing = tool(cursor={"type": "string"})

    def answer(given: JsonObject) -> CallOutcome:
        at = int(given["cursor"])
        return page(ROWS[at : at + 40], **({"next_cursor": str(at + 40)} if at + 40 < 95 else {}))

    assert whole(listing, page(ROWS[:40], next_cursor="40"), answer) == (95, 95, 2)


def test_a_server_that_gives_the_same_page_for_ever_is_left() -> None:
    listing = tool(cursor={"type": "string"})
    same = page(ROWS[:10], next_cursor="again")
    assert whole(listing, same, lambda _: same) == (10, 10, 1)


def test_endless_pages_end() -> None:
    listing = tool(cursor={"type": "string"})

    def answer(given: JsonObject) -> CallOutcome:
        at = int(given["cursor"])
        return page([{"n": at}], next_cursor=str(at + 1))

    rows, _, calls = whole(listing, page([{"n": 0}], next_cursor="1"), answer)
    assert rows == paging.MAX_PAGES
    assert calls == paging.MAX_PAGES - 1


@pytest.mark.parametrize("failed", [CallOutcome(status="error", text="no"), CallOutcome(status="unknown", text="")])
def test_what_came_before_a_failure_is_kept_and_the_total_still_told(failed: CallOutcome) -> None:
    listing = tool(offset={"type": "integer"})
    assert whole(listing, page(ROWS[:10], total=95), lambda _: failed) == (10, 95, 1)


def test_a_list_without_pages_is_left_as_it_is() -> None:
    first = page(ROWS[:10], total=95)
    assert whole(tool(), first, lambda _: first) == (10, 95, 0)
