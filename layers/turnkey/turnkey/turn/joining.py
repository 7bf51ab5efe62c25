"""A message that comes while its turn still works is answered by that turn, at most twice; later ones open the next."""

from datetime import datetime

from turnkey.store.stores import Stores
from turnkey.store.turns import OpenTurn
from turnkey.turn.journal import Joined, Journal, answers, joined
from turnkey.turn.opening import MAX_CHARACTERS, MAX_MESSAGES, fitting, of_one_origin
from turnkey.turn.progress import is_answered, is_handed_over
from turnkey.turn.reference import TurnReference

MAX_TIMES = 2
"""Joins a turn allows, or a customer who goes on writing would never get a reply."""


def join(stores: Stores, reference: TurnReference, turn: OpenTurn, journal: Journal, now: datetime) -> bool:
    """Takes what waits into the turn; True when the loop has to go on because of it. Raises LeaseLost."""
    done = is_answered(journal, turn.record.plan) and now < turn.record.deadline
    if is_handed_over(journal):
        # The next word is a person's.
        return False
    # What was agreed to is one call and its result: whatever else is said opens the next turn.
    if not done or turn.record.agreed or len(joined(journal)) >= MAX_TIMES:
        return False
    waiting = stores.conversations.pending(reference)[:MAX_MESSAGES]
    room = MAX_CHARACTERS - len(turn.whole.question)
    taken = fitting(of_one_origin(stores.conversations.messages(reference, waiting), turn.record.messages), room)
    if not taken:
        return False
    step = Joined(messages=tuple(sorted(taken, key=lambda message: message.sent_at)))
    stores.turns.join(reference, len(answers(journal)) - 1, step, now)
    return True
