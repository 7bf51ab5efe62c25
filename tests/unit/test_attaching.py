"""Which built-in tools a message gives a reason for, in twelve languages; and that nothing of the others is in the
prompt.

`attaching.jsonl` holds the cases that the rules were written by. Those of `attaching_fresh.jsonl` were each run once
before anything was mended by them, in the rounds that they name; then kinds were mended, not cases.
"""

import json
import unicodedata
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnkey.asks import Topic, gives_way, has_link, topics
from turnkey.asks.books import TOGETHER, phrases
from turnkey.channels.protocol import InboundMessage
from turnkey.loop.prompt import loop_request
from turnkey.reading.lexicon import LANGUAGES, Phrasebook
from turnkey.skills.head import SkillHead
from turnkey.tenancy.settings import Agent
from turnkey.tools import Toolset, builtins
from turnkey.tools.builtins import Known, Situation, Standing, attached
from turnkey.turn import offering
from turnkey.turn.journal import Journal, ToolCall, ToolResult
from turnkey.turn.record import Exchange, TurnRecord
from turnkey.turn.reference import TurnReference
from turnkey.turn.run import Run

NOW = datetime(2026, 1, 1, tzinfo=UTC)
Case = dict[str, Any]
Said = Literal["customer", "agent"]
KEPT = {"list_reminders", "change_reminder", "cancel_reminder"}
WEB = {"search_web", "read_page"}
MOST_FALSE = 0.02
"""Of messages that were written for other tests; most of these few ask for a reminder, give a name, or complain."""


def cases(name: str) -> list[Case]:
    return [json.loads(line) for line in Path(f"tests/cases/{name}.jsonl").read_text("utf-8").splitlines()]


def known(case: Case) -> Known:
    """As the case says; what it says nothing of is switched on, so that a false reason shows."""
    return Known(
        standing=Standing(reminders=case.get("reminders", 0), documents=tuple(case.get("documents", ()))),
        documents=tuple(case.get("shared", ())),
        skills=tuple(SkillHead(name=name, description="Does it.") for name in case.get("skills", ())),
        loaded=tuple(case.get("loaded", ())),
        contact_fields=tuple(case.get("contact_fields", ())),
        captures_contacts=case.get("captures_contacts", True),
        public_sources=case.get("public_sources", True),
        hands_to_person=case.get("hands_to_person", True),
    )


def situation(case: Case) -> Situation:
    before: tuple[tuple[Said, str], ...] = tuple((who, text) for who, text in case.get("before", ()))
    return Situation(tuple(case["messages"]), before, case.get("language", ""), known(case))


def names(case: Case) -> set[str]:
    return {tool.name for tool in attached(situation(case))}


def said(text: str, **more: Any) -> set[str]:
    return names({"messages": [text], **more})


TABLES = {name: cases(name) for name in ("attaching", "attaching_fresh")}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_message_attaches_what_it_gives_a_reason_for_and_nothing_else(name: str, language: str) -> None:
    wrong = [
        (case["messages"], {"missed": set(case["attached"]) - found, "false": found - set(case["attached"])})
        for case in TABLES[name]
        if case["language"] == language and (found := names(case)) != set(case["attached"])
    ]
    assert wrong == []


def test_the_tables_are_wide_enough() -> None:
    least = {"attaching": (250, 12), "attaching_fresh": (120, 8)}
    for name, (most, each) in least.items():
        by_language = Counter(case["language"] for case in TABLES[name])
        assert sum(by_language.values()) >= most
        assert min(by_language[language] for language in LANGUAGES) >= each
        assert sum(not case["attached"] for case in TABLES[name]) >= most / 4
    wanted = {tool for table in TABLES.values() for case in table for tool in case["attached"]}
    by_steps = {"read_more", "show_items", "draw_chart", "find_tools"}
    assert wanted == set(builtins.NAMES) - by_steps


def test_messages_to_shops_and_clinics_attach_nothing() -> None:
    ordinary = [case for name in ("gate", "gate_second") for case in cases(name)]
    found = [case["message"] for case in ordinary if said(case["message"], public_sources=False)]
    assert len(found) <= MOST_FALSE * len(ordinary), found


def spellings(text: str) -> Iterator[str]:
    yield unicodedata.normalize("NFD", text)
    yield text.upper()
    yield f"  {text}\u200b "
    yield "".join(chr(ord(one) + 0xFEE0) if "0" <= one <= "z" and one.isalnum() else one for one in text)


