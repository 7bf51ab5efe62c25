"""The words of twelve languages by what they are a sign of: cues, concepts, numbers, endings. Data beside the code.

A language is read from its file when it is first needed, and is then kept.
"""

import json
from functools import cache, partial
from pathlib import Path
from typing import Any

from turnkey.reading.lexicon.phrasebook import Hit, Phrasebook
from turnkey.reading.script import CLAUSE, QUESTION, WORD, tokens

LANGUAGES: tuple[str, ...] = ("en", "de", "fr", "es", "pt", "it", "tr", "ru", "ar", "zh", "ja", "ko")
LATIN: tuple[str, ...] = LANGUAGES[:7]
CHARACTERS = frozenset({"zh", "ja", "ko"})
_REACH = 6
_REACH_IN_CHARACTERS = 14

__all__ = [
    "LANGUAGES",
    "LATIN",
    "Hit",
    "Phrasebook",
    "business",
    "concepts",
    "cues",
    "data",
    "endings",
    "group",
    "markers",
    "numbers",
    "ordinals",
]


@cache
def data(name: str) -> dict[str, Any]:
    """A data file of this folder: a language's, or one that is about all of them."""
    return json.loads((Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8"))


@cache
def cues(language: str) -> Phrasebook:
    """Phrases by what they are a sign of, such as "show" or "price"."""
    return _book(language, data(language)["cues"])


@cache
def concepts(language: str) -> Phrasebook:
    """Words by the English key of what they mean, such as "appointment"."""
    forms: dict[str, list[str]] = data(language)["concepts"]
    if language == "ar":
        # Its "in" and "for" are written together with the word.
        forms = {
            key: [*words, *(f"{joined}{word}" for joined in "بل" for word in words)] for key, words in forms.items()
        }
    return _book(language, forms)


@cache
def business(language: str) -> Phrasebook:
    """Words by the English key of what tools of any trade are about, such as "parcel". Coarser than `concepts`, and no
    business of the gate's: they only tell which tools are worth showing."""
    return _book(language, data("business")[language])


@cache
def numbers(language: str) -> Phrasebook:
    """Number words by the number in digits; "no" marks what only looks like one."""
    return _book(language, data(language)["numbers"])


@cache
def ordinals(language: str) -> Phrasebook:
    """Ordinal words by the place in digits, -1 for the last."""
    return _book(language, data(language)["ordinals"])


@cache
def endings(language: str) -> tuple[str, ...]:
    """Endings that a word is cut of, longest first."""
    return tuple(sorted(data(language).get("endings", ()), key=len, reverse=True))


@cache
def markers() -> dict[str, frozenset[str]]:
    """Words that tell one language in Latin script from another."""
    return {language: frozenset(" ".join(lines).split()) for language, lines in data("markers")["words"].items()}


@cache
def group(name: str) -> frozenset[str]:
    """Concepts that belong together: a family such as "doctors", or a group such as "days"."""
    kin = data("families")
    return frozenset(kin["groups"].get(name) or kin["families"][name]["things"])


@cache
def _number_words(language: str) -> frozenset[str]:
    words = data(language)["numbers"]
    # What stands before a choice is the number itself: its choices are what is counted.
    plain = (phrase.split("(")[0] for key, phrases in words.items() if key != "no" for phrase in phrases)
    cut = (tokens(word, language) for word in plain)
    return frozenset(word[0] for word in cut if len(word) == 1)


def _book(language: str, phrases: dict[str, list[str]]) -> Phrasebook:
    single = language in CHARACTERS
    book = Phrasebook(
        cache(partial(tokens, language=language)),
        _number_words(language),
        _REACH_IN_CHARACTERS if single else _REACH,
        frozenset({WORD if single else CLAUSE, QUESTION}),
    )
    for label, forms in phrases.items():
        book.add(label, forms)
    return book
