"""When reminders and follow-ups are spoken of. Those that are still to come have one rule for listing, changing and
cancelling, since what is changed is found by listing."""

from typing import Literal

from turnkey.asks import Topic, topics
from turnkey.asks.answering import has_question
from turnkey.tools.builtins.conversing import answers, asks, question, spoken_of
from turnkey.tools.builtins.situation import Situation

_SPOKEN: tuple[Topic, ...] = ("reminder", "reminders_kept", "reminding", "follow_up", "following")
"""Topics of a text that is about reminders or follow-ups in any way."""
_KINDS: frozenset[Topic] = frozenset({"reminder", "follow_up"})
_TOLD: dict[str, Topic] = {"reminder": "reminding", "follow_up": "following"}
"""How the agent speaks of it."""


def kept_are_spoken_of(situation: Situation) -> bool:
    """Whether there are any, and the customer names them or, right after they were spoken of, says "make it ten"."""
    if not situation.known.standing.reminders:
        return False
    if asks(situation, "reminders_kept"):
        return True
    # What names a reminder and asks for no new one speaks of one that there is.
    named = asks(situation, "reminding") and not asks(situation, "reminder")
    return named or (asks(situation, "change") and spoken_of(situation, *_SPOKEN))


def goes_on(situation: Situation, kind: Literal["reminder", "follow_up"]) -> bool:
    """Whether the customer answers what the agent asks about a new one, such as when it is to be, or wants one more."""
    said = topics(question(situation)) & _KINDS
    told = topics(situation.asked)
    if not (kind in said if said else {kind, _TOLD[kind]} & told):
        return False
    if asks(situation, "also"):
        return True
    return has_question(situation.asked) and answers(situation) and not asks(situation, "reminders_kept", "change")