def test_case_width_and_the_form_of_accents_change_nothing() -> None:
    changed = [
        (text, names(case) ^ set(case["attached"]))
        for table in TABLES.values()
        for one in table
        for spelled in zip(*(spellings(text) for text in one["messages"]), strict=True)
        for text, case in [(spelled, {**one, "messages": list(spelled)})]
        if names(case) != set(one["attached"])
    ]
    assert changed == []


def test_a_person_who_is_asked_for_in_so_many_words_can_be_called() -> None:
    asked = [case["text"] for case in cases("person_wish") if case["asks"]]
    assert [text for text in asked if "hand_to_person" not in said(text)] == []


WHEN = {
    "en": "When shall I remind you?",
    "de": "Wann soll ich Sie erinnern?",
    "fr": "Quand dois-je vous le rappeler ?",
    "es": "¿Cuándo se lo recuerdo?",
    "pt": "Quando devo lembrar você?",
    "it": "Quando devo ricordarglielo?",
    "tr": "Ne zaman hatırlatayım?",
    "ru": "Когда вам напомнить?",
    "zh": "什么时候提醒您？",
    "ja": "いつリマインドしましょうか？",
    "ko": "언제 알려 드릴까요?",
    "ar": "متى أذكرك؟",
}


def test_any_time_answers_the_question_when() -> None:
    times = [case for name in ("moments", "moments_more") for case in cases(name) if case.get("at")]
    missed = [
        case["words"]
        for case in times
        if "create_reminder" not in said(case["words"], before=[["agent", WHEN[case["language"]]]])
    ]
    assert len(times) > 300
    assert missed == []


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("+44 7700 900123", True),
        ("０９０-１２３４-５６７８", True),
        ("(555) 123-4567", True),
        ("13800138000", True),
        ("order 118, phone 0171 2345678", True),
        ("write to anna.k@example.co.uk", True),
        ("ann (at) example.org", True),
        ("order no. 0171 2345678", False),
        ("4111 1111 1111 1111", False),
        ("DE89 3704 0044 0532 0130 00", False),
        ("978-3-16-148410-0", False),
        ("2026-10-01 14:00", False),
        ("01.02.2026", False),
        ("1 000 000", False),
        ("12.990,00", False),
        ("$1234567", False),
        ("1998-2003", False),
        ("is info@example.com your address?", False),
    ],
)
def test_what_looks_like_the_customers_phone_number_or_address_is_told_from_other_numbers(
    text: str, given: bool
) -> None:
    assert gives_way(text) == given


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("see https://example.org/a?b=1", True),
        ("www.example.org/a", True),
        ("look at example.com/shop", True),
        ("a@example.com", False),
        ("well...then.ok", False),
        ("at 10.30 a.m.", False),
    ],
)
def test_a_link_is_told_from_an_address_and_from_dots(text: str, there: bool) -> None:
    assert has_link(text) == there


def test_what_stands_in_quotes_are_others_words() -> None:
    assert said('Do you have the book "I want to talk to a human"?') == set()
    assert said("Haben Sie „Erinnere mich morgen“ auf Lager?") == set()


def test_each_message_is_read_by_itself() -> None:
    assert names({"messages": ["I do not want to", "speak to a person"]}) == {"hand_to_person"}


def test_search_and_reading_are_there_together_or_not_at_all() -> None:
    for table in TABLES.values():
        for case in table:
            assert names(case) & WEB in (set(), WEB)


def test_without_the_switch_public_sources_are_never_there() -> None:
    assert said("Search the web: https://example.org", public_sources=False) == set()


def test_what_was_put_off_may_need_public_pages_when_it_is_taken_up() -> None:
    later = Situation((), known=Known(public_sources=True), tasks=("Look up the weather forecast for Lisbon",))
    assert {tool.name for tool in attached(later)} == WEB


def result(name: str, *, number: int = 0, status: Literal["ok", "error"] = "ok", problem: str = "") -> ToolResult:
    return ToolResult(call=ToolCall(id=f"call_0_{number}", name=name, problem=problem), status=status)


def with_steps(text: str, *steps: ToolResult) -> set[str]:
    return {tool.name for tool in attached(Situation((text,), known=Known(hands_to_person=True), steps=steps))}


def test_a_tool_that_was_called_stays_for_the_rest_of_the_turn() -> None:
    assert with_steps("Thanks!", result("capture_contact")) == {"capture_contact"}
    assert with_steps("Thanks!", result("create_reminder", problem="There is no such tool.")) == set()


