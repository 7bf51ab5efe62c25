"""Words as they are compared: folded, split, and alike whatever their ending, in any of the twelve languages."""

import re
import unicodedata
from collections.abc import Iterator

_MARKS = re.compile("[\u0300-\u036f\u064b-\u0652\u0640]")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W_]+(?:[\u0900-\u0e7f]+[^\W_]*)*")
_INFLECTED = re.compile("[a-z\u0370-\u04ff]")
"""Scripts whose words end differently by case and number; others hang words together instead."""
_SHORT = 3
_LOOSE = "aeiouysnаеиоуыэюяйь"
"""Last letters that other forms of a word may not have."""
_ENDING = re.compile(
    "(?=.{0,5}$)(?:[aeiouy]|[snxr]|l[ae]r|[dty][aei]n?|en[ez])*+|(?=.{0,4}$)(?:[аеиоуыэюя]|[йьхмвс]|его|ого|ами|ями)*+"
)
"""How nouns end, by case and number, in the languages that inflect them."""


def fold(text: str) -> str:
    """For comparing: small letters, no accents, no vowel marks, full-width forms as plain ones."""
    plain = unicodedata.normalize("NFKD", text.casefold()).replace("ı", "i")
    return unicodedata.normalize("NFC", _MARKS.sub("", plain))


def split(text: str) -> list[str]:
    """The words of a sentence or of a field's name as written: parted at spaces, signs, underscores and camelCase."""
    return [word if word.isupper() else word.lower() for word in _WORD.findall(_CAMEL.sub(" ", text))]


def words(text: str) -> tuple[str, ...]:
    """The words of `split`, folded."""
    return tuple(fold(word) for word in split(text))


def alike(word: str, known: str) -> bool:
    """Whether `word` is `known` in some form of it. Both folded. "sprachen" is like "sprache", "языкам" like "язык";
    in Chinese, Japanese, Korean and Arabic it may stand within a longer string."""
    if word == known:
        return True
    if not _INFLECTED.match(known):
        return len(known) > 1 and known in word
    if len(known) < _SHORT or not word.startswith(known[:_SHORT]):
        return False
    stems = (known, known[:-1]) if len(known) > _SHORT and known[-1] in _LOOSE else (known,)
    return any(word.startswith(stem) and _ENDING.fullmatch(word, len(stem)) for stem in stems)


def runs(sought: tuple[str, ...], within: tuple[str, ...]) -> Iterator[int]:
    """Where in `within` the words `sought` follow each other, each in some form."""
    for start in range(len(within) - len(sought) + 1):
        if all(alike(within[start + place], word) for place, word in enumerate(sought)):
            yield start
