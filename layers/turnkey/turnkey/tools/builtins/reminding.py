"""When reminders and follow-ups that are still to come are spoken of: the same rule for listing, changing and
cancelling them, since what is changed is found by listing."""

from turnkey.tools.builtins.conversing import asks, spoken_of
from turnkey.tools.builtins.situation import Situation


def kept_are_spoken_of(situation: Situation) -> bool:
    """Whether there are any, and the customer names them or, right after they were spoken of, says "make it ten"."""
    if not situation.known.standing.reminders:
        return False
    return asks(situation, "reminders_kept") or (asks(situation, "change") and spoken_of(situation, *SPOKEN))


SPOKEN = ("reminder", "reminders_kept", "reminding", "follow_up", "following")
"""Topics of a text that is about reminders or follow-ups in any way."""
