"""Whether a message agrees to what was asked: yes, no, yes with a change, or something else. In twelve languages.

After a yes something is done that may cost money, so every word of the message must be one that agrees, or a courtesy
beside it: one word that is not known, a number, a question mark or dots of doubt, and it is no plain yes.
"""

import re
import unicodedata
from typing import Literal

from turnkey.reading import lexicon
from turnkey.reading.agreeing_words import Phrases, agreeing, beside, cut, declining, mended

Word = Literal["yes", "no", "changed", "other"]

LONGEST = 300
"""Characters: a plain yes is shorter."""
_DOUBT = re.compile(r"[?？؟…]|\.\.|。。|・・")
_SMILEY = re.compile(r"[:;]-?[)D](?!\w)")
# What dresses an emoji, and marks of right-to-left text.
_DRESS = re.compile("[\ufe0e\ufe0f\u200b-\u200f\U0001f3fb-\U0001f3ff]")
_PLAIN = re.compile(r"[\s.!,;'’‘`´\"“”„«»。！，、；؛،~～\-–—]+")
_FALSE_FRIEND = re.compile(r"(?i)(?<!\w)já(?!\w)")
"""Portuguese "now", German "yes" once its accent is gone."""


def agreement(text: str, language: str = "", verb: str = "") -> Word:
    """`language` is the conversation's, BCP 47; a customer may still answer in any of the twelve. `verb` is that of the
    title of the call that waits (turnkey.reply.titles), empty where it is not known."""
    signs, words = _parted(text)
    here = language.split("-")[0].lower()
    if signs is None or len(text) > LONGEST or _DOUBT.search(text):
        return "changed" if any(_mentions_yes(words, one, verb) for one in _likely(words)) else "other"
    found = {_judged(words, signs, one, one == here, verb) for one in _likely(words)}
    if found >= {"yes", "no"}:
        return "other"
    ranked: tuple[Word, ...] = ("yes", "no", "changed", "other")
    return next(verdict for verdict in ranked if verdict in found)


def _likely(words: str) -> tuple[str, ...]:
    """Languages in whose letters it may be: an answer of one script is no yes of another."""
    return lexicon.LATIN if words.isascii() else lexicon.LANGUAGES


def _parted(text: str) -> tuple[frozenset[str] | None, str]:
    """What the signs of the text say, None where one of them is neither known nor plain; and the words."""
    words = _SMILEY.sub(" ", _DRESS.sub("", unicodedata.normalize("NFC", text)))
    said: set[str] = set()
    for sign, kind in _emoji():
        if sign in words:
            said.add(kind)
            words = words.replace(sign, " ")
    rest = _PLAIN.sub("", words)
    strange = any(unicodedata.category(character)[0] not in "LMN" for character in rest)
    return (None if strange or _FALSE_FRIEND.search(text) else frozenset(said)), words


def _emoji() -> list[tuple[str, str]]:
    """Each with what it says, longest first."""
    known: dict[str, list[str]] = lexicon.data("agreement")["emoji"]
    found = [(_DRESS.sub("", sign), kind) for kind, signs in known.items() for sign in signs]
    return sorted(found, key=lambda pair: -len(pair[0]))


def _judged(words: str, signs: frozenset[str], one: str, here: bool, verb: str) -> Word:
    """What the message is as one of language `one`."""
    said = cut(words, one)
    # What is a slip of the finger in one language may be a good word of another.
    said = tuple(mended(token, one) for token in said) if here else said
    courtesies = beside(one, verb)
    by_sign = ("yes" in signs, "no" in signs)
    agrees = _covered(said, agreeing(one, here, verb), courtesies, given=by_sign[0]) and not by_sign[1]
    declines = _covered(said, declining(one, verb), courtesies, given=by_sign[1]) and not by_sign[0]
    if agrees != declines:
        return "yes" if agrees else "no"
    return "changed" if not by_sign[1] and _mentions_yes(words, one, verb) else "other"


def _covered(said: tuple[str, ...], keys: Phrases, courtesies: Phrases, *, given: bool) -> bool:
    """Whether keys and courtesies cover every token without a gap, a key among them unless one is given already."""
    reached: dict[int, set[bool]] = {0: {given}}
    for start in range(len(said)):
        for end in range(start + 1, len(said) + 1) if start in reached else ():
            part = said[start:end]
            if part in keys:
                reached.setdefault(end, set()).add(True)
            if part in courtesies:
                reached.setdefault(end, set()).update(reached[start])
    return True in reached.get(len(said), ())


def _mentions_yes(words: str, one: str, verb: str) -> bool:
    said, keys = cut(words[:LONGEST], one), agreeing(one, False, verb)
    return any(said[start:end] in keys for start in range(len(said)) for end in range(start + 1, len(said) + 1))
