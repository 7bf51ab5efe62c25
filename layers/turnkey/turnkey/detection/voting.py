"""Languages that share a script: each word of a text votes for those that have it, and a model gives its opinion."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from turnkey.detection import lexicon, model, scripts
from turnkey.detection.prose import Prose

_SHARED = {
    "LATIN": "en de fr es it pt tr nl pl cs sv da no fi hu ro id vi ca sk hr sl et lv lt ms tl sw af sq is ga gl eu az",
    "CYRILLIC": "ru uk bg sr be mk kk mn ky tg",
    "ARABIC": "ar fa ur ps ckb",
    "DEVANAGARI": "hi mr ne",
}
LANGUAGES: Mapping[str, Sequence[str]] = {script: codes.split() for script, codes in _SHARED.items()}
"""By script as Unicode names it."""
_LIKELIEST = frozenset(["en", "de", "fr", "es", "it", "pt", "tr", "ru", "ar", "hi"])
_TITLED = 0.15
"""What a word in a title weighs beside one outside."""

# Fitted by grid on short messages and on an interface's strings; flat around these.
_WORD, _SIGN = 1.8, 1.5
_TRUST, _TRUST_A_WORD, _TRUST_MOST, _FLOOR = 0.5, 0.15, 1.2, 0.005
_BEFORE, _LISTED, _UNLISTED = 0.7, -0.7, -3.0


class Ballot(NamedTuple):
    """By language: the worth of its words, how many of them are talk, and the model's probability. `length`: words
    outside titles that are of one language at all."""

    words: Mapping[str, float]
    talk: Mapping[str, float]
    model: Mapping[str, float]
    length: int


def poll(prose: Prose, script: str) -> Ballot:
    """The votes of a text's words in one of the scripts of LANGUAGES."""
    worth: Counter[str] = Counter()  # of floats
    talk: Counter[str] = Counter()
    for word in prose.words:
        if scripts.script(word.text[0]) == script and (found := lexicon.entry(word.text)):
            worth.update({code: votes * (_TITLED if word.titled else 1) for code, votes in found.worth.items()})
            talk.update({} if word.titled else found.talk)
    own = [word for word in prose.own if scripts.script(word[0]) == script]
    worth.update(_signs("".join(own), prose.text))
    telling = [word for word in own if word.lower() not in lexicon.EVERYWHERE]
    return Ballot(worth, talk, _opinion(telling, [word.text for word in prose.words]), len(telling))


def chances(ballot: Ballot, script: str, before: str) -> Mapping[str, float]:
    """Probability of each language of the script. `before` is the likelier one between close ones."""
    trust = min(_TRUST_MOST, _TRUST + _TRUST_A_WORD * ballot.length)
    weights = {
        code: _WORD * ballot.words.get(code, 0.0)
        + trust * math.log(ballot.model.get(code, 0.0) + _FLOOR)
        + _prior(code)
        + (_BEFORE if code == before else 0.0)
        for code in LANGUAGES[script]
    }
    most = max(weights.values())
    powers = {code: math.exp(weight - most) for code, weight in weights.items()}
    total = sum(powers.values())
    return {code: power / total for code, power in powers.items()}


def _signs(own: str, text: str) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for sign in {*own.lower()} | ({*text} & {*"¿¡"}):
        languages = lexicon.signs().get(sign, ())
        for code in languages:
            found[code] = found.get(code, 0.0) + _SIGN / len(languages)
    return found


def _opinion(own: Sequence[str], every: Sequence[str]) -> Mapping[str, float]:
    """The model's mean opinion of all words and of those outside titles: neither is safe alone."""
    opinions = [model.scores(" ".join(words).lower()) for words in (own, every) if words]
    codes = {code for opinion in opinions for code in opinion}
    return {code: sum(opinion.get(code, 0.0) for opinion in opinions) / len(opinions) for code in codes}


def _prior(code: str) -> float:
    if code in _LIKELIEST:
        return 0.0
    return _LISTED if code in lexicon.languages() else _UNLISTED
