"""Lists of tools that no server should give, and some do: what can be used is used, the rest is reported."""

from typing import Any

import pytest

from tests.support import faulty_server as faults
from tests.support.faulty_server import TOOL, FaultyServer
from tests.support.servers import registration, snapshot
from turnkey.mcp.registration import ServerTimeouts
from turnkey.mcp.snapshot import Snapshot

pytestmark = pytest.mark.long

PATIENT = ServerTimeouts(connect=10, list=20, call=20)


def listed(*tools: Any, **fields: Any) -> Snapshot:
    with FaultyServer(tools=tools) as server:
        return snapshot(registration(server.url("/mcp"), timeouts=PATIENT, **fields))


def names(found: Snapshot) -> list[str]:
    return [tool.name for tool in found.registration.tools]


@pytest.mark.parametrize(
    "bad",
    [
        {"name": "bad"},
        {"name": "bad", "inputSchema": None},
        {"name": "bad", "inputSchema": "object"},
        {"name": "", "inputSchema": {}},
        {"inputSchema": {}},
        {"name": 7, "inputSchema": {}},
        "bad",
        None,
        [],
    ],
)
def test_one_broken_tool_is_reported_and_the_others_stay(bad: Any) -> None:
    found = listed(bad, TOOL)
    assert names(found) == ["look"]
    assert len(found.unreadable) == len(found.warnings) == 1
    assert str(bad["name"] if isinstance(bad, dict) and bad.get("name") == "bad" else "tool 1") in found.warnings[0]


def test_a_schema_as_deep_as_a_well_is_reported_and_the_others_stay() -> None:
    schema: dict[str, Any] = {}
    for _ in range(40):
        schema = {"properties": {"x": schema}}
    found = listed({"name": "well", "inputSchema": schema}, TOOL, {**TOOL, "name": "b", "outputSchema": schema})
    assert (names(found), found.unreadable) == (["look"], ("well", "b"))


def test_what_decorates_a_tool_may_be_nonsense() -> None:
    odd = {"name": "odd", "title": {}, "description": 5, "inputSchema": {}, "outputSchema": "x", "annotations": "yes"}
    hints = {**odd, "name": "hints", "annotations": {"readOnlyHint": "yes", "destructiveHint": False, "title": 3}}
    found = listed(odd, hints)
    assert names(found) == ["odd", "hints"]
    assert found.warnings == ()
    assert not found.registration.tools[1].hints.read_only
    assert not found.registration.tools[1].hints.destructive


def test_of_equal_names_the_first_is_used_and_the_others_are_reported() -> None:
    found = listed(TOOL, {**TOOL, "description": "Another."}, {**TOOL, "name": "b"}, TOOL)
    assert names(found) == ["look", "b"]
    assert found.registration.tools[0].description == "Looks."
    assert found.warnings == ("'look' is listed more than once: only the first is used",)


def test_300_tools_are_all_there() -> None:
    found = listed(*({**TOOL, "name": f"tool{number}"} for number in range(300)))
    assert (len(names(found)), found.warnings) == (300, ())


RECURSIVE = {"$ref": "#/$defs/node", "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#"}}}}}


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("recursive", RECURSIVE),
        ("either", {"anyOf": [{"type": "object"}, {"type": "string"}]}),
        ("shop.search/v2", {"type": "object"}),
        ("搜索", {"type": "object"}),
        ("a" * 300, {"type": "object"}),
    ],
)
def test_odd_names_and_schemas_are_kept_as_the_server_has_them(name: str, schema: dict[str, Any]) -> None:
    found = listed({"name": name, "inputSchema": schema})
    assert [(tool.name, tool.input_schema) for tool in found.registration.tools] == [(name, schema)]


def test_all_pages_are_read() -> None:
    def page(request: Any, message: Any) -> bool:
        number = int(message["params"].get("cursor", 0))
        content = {
            "tools": [{**TOOL, "name": f"tool{number}"}],
            **({"nextCursor": str(number + 1)} if number < 9 else {}),
        }
        faults.send_json(request, faults.result(message, content))
        return True

    with FaultyServer({"tools/list": page}) as server:
        found = snapshot(registration(server.url("/mcp"), timeouts=PATIENT))
    assert (len(names(found)), found.cut) == (10, False)


def test_a_list_that_never_ends_is_left_after_50_pages() -> None:
    with FaultyServer({"tools/list": faults.endless}) as server:
        found = snapshot(registration(server.url("/mcp"), timeouts=PATIENT))
    assert (len(names(found)), found.cut) == (50, True)
    assert "more than 50 pages" in found.warnings[-1]


def test_a_list_that_leads_back_is_left_where_it_does() -> None:
    with FaultyServer({"tools/list": faults.circling}) as server:
        found = snapshot(registration(server.url("/mcp"), timeouts=PATIENT))
    assert (names(found), found.cut) == (["look_a", "look_b"], True)
    assert server.asked.count("tools/list") == 3


def test_a_tool_whose_argument_no_header_can_carry_is_left_out_on_a_modern_server() -> None:
    schema = {"type": "object", "properties": {"x": {"type": "object", "x-mcp-header": "X"}}}
    found = listed({"name": "bad", "inputSchema": schema}, TOOL)
    assert (names(found), found.unreadable) == (["look"], ("bad",))
