"""Whether a message looks as if a tool were meant: by its words alone, before any model is asked. In doubt, no.

An ordinary question must never get through, since every suspicion costs a call; a request that is missed costs nothing
but the help of the reading step.
"""

import re
from collections.abc import Callable

from turnkey.reading import asking, leaning
from turnkey.reading.cues import Reading, read
from turnkey.reading.facts import Kind, Suspicion
from turnkey.reading.finding import Finding
from turnkey.reading.shelf import Shelf, shelf
from turnkey.reading.talk import is_talk
from turnkey.tools import Toolset

_MOST_KINDS = 3
_EXCLAIMED = re.compile(
    r"(?i)\W*(?:what an?\b|was für (?:ein|eine|einen|ein)\b.*!|quel(?:le)?s? \w+.*!|qué \w+.*!|que \w+.*!|che \w+.*!|"
    r"как\w+ .*!|что за .*!|ne (?:güzel|harika|hoş)|なんて|多么|好棒)"
)
"""What a lovely shop! It praises, and asks for nothing."""


def suspect(message: str, tools: Toolset, *, handed_over: bool) -> Suspicion | None:
    """What the message may want of the tools, or None for an ordinary one. `handed_over`: the last turn handed over
    cards, a chart or a booking, so that a few words may be about them."""
    if _EXCLAIMED.match(message) and "?" not in message:
        return None
    on = shelf(tools)
    found = [
        (finding, sentence) for sentence in read(message) if (finding := _judged(sentence, on, handed_over)) is not None
    ]
    if not found:
        return None
    # A strong sentence says what is wanted; what stands beside it is why.
    chosen = [pair for pair in found if pair[0].strong] or found
    kinds: tuple[Kind, ...] = tuple(dict.fromkeys(kind for finding, _ in chosen for kind in finding.kinds))
    return Suspicion(
        kinds=kinds[:_MOST_KINDS],
        strong=chosen[0][0].strong,
        elliptical=any(finding.leans or sentence.has(*leaning.CUES) for finding, sentence in chosen),
        fresh=any(sentence.has("more") for _, sentence in chosen),
    )


def _judged(sentence: Reading, on: Shelf, handed_over: bool) -> Finding | None:
    if is_talk(sentence) or asking.in_vain(sentence, on):
        return None
    rules: tuple[Callable[[Reading, Shelf], Finding | None], ...] = (*asking.RULES, *leaning.RULES)
    if handed_over:
        rules = (*rules, leaning.after_a_hand_over)
    found = (rule(sentence, on) for rule in rules)
    return next((finding for finding in found if finding is not None), None)
