"""Rows of JSON results: alone, fenced, behind a few words, or one object after another."""

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, cast

from turnkey.deliverables.rows.lists import CHILDREN, after, choose, items, plain_list, total
from turnkey.deliverables.rows.slim import Row, Rows, slim_rows
from turnkey.loop.views.scan import NotJson, Outline, TooDeep

_LONGEST_LOOSE = 5_000_000
_LEAST_RECORDS = 3
_OPENING = re.compile(r'[ \t\r\n]*(?=[\[{"])')
_LINE_OPENING = re.compile(r"^[ \t]*(?=[\[{])", re.MULTILINE)
_SPACE = re.compile(r"[\s,]*")
_DECODER = json.JSONDecoder()


def find(text: str, field: str) -> Rows | None:
    """The rows of the JSON that the text is or holds; None where it holds no list of rows."""
    try:
        return _find(text, field)
    except (ValueError, RecursionError):
        # Valid JSON all the same, such as a number of 5,000 digits.
        return None


def _find(text: str, field: str) -> Rows | None:
    opening = _OPENING.match(text)
    outline = _outline(text) if opening else None
    if outline and text[outline.root.start] == '"':
        return _find(json.loads(text), field)
    if outline:
        return _rows(outline, field)
    return _documents(text) or _loose(text, field)


def _loose(text: str, field: str) -> Rows | None:
    """Of JSON behind a few words, or within a fence."""
    for opening in islice(_LINE_OPENING.finditer(text, 0, _LONGEST_LOOSE), 3):
        value = _decode(text, opening.end())
        outline = _outline(text[opening.end() : value[1]]) if value else None
        rows = _rows(outline, field) if outline else None
        if rows:
            return rows
    return None


def _outline(text: str) -> Outline | None:
    try:
        return Outline(text, CHILDREN)
    except (NotJson, TooDeep):
        return None


def _decode(text: str, start: int) -> tuple[Any, int] | None:
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None


def _rows(outline: Outline, field: str) -> Rows | None:
    chosen = choose(outline, field)
    if chosen is None:
        return _without_list(outline)
    rows = slim_rows(items(outline, chosen))
    return Rows(rows, max(len(rows), total(outline, chosen))) if rows else None


def _without_list(outline: Outline) -> Rows | None:
    """Rows that are an object's members: records by their id, or columns by their name."""
    if outline.text[outline.root.start] != "{":
        return None
    value = cast(Row, json.loads(outline.text[outline.root.start : outline.root.end]))
    rows = slim_rows(_records(value) or _columnwise(value))
    return Rows(rows, len(rows)) if rows else None


def _records(value: Row) -> list[Row]:
    """{"b1": {…}, "b2": {…}}, if the objects are of one kind; their key becomes the field `key`."""
    for records in (value, *_objects(value)):
        objects = _objects(records)
        if len(objects) == len(records) >= _LEAST_RECORDS and set[str].intersection(*(set(one) for one in objects)):
            return [{"key": key, **one} for key, one in zip(records, objects, strict=True)]
    return []


def _columnwise(value: Row) -> list[Row]:
    """{"title": […], "price": […]}, if the lists are of one length."""
    for columns in (value, *_objects(value)):
        lists = {key: plain_list(inner) for key, inner in columns.items() if isinstance(inner, list)}
        if len(lists) > 1 and len({len(inner) for inner in lists.values()}) == 1:
            return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]
    return []


def _objects(value: Row) -> list[Row]:
    return [cast(Row, inner) for inner in value.values() if isinstance(inner, dict) and inner]


def _documents(text: str) -> Rows | None:
    """JSON objects one after another, as JSON Lines and results of several text parts have them."""
    rows = slim_rows(_each_document(text)) if text[:1_000].lstrip()[:1] == "{" else ()
    return Rows(rows, len(rows)) if len(rows) > 1 else None


def _each_document(text: str) -> Iterator[Any]:
    position = after(_SPACE, text, 0)
    while position < len(text):
        value = _decode(text, position)
        if value is None:
            return
        yield value[0]
        position = after(_SPACE, text, value[1])
