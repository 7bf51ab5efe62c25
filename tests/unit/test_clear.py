"""Requests to the platform that need no model to be understood; in doubt there is no plan."""

from datetime import UTC, datetime

import pytest

from turnkey.channels.protocol import InboundMessage, noted
from turnkey.deliverables.handed import Handed, HandedItem
from turnkey.reading.plan import Plan
from turnkey.tools import Tool, Toolset
from turnkey.tools.builtins.situation import Known, Standing
from turnkey.turn import clear
from turnkey.turn.record import Exchange

NOW = datetime(2026, 11, 30, 14, 0, tzinfo=UTC)
KNOWN = Known(time_zone="Europe/Berlin")
NOTE = InboundMessage(id="x", conversation="c", text="tea [or] so", sent_at=NOW, origin="platform").said


def plan(
    message: str, *history: Exchange, tools: tuple[Tool, ...] = (), reminders: int = 0, language: str = "en"
) -> Plan | None:
    known = KNOWN.model_copy(update={"standing": Standing(reminders=reminders)})
    return clear.plan(message, history, Toolset(tools), known, language, NOW)


def asked(tool: str = "create_reminder", before: str = "", **arguments: str) -> Exchange:
    """The customer was asked when."""
    return Exchange(question="x", reply="When?", pending=clear.waiting_for_time(tool, arguments, before))


def tool(name: str, description: str) -> Tool:
    return Tool(name=name, server="s", original_name=name, description=description, parameters={})


def test_a_plain_request_is_one_complete_call_that_the_platform_may_make() -> None:
    made = plan("Remind me tomorrow at nine to call the dentist")
    assert made
    assert made.directive.arguments == {"when": "tomorrow at nine", "text": "call the dentist"}
    assert made.directive.complete
    assert made.in_so_many_words


@pytest.mark.parametrize(
    "message",
    [
        "Remind me to call the dentist",
        "Remind me yesterday at nine to call the dentist",
        "Remind me every day at nine to take my pills",
        "Remind me at 9 or 10 tomorrow to call",
        "What time is it in Tokyo?",
        "Remind me tomorrow at nine of it",
    ],
)
def test_in_doubt_the_turn_goes_on_as_if_nothing_had_been_read(message: str) -> None:
    assert plan(message) is None


def test_a_tenants_own_tool_about_reminders_makes_a_doubt() -> None:
    message = "Remind me tomorrow at nine to call the dentist"
    assert plan(message, tools=(tool("add_task", "Adds a reminder to the calendar."),)) is None
    assert plan(message, tools=(tool("add_task", "Adds a task."),))


def test_it_is_the_one_thing_shown_or_what_was_asked_last() -> None:
    shown = Handed(tool="t", kind="items", items=(HandedItem(title="Emma"),))
    for exchange, about in (
        (Exchange(question="When do you close?", reply="At six."), "When do you close?"),
        (Exchange(question="Have you got Emma?", reply="Yes.", handed=shown), "Emma"),
        (Exchange(question=NOTE, reply="⏰"), "tea (or) so"),
    ):
        made = plan("Remind me of it tomorrow at nine", exchange)
        assert made
        assert made.directive.arguments["text"] == about


@pytest.mark.parametrize(
    ("before", "answer", "when"),
    [
        ("", "tomorrow at nine", "tomorrow at nine"),
        ("", "Tomorrow at nine, please!", "Tomorrow at nine, please!"),
        ("tomorrow", "at 10 am", "tomorrow at 10 am"),
    ],
)
def test_an_answer_completes_what_waited(before: str, answer: str, when: str) -> None:
    made = plan(answer, asked(before=before, text="tea"))
    assert made
    assert (made.goal, made.directive.arguments) == ("create_reminder", {"text": "tea", "when": when})


@pytest.mark.parametrize(
    "answer",
    [
        "What are your opening hours tomorrow?",
        "never mind",
        "I would rather order three books that should arrive by tomorrow",
        "yesterday",
    ],
)
def test_what_is_no_answer_completes_nothing(answer: str) -> None:
    assert plan(answer, asked(text="tea")) is None


def test_only_what_waits_for_a_time_is_completed_by_one() -> None:
    made = plan("tomorrow at nine", asked("change_reminder", id="R1234"))
    assert made
    assert made.directive.arguments == {"id": "R1234", "when": "tomorrow at nine"}
    assert plan("tomorrow at nine") is None


@pytest.mark.parametrize(("reminders", "tool"), [(0, None), (1, "cancel_reminder"), (2, None)])
def test_that_reminder_is_the_only_one_there_is(reminders: int, tool: str | None) -> None:
    made = plan("Cancel that reminder", reminders=reminders)
    assert (made.goal if made else None) == tool


def test_a_note_of_the_platform_is_told_from_a_customers_words() -> None:
    assert noted(NOTE) == "tea (or) so"
    assert noted("tea") == ""
    assert InboundMessage(id="x", conversation="c", text="tea", sent_at=NOW).said == "tea"