def test_an_agent_whose_calls_fail_can_call_a_person() -> None:
    failed = [result("book", number=number, status="error") for number in range(2)]
    assert with_steps("Book a table", *failed) == {"hand_to_person"}
    assert with_steps("Book a table", failed[0]) == set()


def test_the_same_question_for_the_third_time_is_a_reason_to_call_a_person() -> None:
    asked = ["customer", "Is the blue one waterproof?"]
    before = [asked, ["agent", "It is blue."], asked, ["agent", "It is a coat."]]
    assert said("is the blue one waterproof", before=before) == {"hand_to_person"}
    assert said("is the blue one waterproof", before=before[:2]) == set()
    assert said("Hi", before=[["customer", "Hi"], ["agent", "Hello!"]] * 3) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_words_for_every_topic(language: str) -> None:
    found = phrases(language)
    assert not [topic for topic in get_args(Topic) if topic not in {"also", "when"} and not found.get(topic)]
    signs = {sign for _, together, _ in TOGETHER for sign in together}
    assert {topic.removeprefix("no_") for topic in found} <= {*get_args(Topic), *signs}


def test_words_said_over_and_over_are_not_walked_in_every_combination(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = 0
    walk = Phrasebook._walk  # pyright: ignore[reportPrivateUsage]

    def counted(self: Phrasebook, *where: Any) -> Any:
        nonlocal steps
        steps += 1
        return walk(self, *where)

    monkeypatch.setattr(Phrasebook, "_walk", counted)
    for text in ("帮我写一份" * 400, "set a write me make draft create " * 100, "напомни мне о " * 200):
        topics(text)
    assert steps < 150_000


@settings(max_examples=150)
@given(st.lists(st.text(max_size=60), max_size=3), st.text(max_size=60), st.text(max_size=60))
def test_no_text_is_too_strange(messages: list[str], question: str, reply: str) -> None:
    case = {"messages": messages, "before": [["customer", question], ["agent", f"{reply}?"]], "reminders": 1}
    assert names(case) <= set(builtins.NAMES)


def message(text: str) -> InboundMessage:
    return InboundMessage(id="m", conversation="c", sender="u", text=text, sent_at=NOW)


def run(case: Case, call_format: Literal["native", "text"]) -> Run:
    said_before = case.get("before", [])
    question = next((text for who, text in said_before if who == "customer"), "Hello")
    reply = next((text for who, text in said_before if who == "agent"), "Hello!")
    record = TurnRecord(
        turn=1,
        agent="clerk",
        messages=tuple(message(text) for text in case["messages"]),
        history=(Exchange(question=question, reply=reply),) if said_before else (),
        language=case.get("language", ""),
        known=known(case),
        opened_at=NOW,
        deadline=NOW,
    )
    reference = TurnReference(tenant="shop", connection="web", conversation="c", turn=1)
    agent = Agent(name="clerk", instructions="You are a clerk.")
    none = Toolset(())
    return Run(reference, record, agent, none, none, Toolset(builtins.TOOLS), call_format)


def prompt(one: Run, steps: Journal = ()) -> str:
    """All that the model is sent, as it goes over the wire."""
    request = loop_request(one.record, one.agent, offering.offered(one, steps), steps, one.call_format)
    return json.dumps([request.messages, request.tools], ensure_ascii=False)


def traces(sent: str) -> set[str]:
    """Built-in tools of which a name, a title or a description is there."""
    return {tool.name for tool in builtins.TOOLS if tool.name in sent or tool.description[:60] in sent}


@pytest.mark.parametrize("call_format", ["native", "text"])
@pytest.mark.parametrize("name", TABLES)
def test_a_turn_without_a_reason_for_a_tool_has_no_trace_of_it_in_its_prompt(
    name: str, call_format: Literal["native", "text"]
) -> None:
    wrong = [
        (case["messages"], found ^ set(case["attached"]))
        for case in TABLES[name]
        if len(case.get("before", ())) <= 2
        and (found := traces(prompt(run(case, call_format)))) != set(case["attached"])
    ]
    assert wrong == []


@pytest.mark.parametrize("call_format", ["native", "text"])
def test_an_ordinary_turn_of_an_agent_without_tools_is_told_of_none(call_format: Literal["native", "text"]) -> None:
    sent = prompt(run({"messages": ["Do you have books about whales?"]}, call_format))
    assert "tool" not in sent.lower()
