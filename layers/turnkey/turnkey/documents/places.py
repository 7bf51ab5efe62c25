"""Places in a text between two characters as readers see them: never within an emoji, an accent or a line end."""

import unicodedata

_JOINER = "\u200d"
_MODIFIERS = range(0x1F3FB, 0x1F400)
_TAGS = range(0xE0020, 0xE0080)
_FLAGS = range(0x1F1E6, 0x1F200)
_INNER_JAMO = range(0x1160, 0x1200)
_VOWELS = "\u0e33\u0eb3"
"""Of Thai and Lao: letters by their category, and yet a part of the one before."""


def continues(character: str) -> bool:
    """Whether it belongs to the character before it."""
    number = ord(character)
    inner = (
        character == _JOINER or character in _VOWELS or number in _MODIFIERS or number in _TAGS or number in _INNER_JAMO
    )
    return inner or unicodedata.category(character).startswith("M")


def is_between(text: str, place: int) -> bool:
    """Whether `place` lies between two characters, so that a change may begin or end there."""
    if place <= 0 or place >= len(text):
        return True
    before, behind = text[place - 1], text[place]
    if (before, behind) == ("\r", "\n") or continues(behind):
        return False
    if before == _JOINER and unicodedata.category(behind).startswith("S"):
        return False
    return not (ord(before) in _FLAGS and ord(behind) in _FLAGS and _flags_before(text, place) % 2)


def _flags_before(text: str, place: int) -> int:
    start = place
    while start and ord(text[start - 1]) in _FLAGS:
        start -= 1
    return place - start
