"""What a message is an answer to: the last exchange, and what it spoke of. Shared by the built-in tools' rules."""

import re
from functools import cache
from typing import NamedTuple

from turnkey.asks import Topic, topics, wants
from turnkey.tools.builtins.situation import Situation

_FEW_WORDS, _FEW_CHARACTERS = 6, 16
"""An answer in Chinese, Japanese or Korean is measured in characters."""


class _Patterns(NamedTuple):
    question: re.Pattern[str]
    request: re.Pattern[str]
    sentence: re.Pattern[str]
    digit: re.Pattern[str]
    character: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    """Compiled when first needed: a cold start should not pay for it."""
    return _Patterns(
        question=re.compile("[?？؟]"),
        request=re.compile(
            r"(?i)[?？؟]|\b(?:please|bitte|s['’]il (?:vous|te) pla[iî]t|por favor|per favore|lütfen|пожалуйста)\b"
            "|请|請|ください|下さい|お願い|주세요|부탁|من فضلك|يرجى"
        ),
        sentence=re.compile(r"(?<=[.!?。！？؟\n])\s*"),
        digit=re.compile(r"\d"),
        character=re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"),
    )


def asks(situation: Situation, *wanted: Topic) -> bool:
    """Whether the messages speak of one of the topics. Each is read by itself, so that none runs into the next."""
    return any(not topics(message).isdisjoint(wanted) for message in situation.messages)


def spoken_of(situation: Situation, *wanted: Topic) -> bool:
    """Whether the exchange before the messages was about one of the topics, whoever spoke of it."""
    return any(not topics(text).isdisjoint(wanted) for text in (situation.asked, question(situation)))


def question(situation: Situation) -> str:
    """What the customer said last before the messages."""
    return next((text for who, text in reversed(situation.before) if who == "customer"), "")


def has_asked(situation: Situation) -> bool:
    """Whether the agent's last words hold a question."""
    return bool(_patterns().question.search(situation.asked))


def requests(situation: Situation) -> list[str]:
    """The sentences in which the agent last asked the customer for something."""
    parts = _patterns().sentence.split(situation.asked)
    return [part for part in parts if part and _patterns().request.search(part)]


def answers(situation: Situation) -> bool:
    """Whether the messages may answer what the agent has asked: they are short or name a number or a time, ask nothing
    themselves, and do not decline."""
    text = situation.text
    timed = bool(_patterns().digit.search(text)) or wants("when", text)
    if not text.strip() or (_patterns().question.search(text) and not timed):
        return False
    return (timed or is_short(text)) and not _declines(situation)


def is_short(text: str) -> bool:
    """Whether the text is no more than a few words."""
    return len(_patterns().character.findall(text)) <= _FEW_CHARACTERS and len(text.split()) <= _FEW_WORDS


def _declines(situation: Situation) -> bool:
    # Its words are read where something was asked, which is seldom.
    from turnkey.reading.agreement import agreement

    return agreement(situation.text, situation.language) == "no"
