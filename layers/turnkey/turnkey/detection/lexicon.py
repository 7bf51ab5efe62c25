"""The words that carry a conversation, by language: detection/words.json.

`frame`: pronouns, auxiliaries, questions, courtesy, requests: they are the customer's own. `daily`: other common words.
`glue`: articles, prepositions, conjunctions: titles are made of these too. `letters`: signs beyond plain
a to z or а to я.
"""

import json
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

_WORTH = {"glue": 0.7, "daily": 2.0, "frame": 2.0}
_TALK = {"glue": 0.0, "daily": 0.3, "frame": 1.0}
_EVERYWHERE = "ok okay hi hey wow email mail pdf app chat online link info super thx"
EVERYWHERE = frozenset(_EVERYWHERE.split())
"""Said in every language: nobody's."""
_LATIN_FORMS = {"ı": "i", "ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ß": "ss"}
_LOOSE = _LATIN_FORMS | {"ё": "е", "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ة": "ه", "ى": "ي"}


class Entry(NamedTuple):
    """What a word is worth by language, and how far it is talk, 0 to 1. Languages that share a word share both."""

    worth: Mapping[str, float]
    talk: Mapping[str, float]
    kind: str


@cache
def signs() -> Mapping[str, tuple[str, ...]]:
    """Letters with marks, and ¿¡: sign -> the languages that have it."""
    found: dict[str, tuple[str, ...]] = {}
    for code, words in _data().items():
        for sign in words["letters"]:
            found[sign] = (*found.get(sign, ()), code)
    return found


@cache
def languages() -> frozenset[str]:
    return frozenset(_data())


@lru_cache(maxsize=4096)
def entry(word: str) -> Entry | None:
    """A word as written, else as typed without accents, else by what is elided before it (l'eau)."""
    exact, loose = _tables()
    lower = word.lower().strip("'")
    found = exact.get(lower)
    # Who types accents types all of them; other scripts are spelt in more than one way.
    if found is None and (lower.isascii() or lower[0] > "\u0370"):
        found = loose.get(fold(lower))
    if found is None and "'" in lower:
        found = exact.get(lower.partition("'")[0] + "'")
    return _entry(found) if found else None


def _entry(kinds: Mapping[str, str]) -> Entry:
    return Entry(
        {code: _WORTH[kind] / len(kinds) for code, kind in kinds.items()},
        {code: _TALK[kind] / len(kinds) for code, kind in kinds.items()},
        max(kinds.values(), key=_TALK.__getitem__),
    )


def kind(word: str) -> str:
    """frame, daily or glue, the first that any language has it for; empty for a word unknown."""
    found = entry(word)
    return found.kind if found else ""


def fold(word: str) -> str:
    """Lower case without marks on letters; scripts whose marks are letters stay as they are."""
    return word.lower() if word.isascii() else "".join(map(_bare, word.lower()))


@lru_cache(maxsize=1024)
def _bare(character: str) -> str:
    if character < "\u0600" or "\u1e00" <= character < "\u2000":
        parts = unicodedata.normalize("NFD", character)
        character = "".join(part for part in parts if not unicodedata.combining(part))
    return _LOOSE.get(character, character)


@cache
def _tables() -> tuple[Mapping[str, Mapping[str, str]], Mapping[str, Mapping[str, str]]]:
    """Word -> language -> kind; once as written, once folded."""
    exact: dict[str, dict[str, str]] = {}
    loose: dict[str, dict[str, str]] = {}
    for code, words in _data().items():
        for kind in _WORTH:
            for word in words[kind].lower().split():
                exact.setdefault(word, {})[code] = kind
                loose.setdefault(fold(word), {})[code] = kind
    return exact, loose


@cache
def _data() -> Mapping[str, Mapping[str, str]]:
    return json.loads(Path(__file__).with_name("words.json").read_text(encoding="utf-8"))


@cache
def everyday_words(language: str) -> frozenset[str]:
    """Words that ask, point and join, as they are written: those that say nothing of what a message is about."""
    groups = _data().get(language, {})
    return frozenset(word for group in ("frame", "glue") for word in groups.get(group, "").split())
