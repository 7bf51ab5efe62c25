"""What becomes of a server's schema: what models are sent, what is said of it, and the way back."""

from typing import Any

import pytest

from tests.support.endpoint_rules import broken_rules
from turnkey.loop.arguments import schema_problem
from turnkey.loop.calls import read_answer
from turnkey.mcp.catalogue import examine, toolset
from turnkey.mcp.registration import Registration, ToolDefinition, approved_as_found
from turnkey.mcp.schemas import Accepted, SetAside, acceptable
from turnkey.models.chat import ChatAnswer, WireCall
from turnkey.tools import Tool, Toolset
from turnkey.tools.parameters import for_endpoints, for_server

Json = dict[str, Any]


def accepted(schema: Json) -> Accepted:
    made = acceptable(schema)
    assert isinstance(made, Accepted), made
    assert broken_rules(for_endpoints(made.parameters)) == []
    return made


def sent(schema: Json) -> Json:
    return for_endpoints(accepted(schema).parameters)


def sent_property(schema: Json) -> Json:
    return sent({"type": "object", "properties": {"x": schema}})["properties"]["x"]


def a_tool(schema: Json) -> Tool:
    definition = ToolDefinition(name="act", input_schema=schema)
    server = Registration(name="s", url="https://s.example.com", tools=(definition,))
    return next(iter(toolset([approved_as_found(server)])))


def test_a_plain_schema_keeps_its_meaning() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "searchArguments",
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "What to look for"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10, "title": "Limit"},
        },
        "required": ["query"],
        "additionalProperties": False,
    }
    assert sent(schema) == {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "What to look for"},
            "limit": {"type": "integer", "description": "Limit Default: 10.", "minimum": 1, "maximum": 50},
        },
        "required": ["query"],
    }


def test_a_bare_object_gets_properties() -> None:
    assert sent({"type": "object"}) == sent({}) == {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"type": "array"}, "no object"),
        ({"anyOf": []}, "no alternative"),
        ({"type": "object", "oneOf": []}, "no alternative"),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "no object"),
        ({"properties": {"x": {"$ref": "https://evil.example.com/schema.json"}}}, "evil.example.com"),
        ({"properties": {"x": {"$ref": "other.json#/a"}}}, "other.json"),
        ({"properties": {"x": False}, "required": ["x"]}, "'x'"),
        ({"properties": {f"p{n}": {"type": "string"} for n in range(5000)}}, "16,000"),
    ],
)
def test_what_no_endpoint_could_take_is_set_aside_with_the_reason(schema: Json, reason: str) -> None:
    made = acceptable(schema)
    assert isinstance(made, SetAside)
    assert reason in made.reason


def test_alternatives_at_the_top_become_one_object_and_the_choice_is_said() -> None:
    by_id = {
        "type": "object",
        "properties": {"id": {"type": "string"}, "full": {"type": "boolean"}},
        "required": ["id"],
    }
    by_name = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    for key in ("anyOf", "oneOf"):
        made = accepted({key: [by_id, by_name]})
        assert list(sent({key: [by_id, by_name]})["properties"]) == ["id", "full", "name"]
        assert "required" not in for_endpoints(made.parameters)
        assert made.parameters["description"] == "Give one of: id; or name."
        assert made.warnings == (f"{key} at the top is merged: what belongs together is checked when a call is made",)


def test_a_choice_by_kind_keeps_all_kinds() -> None:
    branches = [
        {"properties": {"kind": {"const": kind}, kind: {"type": "string"}}, "required": ["kind", kind]}
        for kind in ("mail", "phone")
    ]
    made = sent({"type": "object", "oneOf": branches})
    assert made["properties"]["kind"] == {"type": "string", "enum": ["mail", "phone"]}
    assert made["required"] == ["kind"]


