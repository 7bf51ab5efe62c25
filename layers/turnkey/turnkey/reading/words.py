"""What a text is made of: its words, the concepts it speaks of, its numbers and its ids, in any of twelve languages."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from turnkey.reading import lexicon
from turnkey.reading.language import languages
from turnkey.reading.lexicon import Hit
from turnkey.reading.script import fold, ids, is_character, sentences, tokens

__all__ = ["concepts", "contains", "fold", "ids", "numbers", "ordinals", "stem", "words"]

_LEAST_STEM = 3
_THOUSANDS = re.compile(r"(?<=\d)[.,'\u00a0](?=\d{3}(?!\d))")
# Times, dates, decimals, and what a number only qualifies: 10:30, 1.5., 12,50, 10-year-old.
_NO_COUNT = re.compile(r"\d+(?:[:.,/-]\d+)+|\d+-[a-z]\w*|\d+(?::|\.\d)")


def words(text: str) -> tuple[str, ...]:
    """The text's words in order, folded and cut of their endings. Chinese, Japanese and Korean give pairs of
    neighbouring characters, which two texts share where they share a word."""
    language = languages(text, default=("en",))[0]
    cut = tokens(text, language)
    stems = (stem(token, language) for token in cut if not is_character(token))
    pairs = (first + second for first, second in pairwise(cut) if is_character(first) and is_character(second))
    return (*stems, *pairs)


def stem(word: str, language: str) -> str:
    """A folded word without its ending; a short word is left whole."""
    for ending in lexicon.endings(language):
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            return word[: -len(ending)]
    return word


def contains(text: str, phrase: str) -> bool:
    """Whether the phrase stands in the text: as whole words, or anywhere in scripts without word breaks."""
    language = languages(phrase, default=languages(text, default=("en",)))[0]
    whole, part = tokens(text, language), tokens(phrase, language)
    return any(whole[start : start + len(part)] == part for start in range(len(whole) - len(part) + 1))


@lru_cache(maxsize=4096)
def concepts(text: str) -> frozenset[str]:
    """English keys of the business concepts the text speaks of, whatever its language. Where a text is too short to
    tell its language, every language that could be meant counts."""
    return frozenset(
        hit.label
        for language in languages(text, default=lexicon.LATIN)
        for sentence in sentences(text, language)
        for hit in lexicon.concepts(language).find(sentence.tokens)
    )


def numbers(text: str) -> tuple[int, ...]:
    """Whole numbers in digits and number words, in order. Not those inside ids, times, dates and prices with cents."""
    bare = _NO_COUNT.sub(" ", _THOUSANDS.sub("", fold(text)))
    return _first(_numbers(tokens(bare, language), language) for language in languages(text, default=("en",)))


def _numbers(cut: tuple[str, ...], language: str) -> tuple[int, ...]:
    spoken = longest(lexicon.numbers(language).find(cut))
    covered = {place for hit in spoken for place in range(hit.start, hit.end)}
    digits = ((place, token) for place, token in enumerate(cut) if place not in covered)
    found = sorted([*digits, *((hit.start, hit.label) for hit in spoken)])
    return tuple(int(value) for _, value in found if value.isdecimal())


def ordinals(text: str) -> tuple[int, ...]:
    """Places in a row that the text names, in order: 1 for the first, -1 for the last."""
    return _first(_ordinals(tokens(text, language), language) for language in languages(text, default=("en",)))


def _ordinals(cut: tuple[str, ...], language: str) -> tuple[int, ...]:
    return tuple(int(hit.label) for hit in longest(lexicon.ordinals(language).find(cut)))


def _first(found: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """What the likeliest language finds that finds anything."""
    return next((values for values in found if values), ())


def longest(hits: Iterable[Hit]) -> list[Hit]:
    """The longest of the hits that overlap, in order."""
    kept: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: hit.start - hit.end):
        if all(hit.end <= other.start or other.end <= hit.start for other in kept):
            kept.append(hit)
    return sorted(kept, key=lambda hit: hit.start)
