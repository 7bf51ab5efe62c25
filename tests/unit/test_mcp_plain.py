"""What servers say, read as plain data: whatever it is, reading it never fails, and never takes long."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnkey.mcp.definitions import BadTool, distinct, read
from turnkey.mcp.diagnosis import hide, is_gone, shortened
from turnkey.mcp.outcomes import NoResult
from turnkey.mcp.outcomes import read as read_result
from turnkey.mcp.registration import ToolDefinition
from turnkey.mcp.structured import fits
from turnkey.mcp.watching import _seconds
from turnkey.nesting import is_deeper
from turnkey.tools import CallOutcome, Tool

KEYS = ("name", "title", "description", "inputSchema", "outputSchema", "annotations", "execution", "type", "properties")
RESULT_KEYS = ("content", "structuredContent", "isError", "resultType", "type", "text", "data", "resource", "required")
names = st.sampled_from(KEYS + RESULT_KEYS) | st.text(max_size=5)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
plain = st.recursive(
    scalars | st.sampled_from(["object", "array", "string", "text", "required"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=5),
    max_leaves=25,
)
objects = st.dictionaries(names, plain, max_size=8)
TOOL = Tool(name="t", server="s", original_name="t", description="t", parameters={})


@given(plain | objects)
def test_any_entry_of_a_list_is_a_definition_or_a_bad_tool(raw: Any) -> None:
    found = read(raw, 3)
    assert isinstance(found, (ToolDefinition, BadTool))
    assert found.name


@given(st.dictionaries(names, plain, max_size=8), plain)
def test_any_result_is_an_outcome_or_none(result: dict[str, Any], schema: Any) -> None:
    tool = TOOL.model_copy(update={"output_schema": schema})
    try:
        assert isinstance(read_result(tool, result, str), CallOutcome)
    except NoResult:
        assert not isinstance(result.get("content"), list)


@given(plain, plain)
def test_whether_a_value_fits_is_always_known(value: Any, schema: Any) -> None:
    assert isinstance(fits(value, schema), bool)


@pytest.mark.parametrize(
    ("value", "schema", "wanted"),
    [
        ({"a": 1}, {"type": "object", "required": ["a"]}, True),
        ({}, {"type": "object", "required": ["a"]}, False),
        ({"a": True}, {"properties": {"a": {"type": "integer"}}}, False),
        ({"a": 1.5}, {"properties": {"a": {"type": ["string", "number"]}}}, True),
        ({"a": None}, {"properties": {"a": {"type": "string"}}}, False),
        ([{"a": 1}, {"a": "x"}], {"type": "array", "items": {"properties": {"a": {"type": "number"}}}}, False),
        ({"a": "x"}, {"properties": {"a": {"pattern": "(x+x+)+y"}}}, True),
        ({"a": 1}, {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#"}}}, True),
    ],
)
def test_a_value_fits_by_its_types_and_what_is_required(value: Any, schema: Any, wanted: bool) -> None:
    assert fits(value, schema) is wanted


def test_depth_is_counted_without_a_limit_of_its_own() -> None:
    value: Any = []
    for _ in range(100_000):
        value = [value]
    assert is_deeper(value, 64)
    assert not is_deeper([[[]]], 3)
    assert is_deeper([[[]]], 1)


def test_the_first_of_a_name_stays() -> None:
    one, two = (ToolDefinition(name="a", description=text, input_schema={}) for text in ("one", "two"))
    assert distinct([one, two, one]) == ((one,), ("a",))


@pytest.mark.parametrize(
    "text",
    [
        "Unknown tool: search",
        "unknown tool 'search'",
        "Unknown tool",
        "No such tool (search)",
        "Tool search not found",
        "MCP error -32602: Tool search not found",
        "Tool 'search' does not exist",
        "Tool `search` is not registered on this server",
        "Tool not found: search",
        "tool not found.",
        "The tool search is no longer available.",
        "Error executing tool: Unknown tool: search",
    ],
)
def test_words_for_a_tool_that_is_gone(text: str) -> None:
    assert is_gone(text, "search")


@pytest.mark.parametrize(
    "text",
    [
        "Book not found",
        "Invalid arguments for tool search: order 7 does not exist",
        "Unknown tool parameter 'x'",
        "Tool search failed: page not found",
        "Tool searching not found",
        "Unknown tool: search_more",
        "Tool shed not found in stock",
        "",
        "x" * 10_000 + " unknown tool",
    ],
)
def test_words_for_something_else_that_is_not_there(text: str) -> None:
    assert not is_gone(text, "search")


@given(st.text(), st.text(min_size=1))
def test_any_name_may_be_looked_for(text: str, name: str) -> None:
    assert isinstance(is_gone(text, name), bool)


@given(st.text(), st.lists(st.text(min_size=6), max_size=3))
def test_no_secret_is_repeated(text: str, secrets: list[str]) -> None:
    whole = text.join(secrets)
    hidden = hide(whole, [secret for secret in secrets if "…" not in secret])
    assert not any(secret in hidden for secret in secrets if "…" not in secret)


def test_what_a_server_says_is_told_on_one_line() -> None:
    assert shortened("a\n\n\x1b[31mb\u202ec" + "x" * 1000) == "a [31mb c" + "x" * 291


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("7", 7.0),
        (" 120 ", 120.0),
        ("9" * 5000, 86400.0),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("Wed, 21 Oct 2099 07:28:00 GMT", 86400.0),
        ("²", None),
    ],
)
def test_how_long_a_server_wants_to_be_left_alone(text: str, seconds: float | None) -> None:
    assert _seconds(text) == seconds
