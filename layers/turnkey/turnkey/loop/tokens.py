"""How many tokens a text will cost, without a tokenizer: counted by classes of bytes, so that 1 MB takes milliseconds.

Each class has a price, set so that the estimate is not low by more than 10 % for the large vocabularies of today's
models on English, Chinese, Russian, Korean and JSON. The measured table and what it does not cover: docs/budgets.md.
"""

import re
from bisect import bisect_right
from collections import Counter
from math import ceil, inf

_BLOCK = 1 << 15
"""Characters weighed at a time: bounds the memory for a text of any size."""
_STEP = 512

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
    return weigh(text, limit) <= limit


def weigh(text: str, limit: float = inf) -> float:
    """The estimate before rounding; some number above `limit` as soon as that is passed."""
    total = 0.0
    for start in range(0, len(text), _BLOCK):
        total += _weigh_block(text[start : start + _BLOCK])
        if total > limit:
            break
    return total


def reach(text: str, start: int, limit: float) -> int:
    """The furthest place so that `text[start:place]` costs about `limit` tokens at most."""
    place, left = start, limit
    while place < len(text):
        step = text[place : place + _STEP]
        cost = _weigh_block(step)
        if cost > left:
            return place + bisect_right(range(len(step)), left, key=lambda length: _weigh_block(step[:length])) - 1
        place, left = place + len(step), left - cost
    return place


def reach_back(text: str, end: int, limit: float) -> int:
    """The earliest place so that `text[place:end]` costs about `limit` tokens at most."""
    place, left = end, limit
    while place > 0:
        step = text[max(0, place - _STEP) : place]
        cost = _weigh_block(step)
        if cost > left:
            kept = bisect_right(range(1, len(step)), left, key=lambda length: _weigh_block(step[-length:]))
            return place - kept
        place, left = place - len(step), left - cost
    return place


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
