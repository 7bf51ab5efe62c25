"""Requests to the platform itself that are plain from their words alone: the turn then shows that one tool, with a
directive that is complete, and no model is asked what is meant. In doubt there is no plan. Plain."""

from collections.abc import Sequence
from datetime import datetime

from turnkey import moments
from turnkey.channels.protocol import noted
from turnkey.moments import Moment, Unclear
from turnkey.reading.directive import compose
from turnkey.reading.facts import Facts
from turnkey.reading.person_wish import asks_for_person
from turnkey.reading.plan import Plan
from turnkey.reading.subject import spaced
from turnkey.schedules import requests
from turnkey.tools import JsonObject, Tool, Toolset
from turnkey.tools.builtins import cancel_reminder, change_reminder, create_reminder, hand_to_person, schedule_follow_up
from turnkey.tools.builtins.situation import Known
from turnkey.turn.record import Exchange

MOST_CHARACTERS = 200
"""Of the time in the customer's words, and of what was spoken of before."""
ASKED = "The customer asks for a person: “{words}”"
MOST_QUOTED = 600
"""Characters of the customer's words; what was said before goes with them."""
_FEW_WORDS, _FEW_CHARACTERS = 3, 20
"""Beside a time, of an answer to the question when."""
_TOOLS = {one.TOOL.name: one.TOOL for one in (create_reminder, schedule_follow_up, change_reminder, cancel_reminder)}


def plan(
    question: str, history: Sequence[Exchange], tools: Toolset, known: Known, language: str, now: datetime
) -> Plan | None:
    """The plan of a turn that asks for a reminder, answers when it is to come, or takes the only one back."""
    if known.hands_to_person and asks_for_person(question):
        return _plan(hand_to_person.TOOL, {"summary": ASKED.format(words=question[:MOST_QUOTED])}, question)
    last = history[-1] if history else None
    if last and last.pending and (answered := _answered(last.pending, question, known, language, now)):
        return answered
    if known.standing.reminders == 1 and requests.cancels(question):
        return _plan(cancel_reminder.TOOL, {"id": "latest"}, question)
    asked = requests.request(question)
    if asked is None or tools.derived(_reminding):
        return None
    return _created(asked, question, last, known, language, now)


def _created(
    asked: requests.Request, question: str, last: Exchange | None, known: Known, language: str, now: datetime
) -> Plan | None:
    whole = moments.read(question, now, known.time_zone, language)
    if not isinstance(whole, Moment):
        return None

    def same(words: str) -> bool:
        return bool(words) and moments.read(words, now, known.time_zone, language) == whole

    parted = requests.part(asked, same)
    about = (parted.about if parted else asked.rest) or _spoken_of(last)
    if not about:
        return None
    when = parted.when if parted else question
    return _plan(create_reminder.TOOL, {"when": when[:MOST_CHARACTERS], "text": about}, question)


def _spoken_of(last: Exchange | None) -> str:
    """What "it" is: the one thing that was shown, else what the customer asked last."""
    if last is None:
        return ""
    if len(last.shown) == 1:
        return last.shown[0].title
    return " ".join((noted(last.question) or last.question).split())[:MOST_CHARACTERS]


def _answered(waiting: Plan, answer: str, known: Known, language: str, now: datetime) -> Plan | None:
    """The plan that waited for its time, with the time that the answer gives."""
    directive = waiting.directive
    tool = _TOOLS.get(directive.tool)
    if tool is None or directive.missing != ("when",) or len(answer) > MOST_CHARACTERS:
        return None
    before = str(directive.arguments.get("when", ""))
    if not _is_a_time(answer, known, language, now):
        return None
    for words in (f"{before} {answer}".strip(), answer):
        found = moments.read(words, now, known.time_zone, language)
        if isinstance(found, Moment) and not (before and words == answer and "day" in found.assumed):
            return _plan(tool, {**directive.arguments, "when": words[:MOST_CHARACTERS]}, answer)
    return None


def _is_a_time(answer: str, known: Known, language: str, now: datetime) -> bool:
    """Whether the answer is a time and hardly anything else: what asks for something else is no answer."""
    if any(mark in answer for mark in "?？؟"):
        return False

    def read(words: str) -> Moment | Unclear:
        return moments.read(words, now, known.time_zone, language)

    whole = read(answer)
    if isinstance(whole, Unclear):
        return len(answer.split()) <= _FEW_WORDS and len(answer) <= _FEW_CHARACTERS
    parted = requests.part(requests.plain(answer, language), lambda words: bool(words) and read(words) == whole)
    return parted is not None and len(parted.about.split()) <= _FEW_WORDS and len(parted.about) <= _FEW_CHARACTERS


def waiting_for_time(tool: str, arguments: JsonObject, before: str) -> Plan:
    """The plan of a call that lacks a time which can be used. `before`: what was said of the time already, such as the
    day alone."""
    left = {name: value for name, value in arguments.items() if name != "when"} | ({"when": before} if before else {})
    found = _plan(_TOOLS[tool], left, "")
    return found.model_copy(update={"directive": compose(tool, left, ("when",))})


def _plan(tool: Tool, arguments: JsonObject, question: str) -> Plan:
    return Plan(
        facts=Facts(kind=tool.kind),
        directive=compose(tool.name, arguments),
        goal=tool.name,
        title=tool.title,
        in_so_many_words=True,
        message=question,
    )


def _reminding(tools: Toolset) -> bool:
    """Whether a tenant's own tool is about reminders too."""
    told = (f"{spaced(tool.original_name)} {tool.title} {tool.description} {' '.join(tool.words)}" for tool in tools)
    return any(requests.speaks_of_reminders(one) for one in told)
