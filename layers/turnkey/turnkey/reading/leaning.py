"""The gate's rules for a sentence that leans on what was said before: any others, the second one, and in German."""

from turnkey.reading.cues import Reading
from turnkey.reading.finding import Finding, finding
from turnkey.reading.lexicon import group
from turnkey.reading.script import ID
from turnkey.reading.shelf import Shelf

CUES = ("more", "pick", "about", "and", "refer", "compare")
_FEW, _MORE = 4, 6
"""Words of a sentence that is none; and of one that may lean on what was handed over."""
_TALK = ("clause", "smalltalk", "facility")


def more(said: Reading, on: Shelf) -> Finding | None:
    asked = said.has("more") and not said.has("policy")
    return finding(on.of("items"), strong=True, leans=True) if asked else None


def compare(said: Reading, on: Shelf) -> Finding | None:
    asked = said.has("compare") or (said.has("better") and said.has("refer", ID))
    return finding(on.of("items", "lookup"), strong=True, leans=True) if asked else None


def pick(said: Reading, on: Shelf) -> Finding | None:
    return finding(on.of("lookup", "action"), leans=True) if said.has("pick") else None


def another(said: Reading, on: Shelf) -> Finding | None:
    """And Persuasion? What about Sunday?"""
    short = said.has("and") and said.question and said.left <= _FEW + 1 and not said.has(*_TALK)
    asked = short or (said.has("about") and not said.has("facility"))
    return finding(on.of("items", "lookup"), leans=True) if asked and not on.foreign(said.concepts) else None


def by_id(said: Reading, on: Shelf) -> Finding | None:
    return finding(on.of("lookup"), strong=said.question) if said.has(ID) else None


def a_few_words(said: Reading, on: Shelf) -> Finding | None:
    """No sentence, only what is wanted, in known words: crime novels; consent form; appointment Friday 10."""
    # One word may be new where it stands with a "please".
    if said.has(*_TALK) or not 0 < said.left <= _FEW or said.unknown > said.has("kindly"):
        return None
    if said.concepts & on.things:
        kinds = on.named_for(said.concepts, ("items", "action"))
        return finding(kinds or on.named_for(said.concepts, ("lookup",)))
    day = said.concepts & group("days") and not said.has("which", "define")
    return finding(on.named_for(group("free"), ("items", "action")), leans=True) if day else None


def after_a_hand_over(said: Reading, on: Shelf) -> Finding | None:
    """A few words that would mean nothing by themselves: in German? only paperback; yes, please; my name is Smith."""
    if said.has("yes") or (said.has("name_intro") and said.left <= _MORE):
        return finding(on.of("action", "items"), leans=True)
    if said.has("better") or _is_in_a_language(said):
        return finding(on.of("items", "lookup"), leans=True)
    if said.has("more", *_TALK) or not 0 < said.left <= _MORE or on.foreign(said.concepts):
        return None
    telling = said.question or said.has("constraint") or bool(said.concepts)
    return finding(on.of("items", "lookup"), leans=True) if telling else None


def _is_in_a_language(said: Reading) -> bool:
    """Any of it in Russian? Does either of them speak French? Not: in which language was it written?"""
    return said.question and bool(said.concepts & group("languages")) and not said.has("world", "define", "facility")


RULES = (more, compare, pick, another, by_id, a_few_words)
