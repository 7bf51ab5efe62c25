"""The lists within a JSON result, and which of them holds the rows. The text is read in place (loop.views.scan)."""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from turnkey.loop.views.scan import Outline, Span

CHILDREN = 200
"""Members of an object that are looked at."""
_DEPTH = 5
_EXAMPLES = 20
_DIGITS = 20
_SPACE = re.compile(r"[\s,]*")
_TOTALS = re.compile(
    "(estimated)?total(count|results?|items?|hits?|rows?|records?|elements|matches|found|size|number|value)?|count|"
    "num(ber)?(found|ofresults|results|items)|(result|record|row|item|hit)s?count|nbhits|found|matches|available"
)
_ABOUT = re.compile("meta|metadata|paginat(ion|or)|paging|page(info)?|info|summary|hits|cursor|links|stats|total")
_ASIDE = re.compile("facets|filters|aggregations|buckets|links|errors|warnings|suggestions|included|related|sort")
"""Lists that come along with the one asked for."""
_COLUMNS = re.compile("columns|columnnames|fields|headers?|cols|names|schema")
_DECODER = json.JSONDecoder()


class FoundList(NamedTuple):
    """A list found: its key's path, how many items, and the objects around it from the outermost in."""

    span: Span
    path: str
    length: int
    around: tuple[Span, ...]


def choose(outline: Outline, field: str) -> FoundList | None:
    """The list named `field`, else the longest; None where there is none."""
    every = list(_lists(outline, outline.root, "", (), _DEPTH))
    named = [one for one in every if field and _is_named(one.path, field)]
    return _longest(outline, named or every)


def _lists(outline: Outline, span: Span, path: str, around: tuple[Span, ...], depth: int) -> Iterator[FoundList]:
    opening = outline.text[span.start]
    if opening == "[" and span.end - span.start > len("[]"):
        yield FoundList(span, path, outline.count(span), around)
    elif opening == "{" and depth:
        for child in outline.children(span, 0, CHILDREN):
            key = _key(outline, child)
            yield from _lists(outline, child, f"{path}.{key}" if path else key, (*around, span), depth - 1)


def _key(outline: Outline, child: Span) -> str:
    return str(json.loads(outline.text[child.key_start : child.key_end]))


def _is_named(path: str, field: str) -> bool:
    return f".{path}".casefold().endswith(f".{field}".casefold())


def _longest(outline: Outline, lists: list[FoundList]) -> FoundList | None:
    """The longest list of objects, the outermost of equals; a table of lists, or a list of plain values, where there
    is none."""
    for suits in (_with_columns, _of_objects, _of_lists, _of_values):
        suited = [one for one in lists if suits(outline, one)]
        if suited:
            return max(suited, key=lambda one: (not _is_aside(one.path), one.length, -len(one.around)))
    return None


def _is_aside(path: str) -> bool:
    return any(_ASIDE.fullmatch(step.casefold()) for step in path.split("."))


def _of_objects(outline: Outline, one: FoundList) -> bool:
    openings = [outline.text[child.start] for child in outline.children(one.span, 0, _EXAMPLES)]
    return openings.count("{") * 2 > len(openings)


def _of_lists(outline: Outline, one: FoundList) -> bool:
    return all(outline.text[child.start] == "[" for child in outline.children(one.span, 0, _EXAMPLES))


def _is_about(key: str) -> bool:
    return bool(_TOTALS.fullmatch(key) or _ABOUT.fullmatch(key))


def _with_columns(outline: Outline, one: FoundList) -> bool:
    return _of_lists(outline, one) and bool(_columns(outline, one))


def _of_values(outline: Outline, one: FoundList) -> bool:
    """Of plain values, where they are what the result is about: not the tags of one thing, nor one of many columns."""
    beside = list(outline.children(one.around[-1], 0, CHILDREN)) if one.around else []
    others = [child for child in beside if child.start != one.span.start]
    return one.length > 1 and all(_is_about(_plain(_key(outline, child))) for child in others)


def items(outline: Outline, one: FoundList) -> Iterator[Any]:
    """The list's items, built one by one; those of a table become objects."""
    values = _values(outline.text, one.span)
    if not _of_lists(outline, one):
        return values
    columns = _columns(outline, one) or [str(name) for name in plain_list(next(values, None))]
    return (dict(zip(columns, plain_list(row), strict=False)) for row in values)


def plain_list(value: Any) -> list[Any]:
    return cast(list[Any], value) if isinstance(value, list) else []


def _values(text: str, span: Span) -> Iterator[Any]:
    position = span.start + 1
    while (position := after(_SPACE, text, position)) < span.end - 1:
        value, position = _DECODER.raw_decode(text, position)
        yield value


def _columns(outline: Outline, one: FoundList) -> list[str]:
    """The names of a table's columns, where they stand beside it."""
    for child in outline.children(one.around[-1], 0, CHILDREN) if one.around else ():
        if _COLUMNS.fullmatch(_plain(_key(outline, child))) and outline.text[child.start] == "[":
            names = cast(list[Any], json.loads(outline.text[child.start : child.end]))
            return [_column(name) for name in names]
    return []


def _column(name: Any) -> str:
    fields = cast(dict[str, Any], name) if isinstance(name, dict) else {"name": name}
    return str(fields.get("name") or fields.get("field") or fields.get("label") or fields)


def total(outline: Outline, one: FoundList) -> int:
    """How many there are in all, as the objects around the list tell; 0 where they do not."""
    return max((_told(outline, span, is_nested=False) for span in one.around), default=0)


def _told(outline: Outline, span: Span, is_nested: bool) -> int:
    """The largest count among an object's members, those of its meta or pagination object too."""
    totals = [0]
    for child in outline.children(span, 0, CHILDREN):
        key = _plain(_key(outline, child))
        opening = outline.text[child.start]
        if _TOTALS.fullmatch(key) or (is_nested and key == "value"):
            totals.append(_whole(outline.text[child.start : min(child.end, child.start + _DIGITS)]))
        if _ABOUT.fullmatch(key) and opening == "{" and not is_nested:
            totals.append(_told(outline, child, is_nested=True))
    return max(totals)


def _plain(key: str) -> str:
    return re.sub(r"[\W_]", "", key).casefold()


def _whole(written: str) -> int:
    number = written.strip('"')
    return int(number) if number.isascii() and number.isdigit() else 0


def after(pattern: re.Pattern[str], text: str, position: int) -> int:
    """The end of what the pattern matches there; the position itself where it does not."""
    found = pattern.match(text, position)
    return found.end() if found else position
