"""One spelling for many: full-width signs, digits of other scripts, letters in either case, accents."""

import unicodedata
from functools import cache

from turnkey import hidden

# What is written for a digit where one number is read out sign by sign.
_HAN = {**{sign: str(digit) for digit, sign in enumerate("〇一二三四五六七八九")}, "零": "0", "幺": "1"}
_DOTLESS = str.maketrans({"ı": "i", "İ": "i", "ß": "ss"})


def seen(text: str) -> str:
    """The text without what nobody sees; a joiner inside a number would hide it."""
    return hidden.clean(text)


def in_digits(text: str) -> str:
    """The same length, sign for sign: ０ and ٠ and 〇 are 0, ＋ is +."""
    return "".join(map(_sign, text))


def plain(text: str) -> str:
    """For comparing words: no case, no accents, compatible forms made one."""
    folded = unicodedata.normalize("NFKD", in_ascii_digits(text).translate(_DOTLESS).casefold())
    return unicodedata.normalize("NFC", "".join(character for character in folded if not _is_mark(character)))


def in_ascii_digits(text: str) -> str:
    """The text with the digits of any script as 0 to 9."""
    return "".join(_ascii_digit(character) for character in text)


@cache
def _sign(character: str) -> str:
    if character in _HAN:
        return _HAN[character]
    digit = _ascii_digit(character)
    if digit != character:
        return digit
    compatible = unicodedata.normalize("NFKC", character)
    return compatible if len(compatible) == 1 else character


def _ascii_digit(character: str) -> str:
    value = unicodedata.decimal(character, None)
    return character if value is None else str(value)


def _is_mark(character: str) -> bool:
    """An accent, an Arabic vowel mark, a stretched line. が without its mark would be か, another word."""
    return character == "\u0640" or (unicodedata.combining(character) > 0 and character not in "\u3099\u309a")