def test_conditions_at_the_top_are_checked_when_a_call_is_made() -> None:
    named = {"a": {"type": "string"}, "b": {"type": "string"}}
    tool = a_tool({"type": "object", "properties": named, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]})
    assert "anyOf" not in tool.as_function()["function"]["parameters"]
    assert "not valid under any" in schema_problem(tool, {}) or "required" in schema_problem(tool, {})
    assert schema_problem(tool, {"b": "x"}) == ""


def test_all_of_at_the_top_is_one_object_that_asks_for_everything() -> None:
    one = {"properties": {"a": {"type": "string"}}, "required": ["a"]}
    other = {"properties": {"b": {"type": "integer", "minimum": 0}}, "required": ["b"]}
    made = sent({"allOf": [one, other, {"properties": {"b": {"minimum": 5}}}]})
    assert made["required"] == ["a", "b"]
    assert made["properties"]["b"] == {"type": "integer", "minimum": 5}


def test_references_are_written_out_wherever_their_definitions_stand() -> None:
    address = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    at_root = {"properties": {"x": {"$ref": "#/$defs/Address"}}, "$defs": {"Address": address}}
    nested = {"properties": {"x": {"$defs": {"Address": address}, "$ref": "#/$defs/Address"}}}
    old = {"properties": {"x": {"$ref": "#/definitions/a%20b"}}, "definitions": {"a b": address}}
    beside = {"properties": {"x": {"$ref": "#/properties/y"}, "y": address}}
    anchored = {"properties": {"x": {"$ref": "#here"}}, "$defs": {"A": {**address, "$anchor": "here"}}}
    own = {"$id": "https://s.example.com/a.json", **at_root}
    own["properties"] = {"x": {"$ref": "https://s.example.com/a.json#/$defs/Address"}}
    for schema in (at_root, nested, old, beside, anchored, own):
        assert sent(schema)["properties"]["x"] == address


def test_what_stands_beside_a_reference_counts_too() -> None:
    schema = {
        "properties": {"x": {"$ref": "#/$defs/A", "description": "Mine", "default": "b"}},
        "$defs": {"A": {"type": "string", "enum": ["a", "b"], "description": "Anyone's"}},
    }
    assert sent(schema)["properties"]["x"] == {
        "type": "string",
        "description": 'Mine Default: "b".',
        "enum": ["a", "b"],
    }


