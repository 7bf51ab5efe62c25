"""Skills in a turn: what is told of them before, what comes with them, how long they stay, and that all is bounded."""

from datetime import UTC, datetime

import pytest

from turnkey.channels.protocol import InboundMessage
from turnkey.loop.tokens import estimate
from turnkey.mcp.catalogue import toolset
from turnkey.mcp.registration import Registration, ToolDefinition, approved_as_found
from turnkey.skills.head import SkillHead
from turnkey.skills.skill import Skill
from turnkey.tenancy.settings import Agent
from turnkey.tools import Tool, Toolset, builtins
from turnkey.tools.builtins import invoke_skill
from turnkey.tools.builtins.situation import Known, Said, Situation
from turnkey.turn import carrying, journal, offering, skilling
from turnkey.turn.journal import Joined, ToolCall, ToolResult
from turnkey.turn.record import Exchange, ReplyRecord, TurnRecord
from turnkey.turn.reference import TurnReference
from turnkey.turn.run import Run

NOW = datetime(2026, 1, 1, tzinfo=UTC)
REFUNDS = SkillHead(
    name="refunds",
    description="Gives customers their money back.",
    tools=("refund_*", "till:find_order"),
    has_files=True,
)
VISITS = SkillHead(name="visits", description="How visits to the workshop are planned.", tools=("book_visit",))
AGENT = Agent(name="clerk", instructions="Be brief.", servers=("till", "diary"), skills=(REFUNDS, VISITS))


def server(name: str, *tools: str) -> Registration:
    found = tuple(
        ToolDefinition(name=one, description=f"Does {one}.", input_schema={"type": "object", "properties": {}})
        for one in tools
    )
    return approved_as_found(Registration(name=name, url="https://s.example.com/mcp", tools=found))


EVERY = toolset(
    [server("till", "find_order", "refund_order", "refund_part", "status"), server("diary", "book_visit", "find_order")]
)


def message(text: str) -> InboundMessage:
    return InboundMessage(id="m", conversation="c", sender="u", text=text, sent_at=NOW)


def record(text: str = "Something is wrong", **fields: object) -> TurnRecord:
    given = {"turn": 1, "agent": "clerk", "messages": (message(text),), "opened_at": NOW, "deadline": NOW, **fields}
    return TurnRecord.model_validate(given)


def load(name: str, number: int = 0, found: tuple[str, ...] = ()) -> ToolResult:
    call = ToolCall(id=f"call_{number}_0", name="invoke_skill", arguments={"name": name})
    return ToolResult(call=call, status="ok", skill=name, found=found)


def exchange(question: str, reply: str, *skills: str) -> Exchange:
    return Exchange(question=question, reply=reply, skills=skills)


def begun(text: str, *history: Exchange, agent: Agent = AGENT) -> carrying.Begun:
    return carrying.begin(Known(), agent, history, text, "en")


def test_what_comes_with_a_skill_is_hidden_without_it() -> None:
    assert skilling.hidden(AGENT, EVERY) == {"till_find_order", "refund_order", "refund_part", "book_visit"}
    assert skilling.tools_of(AGENT, ("refunds",), EVERY) == ("till_find_order", "refund_order", "refund_part")
    assert skilling.tools_of(AGENT, ("visits", "gone"), EVERY) == ("book_visit",)
    assert skilling.hidden(Agent(name="a", instructions=""), EVERY) == frozenset()


def test_what_is_always_shown_needs_no_skill() -> None:
    agent = AGENT.model_copy(update={"always_shown": ("find_order", "diary:*")})
    assert skilling.hidden(agent, EVERY) == {"refund_order", "refund_part"}


def test_a_skill_that_is_plainly_meant_opens_the_turn_once() -> None:
    first = begun("I want my money back, a refund please")
    assert (first.opened, first.known.loaded) == ("refunds", ())
    opening = skilling.opening(record(skill="refunds"), ())
    assert opening
    assert (opening.author, opening.calls[0].name, opening.calls[0].arguments) == (
        "platform",
        "invoke_skill",
        {"name": "refunds"},
    )
    assert skilling.opening(record(skill="refunds"), (opening,)) is None
    assert skilling.opening(record(), ()) is None


def test_an_agent_that_runs_the_bare_loop_is_given_nothing() -> None:
    plain = AGENT.model_copy(update={"plain": True})
    assert begun("I want a refund", agent=plain).opened == ""
    assert begun("I want a refund", agent=plain).known.skills


