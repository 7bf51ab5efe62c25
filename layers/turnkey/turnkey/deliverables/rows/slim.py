"""Rows, and what of a value is kept in them."""

import re
from collections.abc import Iterable
from sys import intern
from typing import Any, NamedTuple, cast

Row = dict[str, Any]

_LONGEST_TEXT = 300
_LONGEST_ADDRESS = 2_000
"""A link or an image's address that is cut is none; a text's beginning still says what it is."""
_MOST_ITEMS = 100
_MOST_KEYS = 300
_DEEPEST = 5
_UNSHOWN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


class Rows(NamedTuple):
    """`total`: how many rows there are in all; more than `rows` where the tool gave only a part."""

    rows: tuple[Row, ...]
    total: int


def slim_rows(values: Iterable[Any]) -> tuple[Row, ...]:
    """The objects among `values`, made small: descriptions and embedded files are no groups, and a result of 20 MB
    would take 200 MB as it is. Other values become rows of one field, `value`, where there are no objects."""
    rows: list[Row] = []
    others: list[Row] = []
    for value in values:
        if isinstance(value, dict):
            rows.append(_slim(value, _DEEPEST))
        elif not rows and value is not None and not isinstance(value, list):
            others.append({"value": _slim(value, 0)})
    return tuple(rows or others)


def clean(text: str) -> str:
    """The text without what no picture and no table takes, or what turns the direction of the text around it: control
    characters, halves of surrogate pairs, marks of direction."""
    return _UNSHOWN.sub("", text) if _UNSHOWN.search(text) else text


def _slim(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        longest = _LONGEST_ADDRESS if value[:8].lower().startswith(("https://", "http://")) else _LONGEST_TEXT
        return clean(value if len(value) <= longest else value[:longest])
    if isinstance(value, dict):
        items = list(cast(Row, value).items())[:_MOST_KEYS] if depth else []
        return {intern(clean(key)): _slim(inner, depth - 1) for key, inner in items}
    if isinstance(value, list):
        return [_slim(inner, depth - 1) for inner in cast(list[Any], value)[:_MOST_ITEMS]] if depth else []
    return value