def test_a_schema_that_refers_to_itself_is_written_out_to_a_depth() -> None:
    node = {"properties": {"value": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/N"}}}}
    made = accepted({"properties": {"tree": {"$ref": "#/$defs/N"}}, "$defs": {"N": node}})
    child = made.parameters["properties"]["tree"]["properties"]["children"]["items"]
    assert child["properties"]["children"]["items"] == {"type": "object", "properties": {}}
    assert any("refers to itself" in warning for warning in made.warnings)


def test_arguments_deeper_than_shown_still_reach_the_server() -> None:
    node = {
        "type": "object",
        "properties": {"value": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/N"}}},
        "required": ["value"],
    }
    tool = a_tool({"properties": {"tree": {"$ref": "#/$defs/N"}}, "$defs": {"N": node}})
    deep: Json = {"value": "1"}
    for _ in range(6):
        deep = {"value": "1", "children": [deep]}
    assert for_server({"tree": deep}, tool.parameters) == {"tree": deep}
    assert schema_problem(tool, {"tree": deep}) == ""
    assert "'value' is a required property" in schema_problem(tool, {"tree": {"children": [{}], "value": "1"}})


def test_an_object_or_null_in_a_list_is_an_object() -> None:
    entry = {"type": ["object", "null"], "properties": {"a": {"type": "string"}}}
    made = sent_property({"type": "array", "items": entry})
    assert made["items"] == {"type": "object", "properties": {"a": {"type": "string"}}}


@pytest.mark.parametrize("schema", [{"type": ["string", "null"]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}])
def test_what_may_be_null_may_be_left_out_and_is_filled_in_for_the_server(schema: Json) -> None:
    tool = a_tool({"type": "object", "properties": {"x": schema}, "required": ["x"]})
    assert "required" not in tool.as_function()["function"]["parameters"]
    assert for_server({}, tool.parameters) == {"x": None}
    assert schema_problem(tool, {}) == ""


def test_several_types_stand_alone_as_alternatives() -> None:
    made = sent_property({"type": ["integer", "string"], "description": "Id", "minimum": 1, "maxLength": 9})
    assert made == {
        "anyOf": [
            {"type": "integer", "description": "Id", "minimum": 1},
            {"type": "string", "description": "At most 9 characters."},
        ]
    }


@pytest.mark.parametrize("schema", [True, {}, {"description": "Anything"}, {"type": "file"}, "no schema", 5])
def test_anything_may_be_written_where_the_schema_says_nothing(schema: Any) -> None:
    made = sent_property(schema)
    assert [branch["type"] for branch in made["anyOf"]] == ["string", "number", "boolean", "object", "array"]


def test_an_argument_that_nothing_fits_is_not_shown() -> None:
    assert sent({"properties": {"x": False, "y": {"type": "string"}}})["properties"] == {"y": {"type": "string"}}


@pytest.mark.parametrize(
    ("schema", "shown"),
    [
        ({"enum": ["a", "b", "a"]}, {"type": "string", "enum": ["a", "b"]}),
        ({"enum": ["", "a", None]}, {"type": "string", "enum": ["a"]}),
        ({"const": "a"}, {"type": "string", "enum": ["a"]}),
        ({"enum": [1, 2]}, {"type": "integer", "description": "One of 1, 2."}),
        ({"type": "boolean", "enum": [True]}, {"type": "boolean", "description": "One of true."}),
        ({"type": "string", "enum": []}, {"type": "string"}),
        ({"oneOf": [{"const": "a", "title": "A"}, {"const": "b"}]}, {"type": "string", "enum": ["a", "b"]}),
    ],
)
def test_values_to_choose_from_are_texts_or_told(schema: Json, shown: Json) -> None:
    assert sent_property(schema) == shown


def test_what_some_endpoints_refuse_is_told_in_words() -> None:
    day = {"type": "string", "format": "date", "pattern": r"^\d{4}", "maxLength": 10, "description": "The day"}
    assert sent_property(day) == {
        "type": "string",
        "description": r"The day Format: date. Pattern: ^\d{4} At most 10 characters.",
    }
    assert sent_property({"type": "string", "format": "date-time"}) == {"type": "string", "format": "date-time"}
    assert sent_property({"type": "integer", "exclusiveMinimum": 0}) == {"type": "integer", "minimum": 1}
    assert sent_property({"type": "number", "exclusiveMinimum": 0})["description"] == "More than 0."
    assert sent_property({"type": "array"})["items"]
    assert sent_property({"type": "string", "description": "  "}) == {"type": "string"}


def test_a_pattern_that_is_no_regular_expression_is_reported_and_stops_no_call() -> None:
    schema = {"properties": {"x": {"type": "string", "pattern": "([a-z"}}}
    assert accepted(schema).warnings == ("the pattern '([a-z' is no regular expression: it is not checked here",)
    assert schema_problem(a_tool(schema), {"x": "anything"}) == ""


def test_a_required_argument_that_is_not_described_can_be_given() -> None:
    made = sent({"properties": {"a": {"type": "string"}}, "required": ["a", "b", "b"]})
    assert made["required"] == ["a", "b"]
    assert "anyOf" in made["properties"]["b"]


def test_argument_names_that_endpoints_refuse_are_shown_otherwise_and_come_back() -> None:
    named = {"filter[name]": {"type": "string"}, "姓名": {"type": "string"}, "a-b": {"type": "string"}}
    entries = {"type": "array", "items": {"type": "object", "properties": {"$top": {"type": "integer"}}}}
    tool = a_tool({"properties": {**named, "a.b": {"type": "string"}, "rows": entries}, "required": ["姓名"]})
    function = tool.as_function()["function"]["parameters"]
    assert broken_rules(function) == []
    shown = list(function["properties"])
    assert shown[0] == "filter_name"
    assert "(named 姓名)" in function["properties"][shown[1]]["description"]
    assert len(set(shown)) == 5
    row = next(iter(function["properties"]["rows"]["items"]["properties"]))
    given = {**dict(zip(shown, "abcd", strict=False)), "rows": [{row: 1}]}
    wanted = {"filter[name]": "a", "姓名": "b", "a-b": "c", "a.b": "d", "rows": [{"$top": 1}]}
    assert for_server(given, tool.parameters) == wanted
    assert schema_problem(tool, given) == ""
    assert f"'{shown[1]}' is a required property" in schema_problem(tool, {})


def test_what_hides_in_an_arguments_name_is_not_shown() -> None:
    named = sent({"properties": {"id\u200b<|im_start|>\U000e0041": {"type": "string"}}})["properties"]
    [shown] = (inner["description"] for inner in named.values())
    assert "<|im_start|>" not in shown
    assert shown.isprintable()


def test_a_large_schema_loses_its_words_before_it_is_set_aside() -> None:
    many = {f"p{n}": {"type": "string", "description": "What it is for, at length. " * 20} for n in range(100)}
    made = accepted({"properties": many})
    assert len(made.parameters["properties"]) == 100
    assert "descriptions of arguments are shortened" in made.warnings


def test_a_long_description_is_cut_and_reported() -> None:
    definition = ToolDefinition(name="act", description="word " * 500, input_schema={"type": "object"})
    made = examine(definition)
    assert isinstance(made, Accepted)
    assert "2,499 characters" in made.warnings[0]
    server = Registration(name="s", url="https://s.example.com", tools=(definition,))
    shown = next(iter(toolset([approved_as_found(server)]))).as_function()["function"]["description"]
    assert len(shown) <= 1024
    assert shown.endswith("word…")


def test_a_call_is_checked_by_the_servers_own_schema_and_draft() -> None:
    pair = {"type": "array", "items": [{"type": "string"}, {"type": "integer"}]}
    old = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"pair": pair}}
    answer = ChatAnswer(text="", calls=(WireCall(name="act", arguments='{"pair": ["a", "b"]}'),))
    [call] = read_answer(answer, 0, Toolset([a_tool(old)])).calls
    assert "not of type 'integer'" in call.problem


@pytest.mark.parametrize(
    ("schema", "arguments"),
    [
        ({"properties": {"x": {"type": "string", "pattern": "(a+)+$"}}}, {"x": "a" * 40 + "!"}),
        (
            {
                "$defs": {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(40)}
                | {"d40": {"type": "object"}},
                "$ref": "#/$defs/d0",
            },
            {},
        ),
        ({"properties": {"x": {"$ref": "#/nowhere"}}}, {"x": 1}),
        ({"properties": {"x": {"type": "file"}}}, {"x": 1}),
        ({"properties": {"x": {"multipleOf": 0}}}, {"x": 1}),
        ({"$ref": "#"}, {"x": 1}),
        ({"properties": {"x": {"minLength": "long"}}}, {"x": "y"}),
    ],
)
def test_a_strangers_schema_neither_hangs_nor_breaks_the_check(schema: Json, arguments: Json) -> None:
    tool = Tool(name="act", server="s", original_name="act", description="", parameters={}, input_schema=schema)
    assert schema_problem(tool, arguments) == ""


def test_nothing_is_fetched_that_a_schema_refers_to() -> None:
    # The unit tests have no sockets: a request would fail loudly.
    schema = {"properties": {"x": {"$ref": "http://127.0.0.1:9/schema.json"}}}
    tool = Tool(name="act", server="s", original_name="act", description="", parameters={}, input_schema=schema)
    assert schema_problem(tool, {"x": 1}) == ""
