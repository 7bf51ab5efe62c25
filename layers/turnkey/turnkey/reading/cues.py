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
_ASKING = ("which", "count", "have", "there", "recommend", "seek", "show", "wish", "need")
_BESIDE = 2
_VERB_LAST = ("de", "tr", "ja", "ko")


class Reading(NamedTuple):
    """One sentence: keys of the lexicon's cues and concepts, and its folded words. `left` counts the words that are no
    courtesy and `unknown` those that the lexicon has nothing for; two characters of Chinese, Japanese or Korean go for
    one. `asked` are the concepts that stand beside a word that asks: which books, looking for a hotel."""

    cues: frozenset[str]
    concepts: frozenset[str]
    asked: frozenset[str]
    words: frozenset[str]
    left: float
    unknown: float
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
    about = lexicon.concepts(language).find(tokens)
    asking = [hit for hit in hits if hit.label in _ASKING]
    return Reading(
        cues=frozenset(hit.label for hit in _meant(hits)) | (frozenset({ID}) & frozenset(tokens)),
        concepts=frozenset(hit.label for hit in about),
        asked=frozenset(hit.label for hit in about if any(_beside(hit, cue, language) for cue in asking)),
        words=frozenset(tokens) - MARKS,
        left=_outside(tokens, [hit for hit in hits if hit.label in _POLITE]),
        unknown=_outside(tokens, [*hits, *about]),
        question=sentence.question,
    )


def _meant(hits: set[Hit]) -> list[Hit]:
    """The hits without those inside an idle phrase. Courtesies stay: "thank you for more than one reason"."""
    idle = [hit for hit in hits if hit.label == "idle"]
    return [hit for hit in hits if hit.label in _POLITE or not any(hit.overlaps(cover) for cover in idle)]


def _either(one: Reading, other: Reading) -> Reading:
    return Reading(
        one.cues | other.cues,
        one.concepts | other.concepts,
        one.asked | other.asked,
        one.words | other.words,
        min(one.left, other.left),
        min(one.unknown, other.unknown),
        one.question,
    )


def _beside(thing: Hit, cue: Hit, language: str) -> bool:
    """Whether the thing stands a few words behind the cue, or before one in languages whose verbs come last."""
    word = _CHARACTERS_A_WORD if language in lexicon.CHARACTERS else 1
    behind = cue.start <= thing.start <= cue.end + _BESIDE * word
    return behind or (language in _VERB_LAST and cue.label != "which" and 0 <= cue.start - thing.end <= word)


def _outside(tokens: tuple[str, ...], hits: list[Hit]) -> float:
    """Words that none of the hits covers."""
    covered = {place for hit in hits for place in range(hit.start, hit.end)}
    return sum(
        1 / _CHARACTERS_A_WORD if is_character(token) else 1
        for place, token in enumerate(tokens)
        if token not in MARKS and place not in covered
    )
