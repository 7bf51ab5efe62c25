"""Which languages a text may be in: by its script, and among those in Latin script by small words and letters."""

import re
from functools import lru_cache

from turnkey.reading import lexicon
from turnkey.reading.script import fold

_SCRIPTS = {
    "ja": "\u3040-\u30ff",
    "ko": "\uac00-\ud7af",
    "zh": "\u4e00-\u9fff",
    "ru": "\u0400-\u04ff",
    "ar": "\u0600-\u06ff",
}
_CHINESE = "[的了吗们这那你我他她哪么呢吧请谁给还没几]"
"""Of a text in Han alone, these tell that it is no Japanese."""
_NEAR = 0.75
"""A language with this share of the best one's signs may be meant as well."""
_LEAST_BESIDE = 3
"""Signs of a Latin language that count although another script is there: names are often left in theirs."""
_SIGN = 1.5
_STEMS = range(5, 16)
"""Letters of a word's beginning that may tell by itself."""


@lru_cache(maxsize=1024)
def languages(text: str, default: tuple[str, ...]) -> tuple[str, ...]:
    """Codes of the likeliest languages, best first; `default` where nothing tells."""
    script = next((language for language, signs in _SCRIPTS.items() if re.search(f"[{signs}]", text)), "")
    scores = _latin(text)
    best = max(scores.values(), default=0)
    if script and best < _LEAST_BESIDE:
        either = script == "zh" and not re.search(_CHINESE, fold(text))
        return (script, "ja") if either else (script,)
    ranked = sorted(scores, key=lambda language: -scores[language])
    likely = tuple(language for language in ranked if scores[language] >= _NEAR * best)
    return (*likely, script) if script else likely or default


def _latin(text: str) -> dict[str, float]:
    """Languages in Latin script by how many signs of them the text has; those without any left out."""
    scores = dict.fromkeys(lexicon.LATIN, 0.0)
    raw = f" {text.lower()} "
    for language, signs in lexicon.data("markers")["signs"].items():
        scores[language] += _SIGN * sum(sign in raw for sign in signs)
    for word in re.findall("[a-z]+", fold(text)):
        for language in _marked(word):
            scores[language] += 1
    return {language: score for language, score in scores.items() if score}


@lru_cache(maxsize=16_384)
def _marked(word: str) -> tuple[str, ...]:
    """Languages that the word tells. Kept by word: definitions and messages have many of them in common."""
    beginnings = [f"{word[:size]}*" for size in _STEMS]
    return tuple(
        language for language, marks in lexicon.markers().items() if word in marks or not marks.isdisjoint(beginnings)
    )
