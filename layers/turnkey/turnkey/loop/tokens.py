"""How many tokens a text will cost, without a tokenizer: counted by classes of bytes, so that 1 MB takes milliseconds.

Each class has a price, set so that the estimate is not low by more than 10 % for the large vocabularies of today's
models on English, Chinese, Russian, Korean and JSON. The measured table and what it does not cover: docs/budgets.md.
"""

import re
from collections import Counter
from math import ceil

_BLOCK = 1 << 15
"""Characters weighed at a time: bounds the memory for a text of any size."""

_WORD = re.compile(rb"[A-Z]?[a-z]+")
_CAPITALISED = re.compile(rb"[A-Z][a-z]{2}")
_CAPITALS = re.compile(rb"[A-Z]+(?![a-z])")
_UNPRONOUNCEABLE = re.compile(rb"[b-df-hj-np-tv-xz]{4}")
_PUNCTUATION = re.compile(rb"[!-/:-@\[-`{-~]+")
_GAP = re.compile(rb"[\t\n\r]+ *|  +")
_SPACE_BEFORE_NO_LETTER = re.compile(rb" (?=[0-9!-/:-@\[-`{-~])")

# By a character's first byte in UTF-8. A digit is a token of its own for half of today's tokenizers.
_PRICES_BY_FIRST_BYTE = tuple(
    (bytes(range(first, last + 1)), price)
    for first, last, price in (
        (0x30, 0x39, 1.0),  # digits
        (0xC2, 0xCD, 2.0),  # Latin letters with marks: they also break the word they stand in
        (0xCE, 0xCF, 0.8),  # Greek
        (0xD0, 0xD3, 0.5),  # Cyrillic
        (0xD4, 0xDF, 0.45),  # Arabic, Hebrew
        (0xE0, 0xE1, 0.65),  # Indic scripts, Thai
        (0xE2, 0xE2, 1.0),  # dashes, quotes, symbols
        (0xE3, 0xE3, 0.8),  # kana, Chinese punctuation
        (0xE4, 0xE9, 1.35),  # Chinese characters
        (0xEA, 0xED, 1.35),  # Hangul
        (0xEE, 0xEF, 1.1),  # full-width forms
        (0xF0, 0xF4, 4.8),  # emoji and other planes
    )
)


def estimate(text: str) -> int:
    """Tokens that `text` costs, rounded up. Linear in its length; never raises, lone surrogates included."""
    return ceil(weigh(text))


def fits(text: str, limit: int) -> bool:
    """Whether `estimate(text) <= limit`; stops reading once the limit is passed."""
    total = 0.0
    for start in range(0, len(text), _BLOCK):
        total += _weigh_block(text[start : start + _BLOCK])
        if total > limit:
            return False
    return True


def weigh(text: str) -> float:
    """The estimate before rounding."""
    return sum(_weigh_block(text[start : start + _BLOCK]) for start in range(0, len(text), _BLOCK))


def _weigh_block(text: str) -> float:
    data = text.encode("utf-8", "surrogatepass")
    return _ascii(data) + (0.0 if len(data) == len(text) else _others(data)) + _digits(data)


def _digits(data: bytes) -> float:
    return len(data) - len(data.translate(None, _PRICES_BY_FIRST_BYTE[0][0]))


def _others(data: bytes) -> float:
    return sum(
        price * (len(data) - len(data.translate(None, first_bytes))) for first_bytes, price in _PRICES_BY_FIRST_BYTE[1:]
    )


def _ascii(data: bytes) -> float:
    words = Counter(map(len, _WORD.findall(data)))
    capitals = _CAPITALS.findall(data)
    punctuation = Counter(map(len, _PUNCTUATION.findall(data)))
    gaps = Counter(map(len, _GAP.findall(data)))
    return (
        1.02 * words.total()
        + 0.2 * _beyond(words, 7)
        + 0.6 * _beyond(words, 10)
        + 0.3 * len(_CAPITALISED.findall(data))
        + 0.8 * len(_UNPRONOUNCEABLE.findall(data))
        + 1.2 * len(capitals)
        + 0.4 * sum(map(len, capitals))
        + 0.85 * punctuation.total()
        + 0.5 * _beyond(punctuation, 2)
        + 1.4 * gaps.total()
        + 0.25 * _beyond(gaps, 16)
        + 0.7 * len(_SPACE_BEFORE_NO_LETTER.findall(data))
    )


def _beyond(lengths: Counter[int], length: int) -> int:
    """Characters of all runs past their first `length`."""
    return sum((run - length) * times for run, times in lengths.items() if run > length)
