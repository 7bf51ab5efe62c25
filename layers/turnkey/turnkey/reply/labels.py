"""Labels of usual fields in twelve languages, found by the names that programs give them."""

import json
import re
from functools import cache
from pathlib import Path

from turnkey.reply.checks.folding import fold

_DATA = Path(__file__).parent / "data" / "labels.json"
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# What a name may end with to say in what a value is.
_UNIT = re.compile(
    r" (?:eur|usd|gbp|chf|jpy|cny|krw|rub|try|brl|cents|minutes|hours|days|km|kg|percent|pct|celsius"
    r"|id|no|number|text|name)$"
)
_CURRENCY = re.compile(r" (?:eur|usd|gbp|chf|jpy|cny|krw|rub|try|brl|cents)$")
_FALLBACK = "en"


def words_of(field: str) -> str:
    """A field's name as words: unitPrice, unit_price and UNIT-PRICE are "unit price"."""
    return " ".join(_CAMEL.sub(" ", field).replace("_", " ").replace("-", " ").replace(".", " ").lower().split())


def concept(field: str) -> str:
    """Which usual field it is, such as price; empty for any other."""
    words = words_of(field)
    return _by_field().get(words) or _by_field().get(_UNIT.sub("", words), "")


def label(field: str, language: str) -> str:
    """The field's label in the language, English for others; an unusual field's own name, humanised."""
    known = concept(field)
    if known == "count" and _CURRENCY.search(words_of(field)):
        known = "total"
    if not known:
        words = re.sub(r" (?:eur|usd|gbp|chf|jpy|cny|krw|rub|try|brl|cents|percent|pct)$", "", words_of(field))
        return words[:1].upper() + words[1:]
    return _labels()[known].get(language) or _labels()[known][_FALLBACK]


def state(value: str, language: str) -> str:
    """A usual status value in the language, such as confirmed or sold_out; empty for any other."""
    row = _states().get(words_of(value))
    return (row.get(language) or row[_FALLBACK]) if row else ""


def is_known(folded: str) -> bool:
    """Whether a folded text is one of these labels, in any of the languages, or a usual field's name."""
    return folded in _every_label()


@cache
def _file() -> dict[str, dict[str, str | list[str]]]:
    return json.loads(_DATA.read_text(encoding="utf-8"))


@cache
def _labels() -> dict[str, dict[str, str]]:
    return {
        name: {language: word for language, word in entry.items() if isinstance(word, str)}
        for name, entry in _file().items()
    }


@cache
def _states() -> dict[str, dict[str, str]]:
    rows: list[dict[str, str | list[str]]] = json.loads((_DATA.parent / "states.json").read_text(encoding="utf-8"))
    return {
        value: {language: word for language, word in row.items() if isinstance(word, str)}
        for row in rows
        for value in row["values"]
    }


@cache
def _by_field() -> dict[str, str]:
    return {field: name for name, entry in _file().items() for field in entry["fields"]}


@cache
def _every_label() -> frozenset[str]:
    return frozenset(_by_field()) | {fold(word) for entry in _labels().values() for word in entry.values()}
