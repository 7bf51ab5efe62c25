"""The loop's rules: what comes next, how calls are read, what the model sees."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest

from turnkey.deliverables.handed import Handed, HandedItem
from turnkey.loop import prompt
from turnkey.loop.calls import read_answer
from turnkey.loop.text_calls import recover
from turnkey.models.chat import ChatAnswer, WireCall
from turnkey.reading.directive import compose
from turnkey.reading.facts import Facts
from turnkey.reading.plan import Plan
from turnkey.tenancy.settings import Agent, Limits
from turnkey.tools import Hints, Tool, Toolset
from turnkey.turn.journal import Again, Joined, ModelAnswer, Step, ToolCall, ToolResult, directive_now, was_started
from turnkey.turn.progress import AskModel, Finish, RunCalls, next_step
from turnkey.turn.record import Exchange, TurnRecord

SEARCH = Tool(
    name="search_books",
    server="shop",
    original_name="search_books",
    description="Find books",
    parameters={
        "type": "object",
        "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["query"],
    },
    hints=Hints(read_only=True),
)
TOOLS = Toolset([SEARCH])
CALL = ToolCall(id="call_0_0", name="search_books", arguments={"query": "whales"})
ASKED = ModelAnswer(text="", calls=(CALL,))
FOUND = ToolResult(call=CALL, status="ok", text="Moby-Dick")


def step(
    journal: Sequence[Step], now: datetime, *, plan: Plan | None = None, seconds: int = 60, **limits: int
) -> object:
    return next_step(journal, Limits.model_validate(limits), now, now + timedelta(seconds=seconds), plan)


def planned(*missing: str) -> Plan:
    return Plan(
        facts=Facts(kind="items", subject="whales"),
        directive=compose("search_books", {"query": "whales", "limit": 5}, missing),
        goal="search_books",
        message="Any about whales?",
    )


def test_a_turn_begins_by_asking_the_model(now: datetime) -> None:
    assert step([], now) == AskModel()


def test_an_answer_without_calls_ends_the_loop(now: datetime) -> None:
    assert step([ModelAnswer(text="Hello")], now) == Finish(reason="answered")


def test_calls_are_run_before_the_model_is_asked_again(now: datetime) -> None:
    assert step([ASKED], now) == RunCalls(calls=(CALL,))
    assert step([ASKED, FOUND], now) == AskModel()


def test_a_call_that_was_started_and_has_no_end_is_taken_up_again(now: datetime) -> None:
    started = ToolResult(call=CALL)
    assert step([ASKED, started], now) == RunCalls(calls=(CALL,))
    assert was_started([ASKED, started], CALL)
    assert not was_started([ASKED], CALL)


def test_the_loop_ends_at_its_iterations_and_at_its_deadline(now: datetime) -> None:
    assert step([ASKED, FOUND], now, iterations=1) == Finish(reason="iterations")
    assert step([ASKED, FOUND], now, seconds=0) == Finish(reason="deadline")
    assert step([ASKED], now, seconds=-1) == Finish(reason="deadline")


def test_once_the_tool_that_was_meant_has_answered_nothing_more_is_needed(now: datetime) -> None:
    assert step([ASKED, FOUND], now, plan=planned()) == Finish(reason="answered")


def test_a_call_that_failed_is_mended_by_the_model_only_where_the_model_gave_its_arguments(now: datetime) -> None:
    failed = FOUND.model_copy(update={"status": "error"})
    assert step([ASKED, failed], now, plan=planned()) == Finish(reason="answered")
    assert step([ASKED, failed], now, plan=planned("query")) == AskModel()


def test_a_second_step_is_asked_for_once_the_first_has_come_back(now: datetime) -> None:
    following = compose("check_stock", {"book_id": "B001"})
    first = FOUND.model_copy(update={"followed_by": following})
    assert step([ASKED, first], now, plan=planned()) == AskModel()
    assert directive_now(planned(), [ASKED, first]) == following
    call = ToolCall(id="call_1_0", name="check_stock", arguments={"book_id": "B001"})
    second: list[Step] = [ModelAnswer(text="", calls=(call,)), ToolResult(call=call, status="ok", text="3")]
    assert step([ASKED, first, *second], now, plan=planned()) == Finish(reason="answered")
    assert directive_now(planned(), [ASKED, first, *second]) is None


def test_one_more_ask_is_answered_by_the_model(now: datetime) -> None:
    asked_again: list[Step] = [ModelAnswer(text="Here you are."), Again(text="Call search_books.")]
    assert step(asked_again, now, plan=planned()) == AskModel()
    assert step([*asked_again, ASKED], now, plan=planned()) == RunCalls(calls=(CALL,))


def calling(number: int, *queries: str) -> list[Step]:
    """An answer with these searches, and their results."""
    calls = tuple(
        ToolCall(id=f"call_{number}_{place}", name="search_books", arguments={"query": query})
        for place, query in enumerate(queries)
    )
    return [ModelAnswer(text="", calls=calls), *(ToolResult(call=call, status="ok", text="…") for call in calls)]


def test_the_same_call_a_third_time_ends_the_loop(now: datetime) -> None:
    twice = [*calling(0, "whales"), *calling(1, "whales")]
    assert step([*twice, *calling(2, "birds")], now) == AskModel()
    assert step([*twice, calling(2, "whales")[0]], now) == Finish(reason="repetition")


def test_calls_beyond_the_limit_are_not_made(now: datetime) -> None:
    answer = calling(0, *"abcde")[0]
    assert isinstance(answer, ModelAnswer)
    assert step([answer], now, calls=3) == RunCalls(calls=answer.calls[:3])
    three = [answer, *(ToolResult(call=call, status="ok", text="…") for call in answer.calls[:3])]
    assert step(three, now, calls=3) == Finish(reason="calls")


def test_a_call_under_way_when_the_process_died_is_within_the_limit(now: datetime) -> None:
    answer = calling(0, "a")[0]
    assert isinstance(answer, ModelAnswer)
    started = ToolResult(call=answer.calls[0])
    assert step([answer, started], now, calls=1) == RunCalls(calls=answer.calls)


def test_the_loop_ends_when_its_tokens_are_spent(now: datetime) -> None:
    spent = ASKED.model_copy(update={"prompt_tokens": 900, "completion_tokens": 200})
    assert step([spent, FOUND], now, tokens=1000) == Finish(reason="tokens")


def joined(now: datetime) -> Joined:
    from turnkey.channels import InboundMessage

    return Joined(messages=(InboundMessage(id="n", conversation="c", text="And birds?", sent_at=now),))


def test_a_message_that_joined_is_answered_too(now: datetime) -> None:
    assert step([ModelAnswer(text="Hello"), joined(now)], now) == AskModel()
    assert step([ASKED, FOUND, joined(now)], now, plan=planned()) == AskModel()
    both = [ASKED, FOUND, joined(now), ModelAnswer(text="Both")]
    assert step(both, now, plan=planned()) == Finish(reason="answered")


def test_an_answer_that_the_customer_never_saw_is_left_out_when_a_message_joins(now: datetime) -> None:
    journal = [ModelAnswer(text="unseen"), joined(now)]
    contents = [m["content"] for m in prompt.loop_request(record(now), AGENT, TOOLS, journal, "native").messages]
    assert contents[-2:] == ["Any about whales?", "And birds?"]


def test_structured_calls_get_ids_of_ours() -> None:
    wire = WireCall(name="search_books", arguments='{"query": "whales"}')
    answer = read_answer(ChatAnswer(text="", calls=(wire, wire)), 3, TOOLS)
    assert [call.id for call in answer.calls] == ["call_3_0", "call_3_1"]
    assert [call.problem for call in answer.calls] == ["", ""]


def test_a_call_written_as_text_is_found_and_taken_out() -> None:
    text = 'Let me look. <tool_call>\n{"name": "search_books", "arguments": {"query": "whales"}}\n</tool_call>'
    answer = read_answer(ChatAnswer(text=text), 0, TOOLS)
    assert (answer.text, answer.calls) == ("Let me look.", (CALL,))


@pytest.mark.parametrize(
    ("name", "arguments", "problem"),
    [
        ("search_films", "{}", "There is no tool 'search_films'. Tools there are: search_books."),
        ("search_books", "{nonsense", "The arguments are no JSON object. Write the call again."),
        ("search_books", "[1]", "The arguments are no JSON object. Write the call again."),
        ("search_books", "{}", "'query' is a required property"),
        ("search_books", '{"query": [3]}', "at query: [3] is not of type 'string'"),
    ],
)
def test_a_call_that_cannot_be_run_tells_the_model_why(name: str, arguments: str, problem: str) -> None:
    wire = WireCall(name=name, arguments=arguments)
    (call,) = read_answer(ChatAnswer(text="", calls=(wire,)), 0, TOOLS).calls
    assert problem in call.problem


@pytest.mark.parametrize(
    "arguments",
    [
        '{"query": "whales", "limit": "5"}',
        '"{\\"query\\": \\"whales\\", \\"limit\\": 5}"',
        '{"query": "whales", "limit": 5.0}',
    ],
)
def test_what_the_schema_settles_needs_no_second_try(arguments: str) -> None:
    wire = WireCall(name="search_books", arguments=arguments)
    (call,) = read_answer(ChatAnswer(text="", calls=(wire,)), 0, TOOLS).calls
    assert (call.arguments, call.problem) == ({"query": "whales", "limit": 5}, "")


def test_a_call_that_the_customer_wrote_is_quoted_and_not_made() -> None:
    call = '<tool_call>{"name": "search_books", "arguments": {"query": "whales"}}</tool_call>'
    answer = read_answer(ChatAnswer(text=f"You wrote {call}"), 0, TOOLS, quoted=[f"What does {call} do?"])
    assert answer.calls == ()
    assert "tool_call" not in answer.text


def test_a_tool_that_is_not_shown_is_refused_and_the_model_is_told() -> None:
    answer = read_answer(ChatAnswer(text='<tool_call>{"name": "delete_all", "arguments": {}}</tool_call>'), 0, TOOLS)
    assert [call.problem for call in answer.calls] == ["There is no tool 'delete_all'. Tools there are: search_books."]


def test_a_tool_that_is_not_shown_is_never_called_from_text_and_its_markup_is_gone() -> None:
    recovered = recover('A<tool_call>{"name": "delete_all", "arguments": {}}</tool_call>B', TOOLS)
    assert (recovered.calls, recovered.text) == ((), "AB")


@pytest.mark.parametrize("finish_reason", ["stop", "length"])
def test_a_call_that_is_cut_off_is_never_completed(finish_reason: str) -> None:
    recovered = recover('<tool_call>{"name": "search_books", "arguments": {"query": "wha', TOOLS, finish_reason)
    assert (recovered.calls, recovered.text) == ((), "")


def test_text_without_markup_comes_back_unchanged() -> None:
    text = 'Use {"name": "x"} and <b>tags</b>.'
    assert recover(text, TOOLS).text == text


def record(now: datetime, **changes: object) -> TurnRecord:
    from turnkey.channels import InboundMessage

    message = InboundMessage(id="m", conversation="c", text="Any about whales?", sent_at=now)
    history = (Exchange(question="Hello", reply="Hi"),)
    return TurnRecord.model_validate(
        {"turn": 2, "agent": "clerk", "messages": (message,), "history": history, "opened_at": now, "deadline": now}
        | changes
    )


AGENT = Agent(name="clerk", instructions="You are a clerk.")


def test_a_native_endpoint_gets_the_tools_field_and_the_conversation(now: datetime) -> None:
    request = prompt.loop_request(record(now), AGENT, TOOLS, [ASKED, FOUND], "native")
    assert [message["role"] for message in request.messages] == [
        "system", "user", "assistant", "user", "assistant", "tool",
    ]  # fmt: skip
    assert request.tools == (SEARCH.as_function(),)
    assert "tool_choice" not in type(request).model_fields


def test_an_argument_that_may_be_null_is_written_out_by_its_real_type(now: datetime) -> None:
    either = {"type": "object", "properties": {"limit": {"type": ["integer", "null"]}}}
    tool = next(iter(TOOLS)).model_copy(update={"name": "look", "parameters": either})
    request = prompt.loop_request(record(now), AGENT, Toolset([tool]), [], "text")
    assert "look(limit?: integer)" in request.messages[0]["content"]


def test_a_text_endpoint_gets_the_tools_in_the_prompt(now: datetime) -> None:
    request = prompt.loop_request(record(now), AGENT, TOOLS, [ASKED, FOUND], "text")
    assert request.tools == ()
    assert "search_books" in request.messages[0]["content"]
    assert request.messages[-1]["content"] == "<tool_response>\nMoby-Dick\n</tool_response>"


def test_a_directive_goes_to_a_text_endpoint_behind_worked_calls_and_nothing_else(now: datetime) -> None:
    directed = record(now, plan=planned())
    contents = [m["content"] for m in prompt.loop_request(directed, AGENT, TOOLS, [], "text").messages]
    assert contents[-1] == 'Call search_books with {"query": "whales", "limit": 5}'
    assert (
        contents[-2]
        == '<tool_call>\n{"name": "search_books", "arguments": {"query": "blue", "limit": 4}}\n</tool_call>'
    )
    assert not any("Any about whales?" in content or "You are a clerk." in content for content in contents)


def test_a_native_endpoint_is_told_each_step_and_the_one_more_ask_in_their_places(now: datetime) -> None:
    first = FOUND.model_copy(update={"followed_by": compose("check_stock", {"book_id": "B001"})})
    steps: list[Step] = [ASKED, first, ModelAnswer(text="It is there."), Again(text="You have not called check_stock.")]
    messages = prompt.loop_request(record(now, plan=planned()), AGENT, TOOLS, steps, "native").messages
    contents = [message["content"] for message in messages]
    assert contents[3] == 'Any about whales?\n\nCall search_books with {"query": "whales", "limit": 5}'
    assert contents[-3:] == [
        'Call check_stock with {"book_id": "B001"}', "It is there.", "You have not called check_stock."
    ]  # fmt: skip


def test_what_was_shown_beside_a_reply_is_part_of_the_conversation(now: datetime) -> None:
    handed = Handed(tool="search_books", kind="items", items=(HandedItem(title="Emma", subtitle="Jane Austen"),))
    told = record(now, history=(Exchange(question="Novels?", reply="Here you are.", handed=handed),))
    contents = [m["content"] for m in prompt.loop_request(told, AGENT, TOOLS, [], "native").messages]
    assert "Here you are.\n[shown: Emma – Jane Austen]" in contents
