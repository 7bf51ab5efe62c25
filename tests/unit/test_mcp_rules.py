"""Tool names and schemas that model endpoints accept, and results as text."""

import re

import pytest

from turnkey.mcp import naming
from turnkey.mcp.catalogue import set_aside, toolset
from turnkey.mcp.registration import Registration, ToolDefinition, approved_as_found
from turnkey.mcp.results import to_text

ACCEPTED = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")


@pytest.mark.parametrize("name", ["a.b/c", "поиск", "搜索", "x" * 200, "", "a b", "_", "..", "search"])
def test_every_name_becomes_one_that_endpoints_accept(name: str) -> None:
    assert ACCEPTED.match(naming.acceptable(name))


def test_an_acceptable_name_stays_as_it_is() -> None:
    assert naming.acceptable("search_books") == "search_books"


def test_names_that_differ_never_merge() -> None:
    long = "create_" + "x" * 80
    pairs = [("s", "a.b"), ("s", "a/b"), ("s", "a_b"), ("s", long + "1"), ("s", long + "2"), ("t", "a.b"), ("t", "a_b")]
    names = naming.model_names(pairs)
    assert len(set(names.values())) == len(pairs)
    assert all(ACCEPTED.match(name) for name in names.values())


def test_a_name_on_two_servers_gets_its_server_in_front() -> None:
    assert naming.model_names([("one", "search"), ("two", "search")]) == {
        ("one", "search"): "one_search",
        ("two", "search"): "two_search",
    }


def test_names_do_not_depend_on_the_order_of_the_tools() -> None:
    pairs = [("one", "search"), ("two", "search"), ("three", "one_search"), ("one", "a.b"), ("two", "a/b")]
    assert naming.model_names(pairs) == naming.model_names(reversed(pairs))


def test_a_tool_keeps_its_name_whatever_other_tools_come_and_go() -> None:
    mine = [("crm", "find.customer"), ("crm", "get_order"), ("crm", "顾客")]
    others = [("erp", f"tool_{number}") for number in range(200)] + [("erp", "find/customer")]
    alone, among = naming.model_names(mine), naming.model_names([*others, *mine])
    assert {pair: among[pair] for pair in mine} == alone


def test_a_name_that_someone_made_up_to_meet_another_meets_none() -> None:
    taken = naming.model_names([("s", "a"), ("t", "a"), ("u", "s_a")])["s", "a"]
    names = naming.model_names([("s", "a"), ("t", "a"), ("u", "s_a"), ("v", taken)], reserved=frozenset({"t_a"}))
    assert len(set(names.values())) == 4
    assert "t_a" not in names.values()


def test_a_tool_that_waits_for_approval_renames_no_other_when_it_is_approved() -> None:
    search = ToolDefinition(name="search", input_schema={"type": "object"})
    one, two = (Registration(name=name, url="https://s.example.com", tools=(search,)) for name in ("one", "two"))
    assert toolset([approved_as_found(one), two]).names == ("one_search",)
    assert toolset([approved_as_found(one), approved_as_found(two)]).names == ("one_search", "two_search")


def test_a_tool_listed_twice_is_shown_once_as_it_was_listed_first() -> None:
    first, again = (ToolDefinition(name="go", description=text, input_schema={}) for text in ("first", "again"))
    server = Registration(name="s", url="https://s.example.com", tools=(first, again), approved={"go": first.digest})
    assert [tool.description for tool in toolset([server])] == ["first"]


def test_a_prefixed_name_does_not_collide_with_a_real_one() -> None:
    names = naming.model_names([("one", "search"), ("two", "search"), ("three", "one_search")])
    assert len(set(names.values())) == 3


@pytest.mark.parametrize("schema", [{"anyOf": []}, {"type": "array"}, {"oneOf": [], "type": "object"}])
def test_a_schema_that_no_endpoint_takes_is_set_aside_and_reported(schema: dict[str, object]) -> None:
    good = ToolDefinition(name="good", input_schema={"type": "object"})
    registration = Registration(
        name="s", url="https://s.example.com", tools=(good, ToolDefinition(name="bad", input_schema=schema))
    )
    assert toolset([approved_as_found(registration)]).names == ("good",)
    assert set_aside(registration) == ("bad",)


def test_an_empty_description_is_filled() -> None:
    registration = Registration(
        name="s", url="https://s.example.com", tools=(ToolDefinition(name="go", input_schema={"type": "object"}),)
    )
    assert next(iter(toolset([approved_as_found(registration)]))).description == "go"


def test_the_structured_result_is_taken_and_its_copy_in_text_is_not() -> None:
    assert to_text([{"type": "text", "text": '{"a": 1}'}], {"a": "鯨"}) == '{"a":"鯨"}'


@pytest.mark.parametrize(("structured", "text"), [({"result": "plain"}, "plain"), ({"result": [1]}, "[1]")])
def test_a_result_that_was_wrapped_to_be_an_object_is_taken_out(structured: dict[str, object], text: str) -> None:
    assert to_text([], structured) == text


def test_half_a_surrogate_pair_never_gets_further() -> None:
    assert to_text([{"type": "text", "text": "a\ud800b"}], None) == "a?b"


def test_binary_content_is_named_and_never_shown() -> None:
    text = to_text(
        [{"type": "text", "text": "A cover:"}, {"type": "image", "mimeType": "image/png", "data": "QUJD"}], None
    )
    assert text == "A cover:\n[image image/png, 3 bytes: not shown]"


def test_the_fingerprint_changes_with_a_definition_and_not_with_the_order() -> None:
    one, two = (ToolDefinition(name=name, input_schema={"type": "object"}) for name in "ab")
    make = lambda *tools: Registration(name="s", url="https://s.example.com", tools=tools).fingerprint  # noqa: E731
    assert make(one, two) == make(two, one)
    assert make(one) != make(one.model_copy(update={"description": "other"}))
