"""Which of an agent's skills a message is about, and whether a conversation still is, by words alone. In doubt, none.

A skill is known by its name and its description, in whatever language; what the lexicon has a meaning for is told in
all twelve. Words that only ask, point or count say nothing, and what a shop deals in says little: a shop of books has
books in every skill.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from turnkey.reading import lexicon
from turnkey.reading.cues import LONGEST, Reading, read
from turnkey.reading.language import languages
from turnkey.reading.relevance import meanings
from turnkey.reading.shelf import dealt_in
from turnkey.reading.subject import CONDITIONS, content
from turnkey.reading.words import concepts, stem, words
from turnkey.skills.head import SkillHead

_NAMED, _NAMED_WORD, _MEANT, _WORD = 3.0, 2.0, 1.0, 1.0
"""What a shared meaning and a shared word count, in a skill's name and in its description."""
_BUSINESS, _DEALT_IN = 0.7, 0.2
"""Of that: a meaning that mostly comes beside another one, and the things that the shop deals in."""
STILL = 1.0
"""From here on a message has to do with a skill that is loaded: one thing that its description tells."""
NAMED = 2.0
"""From here on it is meant where all of its name is said."""
LIKELY = 3.0
"""From here on it may be meant."""
MANY = 4.0
"""From here on a description alone is enough, in three different things."""
_APART = 2.0
"""How much better than the next one the best must be."""
MOST_LIKELY = 3
_ASKING = ("show", "have", "seek", "recommend", "which", "wish", "need", "act", "count", "topic")
_LEANING = ("pick", "more", "and", "about")
_SHORT = 5
_TALK = ("opinion", "negated")
_MEANING = ("define", "which")
_POLITE = ("courtesy", "smalltalk")
_LEFT_BY_POLITENESS = 2
_KOREAN = re.compile("[가-힣]+")
_BEGINNING, _ENDING = 4, 3
"""Letters that two forms of a word must share, and may differ by at the end: wrap and wrapping."""
_SYLLABLES = 2
"""Of a Korean word that tell it: behind them stand its endings."""
_ASKS = ("?", "？", "؟")


_NOTHING: Mapping[str, int] = MappingProxyType({})


class Fit(NamedTuple):
    """`clear`: the one skill that is plainly meant, or empty; `likely`: those that may be, best first; `between`: those
    of which one is meant as it seems, and words do not say which."""

    clear: str
    likely: tuple[SkillHead, ...]
    between: tuple[SkillHead, ...] = ()


class _Known(NamedTuple):
    """A skill's terms: of each word of its name, of its name in all, and of its description."""

    parts: tuple[frozenset[str], ...]
    name: frozenset[str]
    description: frozenset[str]

    @property
    def every(self) -> frozenset[str]:
        return self.name | self.description


def fit(message: str, heads: Sequence[SkillHead], language: str) -> Fit:
    """Which of the skills the message is about."""
    having = Counter(term for head in heads for term in _known(head.name, head.description).every)
    scored = sorted(((score(message, head, language, having), head) for head in heads), key=lambda pair: -pair[0])
    likely = tuple(head for found, head in scored if found >= LIKELY)[:MOST_LIKELY]
    near = [head for found, head in scored if found >= NAMED]
    if not near or _is_talk(message):
        return Fit("", likely)
    clear = _named(message, near, language) or _described(message, scored, language)
    # Asked whether one skill is meant or none, a small model says that it is (reading/skill_prompt.py).
    return Fit(clear, likely, () if clear or not likely[1:] else likely)


def _named(message: str, near: Sequence[SkillHead], language: str) -> str:
    """The one skill all of whose name is said; of several the one that says most, such as change-orders of orders."""
    said = terms(message, language) | frozenset(words(message))
    parts = {head.name: _known(head.name, head.description).parts for head in near}
    whole = {name: len(own) for name, own in parts.items() if own and all(_has(said, part) for part in own)}
    most = [name for name, size in whole.items() if size == max(whole.values())]
    return most[0] if len(most) == 1 else ""


def _described(message: str, scored: Sequence[tuple[float, SkillHead]], language: str) -> str:
    """The best skill where the message has much of what it is for, and much less of what any other is for."""
    found, head = scored[0]
    second = scored[1][0] if len(scored) > 1 else 0.0
    shared = terms(message, language) & _known(head.name, head.description).every
    meant = sum(term[0] == "=" for term in shared)
    things = max(meant, sum(term[0] not in "=+" for term in shared))
    return head.name if found >= max(MANY, _APART * second) and things > 2 else ""


