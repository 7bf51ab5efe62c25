"""From a text to its language: the script first, then words and a model's scores among the script's languages."""

from typing import NamedTuple

from turnkey.detection import lexicon, scripts
from turnkey.detection.prose import Prose
from turnkey.detection.voting import LANGUAGES, chances, poll

_CLEAR, _LIKELY, _TALKS = 0.8, 0.5, 0.4
_LONG, _LONG_ELSEWHERE = 6, 4
"""Own words that make a text no mere title, even without a word of talk."""
_LONG_LETTERS = 8
"""The same in scripts that put no blanks, or few, between words."""


class Guess(NamedTuple):
    """`clear`: the text settles it by itself. Otherwise it is a hint, for where nothing else is known."""

    language: str
    clear: bool


NOTHING = Guess("", False)


def detect(text: str, before: str = "") -> Guess:
    """The language of a text, BCP 47; no language where nothing tells. `before` decides between close ones."""
    prose = Prose(text)
    script = frame_script(prose)
    if script == scripts.EAST:
        return _east(prose, before)
    if script in scripts.ONE_LANGUAGE:
        return _alone(prose, script)
    return _elect(prose, script, before) if script in LANGUAGES else NOTHING


def frame_script(prose: Prose) -> str:
    """The script a text is written in, whatever titles it names in another; empty without letters."""
    counts = scripts.letters(prose.text)
    latin = counts.pop("LATIN", 0)
    other = counts.most_common(1)[0][0] if counts else ""
    if not other or not latin:
        return other or ("LATIN" if latin else "")
    return "LATIN" if _talk(prose, "LATIN") > _talk(prose, other) else other


def _talk(prose: Prose, script: str) -> float:
    """How many of the words in a script are words of talk."""
    if script == scripts.EAST:
        return max(scripts.talk(prose.text, "zh"), scripts.talk(prose.text, "ja"))
    if script == "HANGUL":
        return scripts.talk(prose.text, "ko")
    own = [word for word in prose.own if scripts.script(word[0]) == script]
    if script in scripts.ONE_LANGUAGE:
        return len(own)
    return sum({"frame": 1.0, "daily": 0.3}.get(lexicon.kind(word), 0.0) for word in own)


def _east(prose: Prose, before: str) -> Guess:
    text = prose.text
    japanese, chinese = scripts.talk(text, "ja"), scripts.talk(text, "zh")
    simplified, traditional, shinjitai = scripts.han_forms(text)
    kana = scripts.kana(text)
    sentence = prose.reads_on or scripts.letters(text)[scripts.EAST] >= _LONG_LETTERS
    if (kana and (kana > 2 or kana * 4 > scripts.han(text) or not simplified)) or shinjitai > simplified:
        return Guess("ja", japanese > 0 or sentence)
    if not chinese and not simplified and (before == "ja" or japanese):
        return Guess("ja", japanese > 0 or sentence)
    if traditional > simplified or (traditional == simplified and before == "zh-Hant"):
        return Guess("zh-Hant", chinese > 0 or sentence)
    return Guess("zh", chinese > 0 or sentence)


def _alone(prose: Prose, script: str) -> Guess:
    language = scripts.ONE_LANGUAGE[script]
    long = scripts.letters(prose.text)[script] >= _LONG_LETTERS
    return Guess(language, long or prose.reads_on or scripts.talk(prose.text, language) > 0)


def _elect(prose: Prose, script: str, before: str) -> Guess:
    ballot = poll(prose, script)
    found = chances(ballot, script, before)
    best = max(found, key=found.__getitem__)
    talks = ballot.talk.get(best, 0.0) >= _TALKS
    known = talks or ballot.words.get(best, 0.0) > 0.5
    if found[best] < _LIKELY or not (known or (ballot.length > 1 and ballot.model.get(best, 0.0) >= _LIKELY)):
        return NOTHING
    return Guess(best, found[best] >= _CLEAR and _settles(prose, script, ballot.length, talks))


def _settles(prose: Prose, script: str, length: int, talks: bool) -> bool:
    """Whether a text is the customer's own sentence, no bare title, name or courtesy."""
    if script != "LATIN":
        return talks or length >= _LONG_ELSEWHERE or (length > 1 and prose.reads_on)
    if length >= _LONG or (length > 2 and prose.reads_on):
        return True
    # "Merci" is said in many languages; "São Paulo" is a name, whatever its first word means.
    phrase = length > 2 or any(word[0].islower() for word in prose.own) or prose.names_something
    return talks and phrase and (length > 1 or prose.names_something)
