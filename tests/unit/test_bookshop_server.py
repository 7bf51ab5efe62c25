"""What the bookshop promises an MCP client. The client talks to the server object, in memory."""

import asyncio

import pytest
from mcp import Client
from mcp_types import CallToolResult, TextContent, Tool

from local.bookshop.catalogue import Catalogue, load_catalogue
from local.bookshop.server import Desk, create_server


@pytest.fixture
def shop() -> Catalogue:
    return load_catalogue()


def ask(desk: Desk, tool: str, mode: str = "auto", **arguments: object) -> CallToolResult:
    async def call() -> CallToolResult:
        async with Client(create_server(desk), mode=mode) as client:
            return await client.call_tool(tool, arguments)

    return asyncio.run(call())


def text(result: CallToolResult) -> str:
    return "".join(block.text for block in result.content if isinstance(block, TextContent))


def definitions() -> dict[str, Tool]:
    async def listed() -> list[Tool]:
        async with Client(create_server(Desk(load_catalogue()))) as client:
            return (await client.list_tools()).tools

    return {tool.name: tool for tool in asyncio.run(listed())}


def test_argument_schemas_use_plain_types_only():
    for tool in definitions().values():
        properties = tool.input_schema["properties"]
        assert all(isinstance(schema.get("type"), str) for schema in properties.values())
        assert all(schema.get("description") for schema in properties.values())


def test_bounds_are_published_in_the_words_of_json_schema():
    limit = definitions()["search_books"].input_schema["properties"]["limit"]
    assert (limit["minimum"], limit["maximum"], limit["default"]) == (1, 50, 5)
    offset = definitions()["search_books"].input_schema["properties"]["offset"]
    assert (offset["minimum"], offset["default"]) == (0, 0)


def test_only_what_has_no_default_is_required():
    assert {name: tool.input_schema["required"] for name, tool in definitions().items()} == {
        "search_books": ["query"],
        "get_book": ["book_id"],
        "check_stock": ["book_id"],
        "hold_for_pickup": ["book_id", "customer_name"],
    }


def test_every_tool_has_a_title_a_description_an_output_schema_and_honest_hints():
    tools = definitions()
    assert all(tool.title and tool.description and tool.output_schema for tool in tools.values())
    hints = {name: tool.annotations.model_dump(exclude_none=True) for name, tool in tools.items() if tool.annotations}
    assert {name for name, hint in hints.items() if hint["read_only_hint"]} == set(tools) - {"hold_for_pickup"}
    assert not hints["hold_for_pickup"]["idempotent_hint"]
    assert not any(hint["open_world_hint"] for hint in hints.values())


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_call_over_mcp_returns_structured_content(shop: Catalogue, mode: str):
    found = ask(Desk(shop), "search_books", mode, query="고래", language="ko").structured_content
    assert found is not None
    assert found["total"] == 1
    assert set(found["books"][0]) == {
        *("book_id", "title", "author", "year", "language", "level", "subject", "price_eur", "link", "image"),
    }


def test_null_for_a_filter_means_any(shop: Catalogue):
    filtered = ask(
        Desk(shop), "search_books", query="chess", language=None, level=None, max_price=None, limit=None, offset=None
    )
    assert filtered.structured_content == ask(Desk(shop), "search_books", query="chess").structured_content


def test_a_refused_hold_is_a_tool_error_that_says_what_to_do(shop: Catalogue):
    refused = ask(Desk(shop), "hold_for_pickup", book_id="B999", customer_name="Ana")
    assert refused.is_error
    assert "Use search_books" in text(refused)


def test_every_run_is_counted_and_a_call_that_never_ran_is_not(shop: Catalogue):
    desk = Desk(shop)
    ask(desk, "check_stock", book_id="B001")
    ask(desk, "hold_for_pickup", book_id="B999", customer_name="Ana")
    assert ask(desk, "search_books", query="chess", limit=51).is_error
    assert desk.calls == {"check_stock": 1, "hold_for_pickup": 1}
