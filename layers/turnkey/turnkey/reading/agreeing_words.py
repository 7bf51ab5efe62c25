"""The words that agree and decline, in twelve languages, from `lexicon/agreement.json`; mistyped ones too.

Per language: `yes` and `no`; courtesies that may stand beside either (`with`); what is a yes only where that language
is spoken (`here`); and deeds by their verb (`verbs`): "reserve it" agrees to a reservation, and to nothing else.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import product

from turnkey.reading import lexicon
from turnkey.reading.script import is_character, tokens

Phrases = frozenset[tuple[str, ...]]
_NONE: Phrases = frozenset()

_DEEDS = {"hold": "book", "set": "book"}
"""Verbs of titles (turnkey.reply.titles) that are agreed to in the words of another."""
_CANCELS = "cancel"
_STRETCHED = re.compile(r"([^\W\d_])\1{2,}")
_COURTESY, _YES = 5, 7
"""Letters from which on a word is known with one of them wrong: a short one may be quite another word."""


def cut(text: str, language: str) -> tuple[str, ...]:
    """The text's tokens, with yesss as yes."""
    return tokens(_STRETCHED.sub(r"\1", text), language)


@cache
def agreeing(one: str, here: bool, verb: str) -> Phrases:
    """What agrees in language `one` to a call whose title has that verb. `here`: the conversation is in it. "Cancel it"
    by itself is no answer to "shall I cancel it?"; it may mean the question."""
    deed = _DEEDS.get(verb, verb)
    deeds = _phrases(one, deed) if deed != _CANCELS else _NONE
    return _phrases(one, "yes") | deeds | (_phrases(one, "here") if here else _NONE)


@cache
def declining(one: str, verb: str) -> Phrases:
    """What declines: "cancel that" does, unless the call is to cancel something."""
    return _phrases(one, "no") | (_NONE if verb == _CANCELS else _phrases(one, _CANCELS))


@cache
def beside(one: str, verb: str) -> Phrases:
    """What may stand beside either."""
    return _phrases(one, "with") | (_phrases(one, _CANCELS) if verb == _CANCELS else _NONE)


def mended(token: str, one: str) -> str:
    """The word that a token is with one slip of the finger, or the token itself."""
    if token in _known(one) or len(token) < _COURTESY - 1 or is_character(token):
        return token
    return next((word for word in _long_words(one) if word[0] == token[0] and _one_slip(word, token)), token)


@cache
def _phrases(one: str, kind: str) -> Phrases:
    words = lexicon.data("agreement")[one]
    phrases: list[str] = words.get(kind, words["verbs"].get(kind, []))
    return frozenset(found for phrase in phrases for text in _choices(phrase) if (found := cut(text, one)))


def _choices(phrase: str) -> Iterator[str]:
    """A phrase with (a/b/) in it as all that it may be."""
    parts = [part.split("/") if place % 2 else [part] for place, part in enumerate(re.split(r"[()]", phrase))]
    return ("".join(chosen) for chosen in product(*parts))


@cache
def _known(one: str) -> frozenset[str]:
    kinds = ("yes", "no", "with", *lexicon.data("agreement")[one]["verbs"])
    return frozenset(word for kind in kinds for phrase in _phrases(one, kind) for word in phrase)


@cache
def _long_words(one: str) -> tuple[str, ...]:
    least = {"with": _COURTESY, "yes": _YES}
    words = {(word, size) for kind, size in least.items() for phrase in _phrases(one, kind) for word in phrase}
    return tuple(sorted({word for word, size in words if len(word) >= size}))


def _one_slip(word: str, token: str) -> bool:
    """One letter too many, too few, wrong, or two that changed places."""
    start = next((place for place, pair in enumerate(zip(word, token, strict=False)) if pair[0] != pair[1]), None)
    if start is None:
        return abs(len(word) - len(token)) <= 1
    rest, other = word[start:], token[start:]
    swapped = rest[:2] == other[:2][::-1] and rest[2:] == other[2:]
    return swapped or any(rest[one:] == other[two:] for one, two in ((1, 1), (1, 0), (0, 1)))
