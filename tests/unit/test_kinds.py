"""What a tool is for, inferred from annotations, output schema and wording."""

from typing import Any

import pytest

from tests.support.demo_tools import tools_of
from turnkey.tools import kinds

LIST: dict[str, Any] = {
    "type": "object",
    "properties": {"total": {"type": "integer"}, "things": {"type": "array", "items": {"$ref": "#/$defs/Thing"}}},
    "$defs": {"Thing": {"type": "object", "properties": {"thing_id": {"type": "string"}}}},
}
ONE: dict[str, Any] = {"type": "object", "properties": {"price": {"type": "number"}}}
ORDER: dict[str, Any] = {
    "type": "object",
    "properties": {
        **{name: {"type": "string"} for name in ("number", "status", "date", "address", "total")},
        "lines": {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}}},
    },
}


@pytest.mark.parametrize(
    ("name", "title", "schema", "read_only", "annotated", "kind"),
    [
        ("search_books", "Search books", LIST, True, True, "items"),
        ("catalogue", "", LIST, True, True, "items"),
        ("get_price", "Get a price", ONE, True, True, "lookup"),
        ("list_settings", "", ONE, True, True, "lookup"),
        ("listThings", "", None, True, True, "items"),
        ("get_order", "", ORDER, True, True, "lookup"),
        ("plot_sales", "", None, True, True, "chart"),
        ("book_table", "", ONE, False, True, "action"),
        ("search_and_destroy", "", LIST, False, True, "action"),
        ("search_books", "", LIST, False, False, "items"),
        ("get_price", "", ONE, False, False, "lookup"),
        ("frobnicate", "", None, False, False, "action"),
    ],
)
def test_a_kind_is_inferred(
    name: str, title: str, schema: dict[str, Any] | None, read_only: bool, annotated: bool, kind: str
) -> None:
    assert kinds.infer(name, title, schema, read_only=read_only, annotated=annotated) == kind


def test_the_demo_tenants_tools_are_told_apart() -> None:
    assert {tool.name: tool.kind for tool in tools_of("bookshop")} == {
        "search_books": "items",
        "get_book": "lookup",
        "check_stock": "lookup",
        "hold_for_pickup": "action",
    }
    assert {tool.name: tool.kind for tool in tools_of("clinic")} == {
        "find_slots": "items",
        "list_doctors": "items",
        "list_documents": "items",
        "get_opening_hours": "lookup",
        "get_price": "lookup",
        "get_appointment": "lookup",
        "book_appointment": "action",
        "cancel_appointment": "action",
    }


def test_a_schema_that_refers_to_itself_ends() -> None:
    loop: dict[str, Any] = {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}}
    assert kinds.infer("get_it", "", loop, read_only=True) == "lookup"
