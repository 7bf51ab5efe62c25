"""The trust record: what a tenant approved is what a turn shows, and every difference from it can be seen."""

from datetime import UTC, datetime
from typing import Any

import pytest

from turnkey.mcp import checkup
from turnkey.mcp.checkup import Answer
from turnkey.mcp.differences import LONGEST, MOST, Difference, differences, visible
from turnkey.mcp.failures import Failure, FailureKind
from turnkey.mcp.registration import Registration, ToolDefinition, approved_as_found
from turnkey.mcp.trust import approve, carry_over, held, remembered, with_missing
from turnkey.tools import Hints, JsonObject

NOW = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
QUICK = Answer(milliseconds=20)


def tool(name: str = "search", description: str = "Finds books.", **properties: JsonObject) -> ToolDefinition:
    return ToolDefinition(name=name, description=description, input_schema={"type": "object", "properties": properties})


def server(*tools: ToolDefinition, **more: Any) -> Registration:
    """Just registered: all its tools are approved."""
    return approved_as_found(Registration(name="shop", url="https://shop.example.com/mcp", tools=tools, **more))


def listed(before: Registration, *tools: ToolDefinition) -> Registration:
    """The same server after another list."""
    return carry_over(before, before.model_copy(update={"tools": tools, "approved": {}}))


def usable(registration: Registration) -> list[str]:
    return [tool.name for tool in registration.usable]


def test_a_changed_and_a_new_tool_are_held_and_the_others_go_on() -> None:
    after = listed(server(tool("a"), tool("b")), tool("a"), tool("b", "Other words."), tool("c"))
    assert usable(after) == ["a"]
    assert [(waiting.name, waiting.change) for waiting in held(after)] == [("b", "changed"), ("c", "new")]


def test_an_approval_is_for_the_definition_as_it_is_stored() -> None:
    after = approve(listed(server(tool("a")), tool("a", "Other words.")), ["a"])
    assert usable(after) == ["a"]
    assert usable(listed(after, tool("a"))) == []


def test_a_tool_that_comes_back_byte_for_byte_is_approved_and_any_other_is_not() -> None:
    gone = listed(server(tool("a"), tool("b")), tool("a"))
    assert usable(gone) == ["a"]
    assert usable(listed(gone, tool("a"), tool("b"))) == ["a", "b"]
    assert usable(listed(gone, tool("a"), tool("b", "Finds books. "))) == ["a"]


@pytest.mark.parametrize(
    "hidden", ["\u200b", "\u202e", "\U000e0041", "\ufe01", "\u00ad", "\u3164", "\u0000", "\u2028", "\ud800"]
)
def test_a_change_that_cannot_be_seen_holds_the_tool_and_is_shown(hidden: str) -> None:
    before = tool("a", "Finds books of the shop, old and new.")
    after = tool("a", f"Finds books of{hidden} the shop, old and new.")
    assert usable(listed(server(before), after)) == []
    [difference] = differences(before, after)
    assert f"of<U+{ord(hidden):04X}> the shop" in difference.after
    assert hidden not in difference.after
    assert "<U+" not in difference.before


def test_a_letter_that_looks_like_another_is_told_by_its_number() -> None:
    [difference] = differences(tool(description="Pay the bill."), tool(description="P\u0430y the bill."))
    assert difference.after.endswith("[U+0430]")


def test_every_part_of_a_definition_is_compared() -> None:
    before = tool(query={"type": "string"}, limit={"type": "integer", "maximum": 10}).model_copy(
        update={"hints": Hints(read_only=True), "output_schema": {"type": "object"}}
    )
    after = tool(query={"type": "string"}, email={"type": "string"}, limit={"type": "integer", "maximum": 50})
    told = {(found.part, found.change): (found.before, found.after) for found in differences(before, after)}
    assert told == {
        ("hint read_only", "changed"): ("true", "false"),
        ("input.properties.email", "added"): ("", '{"type": "string"}'),
        ("input.properties.limit.maximum", "changed"): ("10", "50"),
        ("output", "removed"): ('{"type": "object"}', ""),
    }


@pytest.mark.parametrize(("before", "after"), [(1, True), (1, 1.0), ("1", 1), (None, ""), ([], {})])
def test_values_that_python_takes_for_equal_are_not(before: Any, after: Any) -> None:
    one, other = (tool(limit={"default": value}) for value in (before, after))
    [difference] = differences(one, other)
    assert (difference.part, difference.before != difference.after) == ("input.properties.limit.default", True)
    assert usable(listed(server(one), other)) == []


def test_whatever_differs_in_the_digest_is_told_and_nothing_else() -> None:
    one = tool(query={"type": "string"})
    assert differences(one, one.model_copy(update={"kind": "items"})) == ()
    assert one.digest == one.model_copy(update={"kind": "items"}).digest
    for change in ({"title": "Search"}, {"hints": Hints(destructive=False)}, {"output_schema": {}}):
        other = one.model_copy(update=change)
        assert (one.digest != other.digest, len(differences(one, other))) == (True, 1), change


def test_long_texts_and_many_changes_are_cut_and_say_so() -> None:
    [difference] = differences(tool(description="short"), tool(description="short " + "x" * 5000))
    assert len(difference.after) < LONGEST + 60
    assert "more characters" in difference.after
    many = {f"p{number}": {"type": "string"} for number in range(MOST + 10)}
    assert len(differences(tool(), tool("search", "Finds books.", **many))) == MOST


