"""What a message is an answer to: the last exchange, and what it spoke of. Shared by the built-in tools' rules."""

from turnkey.asks import Topic, answering, topics
from turnkey.tools.builtins.situation import Situation


def asks(situation: Situation, *wanted: Topic) -> bool:
    """Whether the messages speak of one of the topics. Each is read by itself, so that none runs into the next."""
    return any(not topics(message).isdisjoint(wanted) for message in situation.messages)


def spoken_of(situation: Situation, *wanted: Topic) -> bool:
    """Whether the exchange before the messages was about one of the topics, whoever spoke of it."""
    return any(not topics(text).isdisjoint(wanted) for text in (situation.asked, question(situation)))


def question(situation: Situation) -> str:
    """What the customer said last before the messages."""
    return next((text for who, text in reversed(situation.before) if who == "customer"), "")


def requests(situation: Situation) -> list[str]:
    """The sentences in which the agent last asked the customer for something."""
    return answering.requests(situation.asked)


def answers(situation: Situation) -> bool:
    """Whether the messages may answer what the agent has asked: they are short or name a number or a time, ask nothing
    themselves, and do not decline."""
    return answering.may_answer(situation.text) and not _declines(situation)


def _declines(situation: Situation) -> bool:
    # Its words are read where something was asked, which is seldom.
    from turnkey.reading.agreement import agreement

    return agreement(situation.text, situation.language) == "no"
