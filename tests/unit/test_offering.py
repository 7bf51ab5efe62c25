"""Which tools a request shows: never more than 128, what was looked for among them, and the same after a crash."""

from datetime import UTC, datetime

import pytest

from tests.support.many_tools import server
from turnkey.channels.protocol import InboundMessage
from turnkey.mcp.catalogue import toolset
from turnkey.reading.directive import Directive
from turnkey.reading.facts import Facts
from turnkey.reading.plan import Plan
from turnkey.tenancy.settings import Agent, Limits
from turnkey.tools import Toolset, builtins
from turnkey.tools.builtins import find_tools
from turnkey.turn import offering
from turnkey.turn.journal import Joined, Journal, ToolCall, ToolResult
from turnkey.turn.record import TurnRecord
from turnkey.turn.reference import TurnReference
from turnkey.turn.run import Run

NOW = datetime(2026, 1, 1, tzinfo=UTC)
EVERY = toolset([server(300)])


def message(text: str) -> InboundMessage:
    return InboundMessage(id="m", conversation="c", sender="u", text=text, sent_at=NOW)


def run(text: str, limit: int = 20, every: Toolset = EVERY, plan: Plan | None = None) -> Run:
    record = TurnRecord(
        turn=1,
        agent="clerk",
        messages=(message(text),),
        tools=offering.choose(every, [text], (), limit),
        plan=plan,
        opened_at=NOW,
        deadline=NOW,
    )
    tools = offering.shown(every, record, (), limit)
    reference = TurnReference(tenant="shop", connection="web", conversation="c", turn=1)
    agent = Agent(name="clerk", instructions="", limits=Limits(tools=limit))
    return Run(reference, record, agent, tools, every, Toolset((*every, *builtins.TOOLS)), "native")


def looked_for(one: Run, query: str, steps: Journal = ()) -> ToolResult:
    call = ToolCall(id="call_0_0", name="find_tools", arguments={"query": query})
    found = offering.look_for(one, call.arguments, offering.offered(one, steps).names)
    text = find_tools.told(call.arguments, found, one.known).text
    return ToolResult(call=call, status="ok", text=text, found=found)


def test_of_many_tools_the_limit_is_shown_and_a_way_to_the_others() -> None:
    shown = offering.offered(run("Where is my parcel?"), ()).names
    assert len(shown) == 21
    assert "track_parcel" in shown
    assert shown[-1] == "find_tools"


def test_without_more_tools_there_is_no_way_to_others() -> None:
    few = EVERY.only(EVERY.names[:20])
    assert offering.offered(run("Where is my parcel?", every=few), ()).names == few.names


def test_what_is_found_is_shown_from_then_on_and_never_found_again() -> None:
    one = run("Where is my parcel?")
    first = looked_for(one, "change a customer's postal address")
    assert any(name.startswith("crm_update_address") for name in first.found)
    assert not set(first.found) & set(offering.offered(one, ()).names)
    shown = offering.offered(one, (first,)).names
    assert set(first.found) < set(shown)
    again = looked_for(one, "change a customer's postal address", (first,))
    assert not set(again.found) & set(shown)


def test_what_is_told_of_found_tools_is_their_names_and_few_words() -> None:
    one = run("Where is my parcel?")
    told = looked_for(one, "reset a password").text.splitlines()
    assert told[0] == "These tools can be called from now on:"
    assert told[1].startswith("- it_reset_password: Reset password. Send somebody a link")
    assert all(len(line) < 300 for line in told)


def test_it_is_said_honestly_when_nothing_fits() -> None:
    result = looked_for(run("Where is my parcel?"), "xyzzy plugh")
    assert result.found == ()
    assert "None of the other tools" in result.text
    assert "xyzzy plugh" in result.text


@pytest.mark.parametrize("limit", [1, 20, 126, 128])
def test_no_request_shows_more_than_128_tools_whatever_is_found(limit: int) -> None:
    one = run("Where is my parcel?", limit)
    steps: list[ToolResult] = []
    for number in range(40):
        steps.append(looked_for(one, f"customer order invoice store employee {number}", steps))
    listed = ToolResult(call=ToolCall(id="call_1_0", name="x"), status="ok", tool_kind="items", items=5, partial=True)
    shown = offering.offered(one, (*steps, listed)).names
    assert len(shown) == len(set(shown)) <= 128
    assert {"find_tools", "read_more", "show_items", "draw_chart"} <= set(shown)
    assert set(steps[-1].found) <= set(shown)


def test_the_same_journal_shows_the_same_tools() -> None:
    one, same = run("Where is my parcel?"), run("Where is my parcel?")
    steps = (looked_for(one, "password"),)
    assert offering.offered(one, steps).names == offering.offered(same, steps).names


def test_messages_that_joined_have_their_tools_shown_too() -> None:
    one = run("Where is my parcel?")
    assert "it_reset_password" not in one.tools.names
    joined = Joined(messages=(message("and I forgot my password"),))
    tools = offering.shown(EVERY, one.record, (joined,), 20)
    assert {"track_parcel", "it_reset_password"} <= set(tools.names)
    assert len(tools) == 20


def test_a_directive_still_shows_one_tool() -> None:
    directive = Directive(tool="track_parcel", arguments={}, sentence="Call track_parcel.")
    plan = Plan(facts=Facts(kind="lookup"), directive=directive, goal="track_parcel", message="Where is my parcel?")
    assert offering.offered(run("Where is my parcel?", plan=plan), ()).names == ("track_parcel",)


def test_no_tenants_tool_is_called_find_tools() -> None:
    first = server(1)
    named = first.tools[0].model_copy(update={"name": "find_tools"})
    registration = first.model_copy(update={"tools": (named,), "approved": {"find_tools": named.digest}})
    assert toolset([registration]).names == ("s_find_tools",)