def test_a_loaded_skill_is_not_opened_again() -> None:
    again = begun("And a refund for the other one, too", exchange("refund please", "Which order?", "refunds"))
    assert (again.opened, again.known.loaded) == ("", ("refunds",))


def test_another_skill_takes_its_place() -> None:
    other = begun("I'd like to plan visits", exchange("refund please", "Which order?", "refunds"))
    assert (other.opened, other.known.loaded) == ("visits", ())


def test_another_topic_ends_it_and_its_answer_does_not() -> None:
    before = exchange("refund please", "Which order?", "refunds")
    assert begun("4711", before).known.loaded == ("refunds",)
    assert begun("When do you open tomorrow?", before).known.loaded == ()


def test_it_is_not_carried_for_ever() -> None:
    idle = [exchange("hm", "Yes?", "refunds")] * carrying.MOST_TURNS
    assert begun("well", *idle[1:]).known.loaded == ("refunds",)
    assert begun("well", *idle).known.loaded == ()
    assert begun("so when do I get the money back", *idle).known.loaded == ("refunds",)


def test_it_ends_with_the_manifest_that_took_it_away() -> None:
    without = AGENT.model_copy(update={"skills": (VISITS,)})
    assert begun("4711", exchange("refund please", "Which?", "refunds"), agent=without).known.loaded == ()
    none = AGENT.model_copy(update={"skills": ()})
    known = Known(loaded=("refunds",), skills=(REFUNDS,))
    assert carrying.begin(known, none, (), "4711", "en").known == Known()


def test_an_apology_between_does_not_end_it() -> None:
    turn = record(known=Known(loaded=("refunds",)))
    assert turn.history_for_next(ReplyRecord(text="Sorry."))[-1].skills == ("refunds",)
    assert turn.history_for_next(ReplyRecord(text="x", skills=("visits",)))[-1].skills == ("visits",)


def test_the_one_loaded_last_stands_last() -> None:
    turn = record(known=Known(loaded=("a", "b")))
    assert skilling.loaded(turn, (load("c"), load("a"))) == ("b", "c", "a")
    assert skilling.loaded(turn, ()) == ("a", "b")


def situation(text: str, known: Known, *steps: ToolResult, before: str = "", asked: str = "") -> Situation:
    said: tuple[Said, ...] = (("customer", before), ("agent", asked)) if before else ()
    return Situation(messages=(text,), before=said, language="en", known=known, steps=steps)


def test_there_is_a_reason_where_something_is_asked_for() -> None:
    known = begun("Something is wrong").known
    assert invoke_skill.has_reason(situation("Something is wrong", known))
    assert not invoke_skill.has_reason(situation("Hello!", known))
    assert not invoke_skill.has_reason(situation("Something is wrong", Known()))
    assert invoke_skill.has_reason(
        situation("yes please", known, before="Something is wrong", asked="Shall I look into it?")
    )
    assert not invoke_skill.has_reason(situation("Thanks!", known, before="Something is wrong", asked="Done."))


def test_a_loaded_skill_is_shown_for_its_files_alone() -> None:
    only = AGENT.model_copy(update={"skills": (REFUNDS,)})
    known = begun("4711", exchange("refund please", "Which order?", "refunds"), agent=only).known
    assert invoke_skill.has_reason(situation("4711", known))
    tool = invoke_skill.shown(invoke_skill.TOOL, situation("4711", known))
    assert "file" in tool.parameters["properties"]
    assert "money back" not in tool.description


def shown(heads: tuple[SkillHead, ...], text: str = "x") -> Tool:
    agent = AGENT.model_copy(update={"skills": heads})
    known = carrying.begin(Known(), agent, (), text, "en").known
    return invoke_skill.shown(invoke_skill.TOOL, situation(text, known))


def test_names_and_a_line_each_are_told_before() -> None:
    tool = shown((REFUNDS, VISITS))
    assert tool.parameters["properties"]["name"]["enum"] == ["refunds", "visits"]
    assert tool.description.splitlines()[1:] == [
        "- refunds: Gives customers their money back.",
        "- visits: How visits to the workshop are planned.",
    ]
    assert "file" not in tool.parameters["properties"]


