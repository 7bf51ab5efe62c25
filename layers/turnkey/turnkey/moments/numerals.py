"""Numbers written as words, put into digits."""

import re
from typing import Any, NamedTuple

from turnkey.reading.script import fold

ORDINAL = "#"
"""Stands behind a number that was an ordinal in words."""
_HAN = re.compile("[一二三四五六七八九十两〇零百廿卅]+")
_HAN_DIGITS = {sign: value for value, sign in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2}
_HAN_TENS = {"十": 10, "百": 100}


class Numerals(NamedTuple):
    """The number words of one language; `tens` and `ones` stand together with `join` between ("twenty-five")."""

    words: dict[str, int]
    ordinals: dict[str, int]
    pattern: re.Pattern[str] | None
    han: bool

    @classmethod
    def of(cls, data: dict[str, Any], spaced: bool) -> "Numerals":
        """From a language's data: numbers and ordinals as {"9": "nine|nines"}."""
        words = {fold(form): int(value) for value, forms in data["numbers"].items() for form in forms.split("|")}
        ordinals = {fold(form): int(value) for value, forms in data["ordinals"].items() for form in forms.split("|")}
        return cls(words, ordinals, _pattern(words, ordinals, data, spaced), bool(data.get("han_numbers")))

    def in_digits(self, text: str) -> str:
        """The text with its number words in digits; an ordinal is marked with ORDINAL."""
        if self.pattern:
            text = self.pattern.sub(self._digits, text)
        return _HAN.sub(_apart, text) if self.han else text

    def _digits(self, match: re.Match[str]) -> str:
        said = match.groupdict()
        tens = self.words[said["tens"]] if said["tens"] else 0
        last = said["one"] or said["alone"]
        if last in self.words:
            return str(tens + self.words[last])
        return f"{tens + self.ordinals[last]}{ORDINAL}"


def _pattern(
    words: dict[str, int], ordinals: dict[str, int], data: dict[str, Any], spaced: bool
) -> re.Pattern[str] | None:
    if not words and not ordinals:
        return None
    tens = _any(form for form, value in words.items() if value >= 20 and value % 10 == 0)
    ones = _any(form for table in (words, ordinals) for form, value in table.items() if value < 10)
    alone = _any([*words, *ordinals])
    before = r"(?<!\w)" if spaced else fold(data.get("number_before", ""))
    after = fold(data.get("number_after", r"(?!\w)" if spaced else ""))
    join = fold(data.get("join", r"(?!)"))
    return re.compile(rf"{before}(?:(?P<tens>{tens})(?:{join})(?P<one>{ones})|(?P<alone>{alone})){after}")


def _any(forms: Any) -> str:
    return "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True)) or "(?!)"


def _apart(match: re.Match[str]) -> str:
    """Its digits, kept apart from those beside it: 星期三10点 is no 310."""
    before, after = match.string[: match.start()][-1:], match.string[match.end() :][:1]
    return f"{' ' * before.isdigit()}{_han(match[0])}{' ' * after.isdigit()}"


def _han(said: str) -> str:
    """二十五 → 25, 二〇二六 → 2026, 两三 → 2-3."""
    said = said.replace("廿", "二十").replace("卅", "三十")
    if not _HAN_TENS.keys() & set(said):
        digits = [_HAN_DIGITS[sign] for sign in said]
        about = len(digits) == 2 and 0 < digits[0] == digits[1] - 1
        return ("-" if about else "").join(map(str, digits))
    total = last = 0
    for sign in said:
        if sign in _HAN_TENS:
            total, last = total + (last or 1) * _HAN_TENS[sign], 0
        else:
            last = _HAN_DIGITS[sign]
    return str(total + last)
