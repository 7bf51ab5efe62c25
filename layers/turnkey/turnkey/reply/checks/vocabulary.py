"""The words around values – months, currencies, hours – from ../data/values, as patterns over folded text."""

import json
import re
from collections.abc import Iterable
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from turnkey.reply.checks.folding import fold
from turnkey.reply.checks.wording import LANGUAGES

_DATA = Path(__file__).parent.parent / "data" / "values"
_SIGNS = {
    "€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY CNY", "₽": "RUB", "₩": "KRW", "₺": "TRY", "₹": "INR", "₴": "UAH",
    "r$": "BRL", "円": "JPY", "元": "CNY", "圆": "CNY", "원": "KRW", "tl": "TRY", "fr.": "CHF",
}  # fmt: skip
_CODES = "eur|usd|gbp|chf|jpy|cny|rmb|rub|krw|try|inr|brl|mxn|cad|aud|pln|czk|sek|nok|dkk|sar|aed|egp|mad|ils|huf"
AMOUNT = r"(?<!\d)(?<!\d[.,])(?:\d{1,3}(?:[ ']\d{3}){1,4}(?:[.,]\d{1,9})?(?!\d)|\d{1,15}(?:[.,]\d{1,9}){0,4})"


class Vocabulary:
    """The words of one or more languages, joined."""

    def __init__(self, languages: Iterable[str]) -> None:
        self._files = [_read(language) for language in languages]

    @cached_property
    def months(self) -> tuple[re.Pattern[str], ...]:
        return tuple(self._joined(file["months"][place] for file in self._files) for place in range(12))

    @cached_property
    def any_month(self) -> str:
        return "|".join(fold(month) for file in self._files for month in file["months"])

    @cached_property
    def weekdays(self) -> tuple[re.Pattern[str], ...]:
        """Monday first."""
        return tuple(self._joined(file["weekdays"][place] for file in self._files) for place in range(7))

    @cached_property
    def any_day(self) -> re.Pattern[str]:
        """A weekday, or what stands for several: weekdays, holidays, daily."""
        days = [day for file in self._files for day in (*file["weekdays"], file["days"])]
        return self._joined(days)

    def one_of(self, key: str) -> str:
        """The alternatives of `key` in every language, as one pattern's text."""
        return "|".join(fold(file[key]) for file in self._files if file[key])

    @property
    def clock(self) -> list[str]:
        """Ways to write a time of day besides 10:00. {h} and {m} stand for the figures."""
        return [fold(form) for file in self._files for form in file["clock"]]

    @cached_property
    def currencies(self) -> dict[str, re.Pattern[str]]:
        """Words by ISO code; "*" is small change of any."""
        words: dict[str, list[str]] = {}
        for file in self._files:
            for code, word in file["currencies"].items():
                words.setdefault(code, []).append(word)
        return {code: self._joined(all_of) for code, all_of in words.items()}

    @cached_property
    def money(self) -> re.Pattern[str]:
        """An amount with its currency before or behind it."""
        words = "|".join(pattern.pattern for pattern in self.currencies.values())
        signs = "|".join(re.escape(sign) for sign in sorted(_SIGNS, key=len, reverse=True))
        unit = rf"(?:{signs}|(?:{_CODES})(?![a-z])|{words})"
        return re.compile(
            rf"(?<![a-z])(?P<before>{unit})\s?(?P<a>{AMOUNT})|(?P<b>{AMOUNT})\s?(?:-\s?)?(?P<behind>{unit})"
        )

    @cached_property
    def counted(self) -> dict[str, int]:
        """Number words from four on."""
        return {fold(word): number for file in self._files for word, number in file["numbers"].items()}

    def codes(self, unit: str) -> set[str]:
        """The ISO codes a currency sign or word may mean; empty for small change."""
        if unit in _SIGNS:
            return set(_SIGNS[unit].split())
        if unit in _CODES.split("|"):
            return {"CNY" if unit == "rmb" else unit.upper()}
        return {code for code, words in self.currencies.items() if code != "*" and words.fullmatch(unit)}

    @staticmethod
    def _joined(words: Iterable[str]) -> re.Pattern[str]:
        """Alternatives; letters must not go on where the script sets words apart."""
        kept = dict.fromkeys(fold(word) for word in words)
        return re.compile("|".join(rf"(?<![a-zà-ÿа-я])(?:{word})(?![a-zà-ÿğşа-я])" for word in kept))


def _read(language: str) -> dict[str, Any]:
    return json.loads((_DATA / f"{language}.json").read_text(encoding="utf-8"))


@cache
def vocabulary(languages: tuple[str, ...]) -> Vocabulary:
    """The words of these languages together."""
    return Vocabulary(languages)


def everyone() -> Vocabulary:
    """The words of all twelve: for what must be seen whatever the language."""
    return vocabulary(LANGUAGES)