def test_of_many_skills_all_names_are_told_and_the_likeliest_are_described_first() -> None:
    many = tuple(SkillHead(name=f"skill-{n}", description=f"{'Words and words. ' * 30} {n}") for n in range(49))
    tool = shown((*many, REFUNDS), "I want my money back")
    assert len(tool.parameters["properties"]["name"]["enum"]) == 50
    assert tool.parameters["properties"]["name"]["enum"][0] == "refunds"
    assert tool.description.splitlines()[1] == "- refunds: Gives customers their money back."
    assert len(tool.description) <= 1024
    assert 6 <= len(tool.description.splitlines()) <= 10


def test_what_the_turn_keeps_of_skills_is_bounded() -> None:
    many = tuple(SkillHead(name=f"{'n' * 60}-{n}", description="退" * 1024, tools=("x" * 60,) * 50) for n in range(50))
    known = carrying.begin(Known(), AGENT.model_copy(update={"skills": many}), (), "退款", "zh").known
    assert len(known.model_dump_json().encode()) < 25_000


def run(turn: TurnRecord) -> Run:
    outer = EVERY.without(skilling.hidden(AGENT, EVERY))
    reference = TurnReference(tenant="shop", connection="web", conversation="c", turn=1)
    tools = offering.shown(outer, turn, (), 20)
    return Run(reference, turn, AGENT, tools, outer, Toolset((*EVERY, *builtins.TOOLS)), "native")


def test_the_tools_arrive_with_the_skill_and_find_tools_finds_none_of_them() -> None:
    known = begun("Something is wrong").known
    one = run(record(known=known, tools=("status", "diary_find_order")))
    assert offering.offered(one, ()).names == ("status", "diary_find_order", "invoke_skill")
    names = skilling.tools_of(AGENT, ("refunds",), EVERY)
    after = offering.offered(one, (load("refunds", found=names),)).names
    assert after == ("status", "diary_find_order", *names, "invoke_skill")
    assert offering.look_for(one, {"query": "refund order"}, ()) != ()
    assert not set(offering.look_for(one, {"query": "refund an order, book a visit"}, ())) & skilling.hidden(
        AGENT, EVERY
    )


def test_they_are_there_from_the_start_in_turns_that_carry_it() -> None:
    names = skilling.tools_of(AGENT, ("refunds",), EVERY)
    shown = ("status", "diary_find_order")
    one = run(record(known=Known(loaded=("refunds",)), tools=shown, skill_tools=names))
    assert offering.offered(one, ()).names == (*shown, *names)


def test_a_message_that_joins_may_give_the_reason() -> None:
    known = begun("Hello!").known
    one = run(record("Hello!", known=known, tools=("status",)))
    assert "invoke_skill" not in offering.offered(one, ()).names
    joined = Joined(messages=(message("My ring is broken"),))
    assert "invoke_skill" in offering.offered(one, (joined,)).names


def test_loading_tells_the_customer_nothing_and_a_file_does() -> None:
    file = ToolCall(id="call_1_0", name="invoke_skill", arguments={"name": "refunds", "file": "x.md"})
    read = ToolResult(call=file, status="ok", text="30 days.")
    assert journal.findings((load("refunds"), read)) == [read]


def skill(name: str, body: str) -> Skill:
    return Skill(name=name, description="d", body=body, files={"a.md": "x"})


def test_the_instructions_stand_behind_the_agents_own() -> None:
    told = skilling.instructed(AGENT, (skill("refunds", "Ask first."),)).instructions
    assert told.startswith(
        "Be brief.\n\nInstructions for what this conversation is about (skill refunds):\n\nAsk first."
    )
    assert "- a.md" in told
    assert skilling.instructed(AGENT, ()) is AGENT


def test_instructions_are_bounded_and_say_what_is_left_out() -> None:
    long = [skill(name, f"{name} " * 5000) for name in ("old", "newer", "newest")]
    told = skilling.instructed(AGENT, long).instructions
    assert estimate(told) < skilling.CARRIED_TOKENS + 500
    assert told.count("newest newest") > 1000, "the one loaded last is whole"
    assert "left out here" in told


@pytest.mark.parametrize(
    "text",
    [
        invoke_skill.loaded_already("refunds"),
        invoke_skill.too_many(("a", "b")),
        invoke_skill.no_skill("x" * 500, ("a",)),
        invoke_skill.no_file("y" * 500, skill("a", "b")),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(text: str) -> None:
    assert len(text) < 300
    assert "\n" not in text
