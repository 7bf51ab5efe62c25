"""What a message is an answer to: the last exchange, and what it spoke of. Shared by the built-in tools' rules."""

import re

from turnkey.asks import Topic, topics, wants
from turnkey.tools.builtins.situation import Situation

_QUESTION = re.compile("[?？؟]")
_DIGIT = re.compile(r"\d")
_FEW_WORDS, _FEW_CHARACTERS = 6, 16
"""An answer in Chinese, Japanese or Korean is measured in characters."""
_CHARACTERS = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def asks(situation: Situation, *wanted: Topic) -> bool:
    """Whether the messages speak of one of the topics. Each is read by itself, so that none runs into the next."""
    return any(not topics(message).isdisjoint(wanted) for message in situation.messages)


def spoken_of(situation: Situation, *wanted: Topic) -> bool:
    """Whether the exchange before the messages was about one of the topics, whoever spoke of it."""
    return any(not topics(text).isdisjoint(wanted) for text in (situation.asked, question(situation)))


def question(situation: Situation) -> str:
    """What the customer said last before the messages."""
    return next((text for who, text in reversed(situation.before) if who == "customer"), "")


def answers(situation: Situation) -> bool:
    """Whether the messages answer a question that the agent has asked: they are short or name a number or a time, ask
    nothing themselves, and do not decline."""
    if not _QUESTION.search(situation.asked) or not situation.messages:
        return False
    text = situation.text
    timed = bool(_DIGIT.search(text)) or wants("when", text)
    if _QUESTION.search(text) and not timed:
        return False
    return (timed or is_short(text)) and not declines(situation)


def is_short(text: str) -> bool:
    """Whether the text is no more than a few words."""
    return len(_CHARACTERS.findall(text)) <= _FEW_CHARACTERS and len(text.split()) <= _FEW_WORDS


def declines(situation: Situation) -> bool:
    """Whether the messages plainly say no to what the agent has offered."""
    # Its words are read where something was offered, which is seldom.
    from turnkey.reading.agreement import agreement

    return agreement(situation.text, situation.language) == "no"
