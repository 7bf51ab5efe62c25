"""The gate's rules for a sentence that leans on what was said before: any others, the second one, and in German."""

from turnkey.reading.asking import DAYS, by_id
from turnkey.reading.cues import Reading
from turnkey.reading.facts import Kind
from turnkey.reading.finding import Finding, finding
from turnkey.reading.shelf import Concepts, Shelf

CUES = ("more", "pick", "about", "and", "refer", "compare")
_FEW, _MORE = 4, 6
"""Words of a sentence that is none; and of one that may lean on what was handed over."""
_TALK = ("clause", "smalltalk")
_VISITS: Concepts = frozenset({"appointment", "slot", "table"})


def more(said: Reading, on: Shelf) -> Finding | None:
    return finding(_of(on, "items"), strong=True, leans=True) if said.has("more") else None


def compare(said: Reading, on: Shelf) -> Finding | None:
    return finding(_of(on, "items", "lookup"), strong=True, leans=True) if said.has("compare") else None


def pick(said: Reading, on: Shelf) -> Finding | None:
    return finding(_of(on, "lookup", "action"), leans=True) if said.has("pick") else None


def another(said: Reading, on: Shelf) -> Finding | None:
    """And Persuasion? What about Sunday?"""
    short = said.has("and") and said.question and said.left <= _FEW and not said.has(*_TALK)
    asked = (said.has("about") or short) and not said.has("facility") and not on.foreign(said.concepts)
    return finding(_of(on, "items", "lookup"), leans=True) if asked else None


def a_few_words(said: Reading, on: Shelf) -> Finding | None:
    """No sentence, only what is wanted: crime novels; consent form; appointment Friday 10; under the name Smith."""
    if said.has(*_TALK, "facility") or not 0 < said.left <= _FEW:
        return None
    if said.concepts & on.things:
        return finding(on.named_for(said.concepts, ("items", "action", "lookup"))[:2])
    if said.concepts & DAYS:
        return finding(on.named_for(_VISITS, ("items", "action")), leans=True)
    return finding(_of(on, "action"), leans=True) if said.has("name_intro") else None


def after_a_hand_over(said: Reading, on: Shelf) -> Finding | None:
    """A few words that would mean nothing by themselves: in German? only paperback; yes, please."""
    if said.has("yes"):
        return finding(_of(on, "action", "items"), leans=True)
    if said.has(*_TALK, "facility") or not 0 < said.left <= _MORE or on.foreign(said.concepts):
        return None
    telling = said.question or said.has("constraint") or bool(said.concepts)
    return finding(_of(on, "items", "lookup"), leans=True) if telling else None


def _of(on: Shelf, *kinds: Kind) -> tuple[Kind, ...]:
    return tuple(kind for kind in kinds if any(tool.kind == kind for tool in on.tools))


RULES = (more, compare, pick, another, by_id, a_few_words)