def score(message: str, head: SkillHead, language: str, having: Mapping[str, int] = _NOTHING) -> float:
    """How much the message has in common with the skill; 0 for nothing. `having`: how many skills have a term; what
    several have tells them apart less."""
    said, known = terms(message, language), _known(head.name, head.description)
    named = {term: _weight(term, _NAMED, _NAMED_WORD) for term in said & known.name}
    described = {term: _weight(term, _MEANT, _WORD) for term in said & known.description - known.name}
    return sum(weight / having.get(term, 1) for term, weight in (named | described).items())


def _weight(term: str, meaning: float, word: float) -> float:
    if term[0] not in "=+":
        return word
    part = _DEALT_IN if dealt_in(frozenset([term[1:]])) else _BUSINESS if term[0] == "+" else 1.0
    return meaning * part


def _has(said: frozenset[str], part: frozenset[str]) -> bool:
    """Whether a word of the name is said, in whatever form."""
    return bool(said & part) or any(_alike(one, other) for one in part for other in said)


def _alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= _BEGINNING and long.startswith(short) and len(long) - len(short) <= _ENDING


def _is_talk(message: str) -> bool:
    """Whether it only thanks, or speaks of words and opinions."""
    return all(sentence.has(*_TALK) or _asks_for_meaning(sentence) or _thanks(sentence) for sentence in read(message))


def _asks_for_meaning(sentence: Reading) -> bool:
    """What is a refund? Not: how do I get one? what is your policy on them?"""
    return sentence.has(*_MEANING) and sentence.has("define", "world") and not sentence.has("policy", "act")


def _thanks(sentence: Reading) -> bool:
    return sentence.has(*_POLITE) and not sentence.question and not sentence.has(*_ASKING, "please")


def tells(message: str) -> bool:
    """Whether it says more than a greeting, thanks or yes."""
    return any(not _is_small(sentence) for sentence in read(message))


def _is_small(sentence: Reading) -> bool:
    polite = sentence.has(*_POLITE) and not sentence.concepts and sentence.left <= _LEFT_BY_POLITENESS
    return sentence.left == 0 or polite


def goes_on(message: str, head: SkillHead, question: str, reply: str, language: str) -> bool:
    """Whether the message still is about what the skill was loaded for. `question` and `reply` are what was said last.
    A different topic begins where something else is asked for, that has nothing to do with any of them."""
    said = terms(message, language)
    sentences = read(message)
    if not said or any(_leans(sentence) for sentence in sentences) or score(message, head, language) >= STILL:
        return True
    before = terms(f"{question}\n{reply}", language)
    if 2 * len(said & before) > len(said):
        return True
    asks = any(sentence.question or sentence.has(*_ASKING) for sentence in sentences)
    return not asks


def _leans(sentence: Reading) -> bool:
    return sentence.has("refer", "yes") or (sentence.has(*_LEANING) and sentence.left <= _SHORT)


def ends_with_a_question(text: str) -> bool:
    """Whether we have asked something that is still open."""
    return any(mark in text[-200:] for mark in _ASKS)


@lru_cache(maxsize=1024)
def terms(text: str, language: str) -> frozenset[str]:
    """What a text tells: meanings as =refund, other words by their stems, Chinese and Japanese by pairs."""
    text = text[:LONGEST]
    primary = language.split("-")[0]
    meant = frozenset(term for term in meanings(text) if term[1:] not in CONDITIONS)
    telling = content(text, primary)
    if primary == "ko":
        found = {word[:_SYLLABLES] for word in _KOREAN.findall(text) if len(word) >= _SYLLABLES}
        return meant | {word for word in found if set(word) <= set(telling)}
    if primary in lexicon.CHARACTERS:
        return meant | {pair for pair in words(text) if len(pair) > 1 and set(pair) <= set(telling)}
    return meant | {stem(word, primary) for word in telling if not dealt_in(concepts(word))}


@lru_cache(maxsize=1024)
def _known(name: str, description: str) -> _Known:
    language = languages(description, default=("en",))[0]
    # A name is English, or English letters, whatever the description is written in.
    parts = tuple(part for word in name.split("-") if (part := terms(word, "en") | terms(word, language)))
    whole = terms(name.replace("-", " "), "en")
    return _Known(parts, whole.union(*parts), terms(description, language))