def test_a_benign_change_in_front_does_not_hide_one_at_the_end() -> None:
    [difference] = differences(
        tool(description="Finds " + "a" * 300), tool(description="Seeks " + "a" * 300 + " PAY ME")
    )
    assert "PAY ME" in difference.after


def test_a_deep_schema_is_compared_without_end_of_the_stack() -> None:
    deep: Any = {"type": "string"}
    for _ in range(300):
        deep = {"type": "object", "properties": {"a": deep}}
    assert differences(tool(a=deep), tool(a={"type": "object", "properties": {"a": deep}}))


def test_text_in_any_script_stays_as_it_is() -> None:
    for text in ("Finds books", "найти книги", "查找书籍", "本を探す", "책 찾기", "البحث عن كتب", "kitap bul", "über"):
        assert visible(text) == text


def test_what_was_approved_is_remembered_while_the_tool_is_other_or_gone() -> None:
    first = server(tool("a"), tool("b"), tool("c"))
    second = listed(first, tool("a"), tool("b", "Other."))
    kept = remembered(first, second)
    assert [tool.name for tool in kept.tools] == ["b", "c"]
    third = listed(second, tool("a"), tool("b", "Other still."), tool("c"))
    assert remembered(second, third, kept).tools == (tool("b"),)
    assert remembered(third, approve(third, ["b"]), remembered(second, third, kept)).tools == ()


def test_an_unapproved_definition_is_never_remembered_as_approved() -> None:
    first = server(tool("a"))
    second = listed(first, tool("a", "Bad."))
    third = listed(second, tool("a", "Worse."))
    assert remembered(second, third, remembered(first, second)).tools == (tool("a"),)


def test_a_list_that_was_cut_says_nothing_of_the_tools_behind_the_cut() -> None:
    before = server(tool("a"), tool("b"), tool("c"))
    found = before.model_copy(update={"tools": (tool("a", "Other."),)})
    assert [tool.name for tool in with_missing(before, found, ["c"]).tools] == ["a", "b"]


def test_a_quick_server_whose_tools_are_approved_is_ok() -> None:
    assert checkup.answered(server(tool()), QUICK, NOW).model_dump(exclude={"checked_at", "milliseconds"}) == {
        "name": "shop",
        "status": "ok",
        "error": "",
        "http_status": 0,
        "problem": "",
        "notes": (),
        "held": (),
    }


@pytest.mark.parametrize(
    ("listing", "error", "word"),
    [
        (Answer(milliseconds=5100), "", "5.1 s"),
        (Answer(milliseconds=20, warnings=("'broken' has no inputSchema",)), "", "broken"),
        (Answer(milliseconds=20, warnings=("more than 50 pages",), cut=True), "ListCut", "50 pages"),
        (Answer(milliseconds=20, vanished=4), "NoTools", "lists no tools"),
    ],
)
def test_a_server_that_answers_badly_is_degraded_and_says_why(listing: Answer, error: str, word: str) -> None:
    health = checkup.answered(server(tool()), listing, NOW)
    assert (health.status, health.error) == ("degraded", error)
    assert word in health.problem


def test_a_tool_that_no_model_can_be_shown_degrades_only_where_the_tenant_wants_it() -> None:
    odd = ToolDefinition(name="odd", input_schema={"type": "array"})
    assert checkup.answered(server(tool(), odd), QUICK, NOW).status == "degraded"
    assert checkup.answered(server(tool(), odd, allowed=("search",)), QUICK, NOW).status == "ok"


def test_held_tools_come_first_and_their_approval_brings_back_what_else_there_is() -> None:
    changed = listed(server(tool("a")), tool("a", "Other."))
    health = checkup.answered(changed, Answer(milliseconds=6000), NOW)
    assert (health.status, health.held) == ("changed", ("a",))
    assert "turnkey approve" in health.problem
    after = checkup.approved(health, approve(changed, ["a"]))
    assert (after.status, after.held) == ("degraded", ())
    assert "6.0 s" in after.problem


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("AuthFailed", "auth_failed"),
        ("Unreachable", "unreachable"),
        ("TimedOut", "unreachable"),
        ("ServerError", "unreachable"),
        ("InvalidAnswer", "unreachable"),
        ("AddressRefused", "unreachable"),
        ("RateLimited", "degraded"),
    ],
)
def test_a_failure_is_told_with_its_class_and_status_and_an_approval_does_not_heal_it(
    kind: FailureKind, status: str
) -> None:
    changed = listed(server(tool("a")), tool("a", "Other."))
    health = checkup.failed(changed, Failure(kind=kind, message="no", http_status=503), 7, NOW)
    assert (health.status, health.error, health.http_status, health.held) == (status, kind, 503, ("a",))
    after = checkup.approved(health, approve(changed, ["a"]))
    assert (after.status, after.held, after.problem) == (status, (), "no")


def test_a_difference_is_a_value_that_can_be_sent() -> None:
    [difference] = differences(tool(), tool(description="\ud83d\ude00 other"))
    assert Difference.model_validate_json(difference.model_dump_json()) == difference
