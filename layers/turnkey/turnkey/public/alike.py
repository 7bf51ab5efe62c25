"""Whether a question is like one that the business has answered before: by the words that tell, in any script. Plain.

Common words, word endings and the order of words do not matter; every number does.
"""

import re
from collections.abc import Iterable

from turnkey.detection import detect, everyday_words
from turnkey.public.review import Answered
from turnkey.reading.script import fold

ALIKE = 0.75
"""Of what both questions tell, the share that they have in common."""
MOST = 2
"""Offered to a turn."""
_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"\d+")
_STEM = 5
_APART = re.compile("[\u3005-\u3007\u30a0-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")
_HIRAGANA = re.compile("[\u3040-\u309f]+")
"""What holds a Japanese sentence together; what it is about is hardly ever written so."""
_LONGEST = 1_000


def best(question: str, kept: Iterable[Answered]) -> tuple[Answered, ...]:
    """Those that answer such a question, the likest first; of several to the same question the first."""
    asked = terms(question)
    numbers = frozenset(_NUMBER.findall(fold(question[:_LONGEST])))
    scored: list[tuple[float, Answered]] = []
    for one in kept:
        if frozenset(_NUMBER.findall(fold(one.question[:_LONGEST]))) == numbers:
            scored.append((likeness(asked, terms(one.question)), one))
    scored.sort(key=lambda pair: -pair[0])
    found: dict[str, Answered] = {}
    for score, one in scored:
        if score >= ALIKE:
            found.setdefault(fold(one.question), one)
    return tuple(found.values())[:MOST]


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """0 for nothing in common, 1 for the same (Dice)."""
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


def terms(text: str) -> frozenset[str]:
    """What a question tells: its words' beginnings, less everyday words; pairs of characters where words are not
    written apart."""
    shown = text[:_LONGEST]
    everyday = frozenset(fold(word) for word in everyday_words(detect(shown).language))
    found: set[str] = set()
    for word in _WORD.findall(fold(shown)):
        if word not in everyday:
            found |= _of_word(word)
    return frozenset(found)


def _of_word(word: str) -> set[str]:
    if _APART.search(word):
        parts = (part for part in _HIRAGANA.split(word) if part)
        return {pair for part in parts for pair in _pairs(part)}
    return {word[:_STEM]} if len(word) > 2 else set()


def _pairs(word: str) -> set[str]:
    return {word[place : place + 2] for place in range(len(word) - 1)} or {word}
