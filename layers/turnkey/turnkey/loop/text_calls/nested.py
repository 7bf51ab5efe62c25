"""Values written as nested tags, each named after its part: `<street>x</street>`, `<item>a</item><item>b</item>`."""

import re
from typing import Any

from turnkey.loop.text_calls import schema as schemas
from turnkey.loop.text_calls.literals import NOTHING
from turnkey.loop.text_calls.marks import MARK, mark
from turnkey.loop.text_calls.values import Raw
from turnkey.mcp.schemas import properties
from turnkey.tools import JsonObject

_DEPTH = 8
_MARK_AFTER_SPACE = re.compile(rf"\s*+(?:{MARK.pattern})")


def read(text: str, marks: str, schema: JsonObject, depth: int = 0) -> Any:
    """The list or object that the tags in `text` state, or NOTHING. `marks` is the text with marks made alike."""
    allowed = schemas.types(schema)
    if depth > _DEPTH or not allowed & {"array", "object"} or "string" in allowed:
        return NOTHING
    parts = _parts(text, marks)
    if not parts:
        return NOTHING
    if "array" in allowed and len({name for name, _, _ in parts}) == 1:
        item: JsonObject = schema.get("items") or {}
        return [_value(inner, inner_marks, item, depth) for _, inner, inner_marks in parts]
    if "object" in allowed:
        known = properties(schema)
        return {name: _value(inner, mark, known.get(name, {}), depth) for name, inner, mark in parts}
    return NOTHING


def _value(text: str, marks: str, schema: JsonObject, depth: int) -> Any:
    value = read(text, marks, schema, depth + 1)
    return Raw(text) if value is NOTHING else value


def _parts(text: str, marks: str) -> list[tuple[str, str, str]]:
    """Name and content of the elements that are the whole text; none if anything else is in it."""
    parts: list[tuple[str, str, str]] = []
    end_of_text = len(text.rstrip())
    place = 0
    while place < end_of_text:
        found = _MARK_AFTER_SPACE.match(marks, place)
        opener = mark(found) if found else None
        end = _closer(marks, opener.written, opener.end) if opener and not opener.closing else None
        if opener is None or end is None:
            return []
        parts.append((opener.written, text[opener.end : end[0]], marks[opener.end : end[0]]))
        place = end[1]
    return parts


def _closer(marks: str, name: str, place: int) -> tuple[int, int] | None:
    """The closer that belongs to an opener of this name."""
    inside = 0
    for found in MARK.finditer(marks, place):
        here = mark(found)
        if here.written != name:
            continue
        if here.closing and not inside:
            return here.start, here.end
        inside += -1 if here.closing else 1
    return None
