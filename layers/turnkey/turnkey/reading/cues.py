"""What the words of a message are signs of, sentence by sentence."""

from functools import reduce
from typing import NamedTuple

from turnkey.reading import lexicon
from turnkey.reading.language import languages
from turnkey.reading.lexicon import Hit
from turnkey.reading.script import ID, MARKS, Sentence, is_character, sentences

LONGEST = 1600
"""Characters that are read: of a longer message its beginning and its end, half of it each."""
_MOST_TOKENS = 120
_CHARACTERS_A_WORD = 2
_POLITE = ("courtesy", "smalltalk")


class Reading(NamedTuple):
    """One sentence: keys of the lexicon's cues and concepts, and its folded words. `size` counts words and `left` those
    that are no courtesy; two characters of Chinese, Japanese or Korean go for one."""

    cues: frozenset[str]
    concepts: frozenset[str]
    words: frozenset[str]
    size: float
    left: float
    question: bool

    def has(self, *cues: str) -> bool:
        """Whether any of the cues is there."""
        return not self.cues.isdisjoint(cues)


def read(message: str) -> tuple[Reading, ...]:
    """The sentences of a message. One that may be in several languages is read in all of them, and has the cues of
    each."""
    half = LONGEST // 2
    text = message if len(message) <= LONGEST else f"{message[:half]}\n{message[-half:]}"
    likely = languages(text, default=lexicon.LATIN)
    by_language = [[_read(sentence, language) for sentence in sentences(text, language)] for language in likely]
    return tuple(reduce(_either, same) for same in zip(*by_language, strict=True))


def _read(sentence: Sentence, language: str) -> Reading:
    tokens = sentence.tokens[:_MOST_TOKENS]
    hits = lexicon.cues(language).find(tokens)
    idle = [hit for hit in hits if hit.label == "idle"]
    polite = [hit for hit in hits if hit.label in _POLITE]
    meant = [hit for hit in hits if not any(_overlap(hit, other) for other in idle)]
    courtesy = {place for hit in polite for place in range(hit.start, hit.end)}
    return Reading(
        cues=frozenset(hit.label for hit in (*meant, *polite)) | (frozenset({ID}) & frozenset(tokens)),
        concepts=frozenset(hit.label for hit in lexicon.concepts(language).find(tokens)),
        words=frozenset(tokens) - MARKS,
        size=_size(tokens),
        left=_size(tuple(token for place, token in enumerate(tokens) if place not in courtesy)),
        question=sentence.question,
    )


def _either(one: Reading, other: Reading) -> Reading:
    return Reading(
        one.cues | other.cues,
        one.concepts | other.concepts,
        one.words | other.words,
        one.size,
        min(one.left, other.left),
        one.question,
    )


def _overlap(one: Hit, other: Hit) -> bool:
    return one.start < other.end and other.start < one.end


def _size(tokens: tuple[str, ...]) -> float:
    return sum(1 / _CHARACTERS_A_WORD if is_character(token) else 1 for token in tokens if token not in MARKS)
