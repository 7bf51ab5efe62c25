"""Calls written as elements: `<function=f><parameter=a>x</parameter></function>`, `<invoke name="f">`, a tag of the
tool's own name, `<arg_key>a</arg_key><arg_value>x</arg_value>`. Values are text; the schema types them.
"""

import re
from itertools import islice
from typing import Any

from turnkey.loop.text_calls import json_calls, nested
from turnkey.loop.text_calls.literals import NOTHING, strict
from turnkey.loop.text_calls.marks import Mark
from turnkey.loop.text_calls.source import Source
from turnkey.loop.text_calls.values import Call, Raw, Reading

_MOST_MARKS = 2_000
"""Looked at in search of a value's end."""
_CDATA = re.compile(r"\s*<!\[CDATA\[(.*?)\]\]>\s*", re.DOTALL)
_CDATA_OPEN = re.compile(r"\s*+<!\[CDATA\[")
_FENCE = re.compile(r"\s*+```(?:json)?\s*+(?=\{)")
_AFTER_FENCE = re.compile(r"\s*+```")


def read_element(src: Source, opener: Mark, name: str) -> Reading | None:
    """The call that `opener` begins. Its end must be proven: by a closer, or by the next call's opener; after a
    complete JSON body the closer is optional."""
    body = _json_body(src, opener, name)
    if body is not None:
        return body
    arguments: dict[str, Any] = {}
    place = src.space(opener.end)
    while (parameter := _parameter_at(src, place, opener, name)) is not None:
        key, read = parameter
        if read is None:
            return None
        value, place = read
        if key:
            arguments[key] = value
        place = src.space(place)
    end = _end(src, place, opener)
    if end is None or (not arguments and end == place and not opener.rest.rstrip().endswith("/")):
        return None
    return Reading((Call(name, arguments, opener.start, end),), end)


def _json_body(src: Source, opener: Mark, name: str) -> Reading | None:
    fence = _FENCE.match(src.text, opener.end)
    place = fence.end() if fence else src.space(opener.end)
    found = json_calls.read_object(src, place)
    if found is None:
        return None
    fenced = _AFTER_FENCE.match(src.text, found.end) if fence else None
    end = fenced.end() if fenced else found.end
    closed = _end(src, src.space(end), opener)
    return Reading((Call(name, found.value, opener.start, end),), end if closed is None else max(closed, end))


def _end(src: Source, place: int, opener: Mark) -> int | None:
    """Past the closer here; before an opener here; None where the call's end is not proven."""
    if opener.rest.rstrip().endswith("/"):
        return opener.end
    mark = src.mark_at(place)
    if mark is None:
        return None
    if mark.closing and mark.base == opener.base:
        return mark.end
    if not opener.role:
        return None
    return place if mark.role in ("calls", "element") or (mark.role == "token" and mark.closing) else None


Parameter = tuple[str, tuple[Any, int] | None]


def _parameter_at(src: Source, place: int, opener: Mark, name: str) -> Parameter | None:
    """The parameter that opens here, with its value and where that ends, or with None if it does not end."""
    mark = src.mark_at(place)
    if mark is None or mark.closing:
        return None
    if mark.role == "parameter" and (mark.label or mark.rest or mark.written not in src.parameters(name)):
        return _arg_key(src, mark, opener, name) if mark.base == "arg_key" else _tagged(src, mark, opener, name)
    if mark.role in ("calls", "element") and mark.written not in src.parameters(name):
        return None
    return _child(src, mark, opener, name)


def _tagged(src: Source, mark: Mark, opener: Mark, name: str) -> Parameter | None:
    key = mark.label or mark.attribute("key")
    if not key:
        return None
    span = _value(src, mark, opener, name)
    if span is None:
        return key, None
    end, after = span
    text = src.text[mark.end : end]
    if mark.rest.startswith("="):
        text = _without_layout(text)
    return key, (_from(text, mark.attribute("string"), mark.attribute("type")), after)


def _arg_key(src: Source, mark: Mark, opener: Mark, name: str) -> Parameter | None:
    closer = next(src.marks_from(mark.end), None)
    closed = closer is not None and closer.closing and closer.base == mark.base
    key = src.text[mark.end : closer.start].strip() if closer and closed else ""
    value = src.mark_at(src.space(closer.end)) if closer and closed else None
    if value is None or value.base != "arg_value":
        return key or "?", None
    span = _value(src, value, opener, name)
    return key, (Raw(src.text[value.end : span[0]]), span[1]) if span else None


def _child(src: Source, mark: Mark, opener: Mark, name: str) -> Parameter | None:
    schema = src.parameters(name).get(mark.written)
    if schema is None and not opener.role:
        return None
    span = _value(src, mark, opener, name)
    if span is None:
        return mark.written, None
    text = src.text[mark.end : span[0]]
    value = nested.read(text, src.marks[mark.end : span[0]], schema or {})
    return mark.written, (Raw(_without_layout(text)) if value is NOTHING else value, span[1])


def _from(text: str, string: str, kind: str) -> Any:
    """The value as the tag's own attributes type it, else for the schema to type."""
    cdata = _CDATA.fullmatch(text)
    text = cdata[1] if cdata else text
    if string == "true" or kind == "string":
        return text
    value = strict(text) if string == "false" or kind else NOTHING
    return Raw(text) if value is NOTHING else value


def _without_layout(text: str) -> str:
    """One newline on each side is layout, no more."""
    text = text.removeprefix("\r\n") if text.startswith("\r\n") else text.removeprefix("\n")
    return text.removesuffix("\r\n") if text.endswith("\r\n") else text.removesuffix("\n")


def _value(src: Source, mark: Mark, opener: Mark, name: str) -> tuple[int, int] | None:
    """Where the value of `mark` ends, and where reading goes on. A closer inside a value is data: one that counts is
    followed by another parameter, or by the end of the call. A missing closer is made up for by the next parameter
    or the call's own closer."""
    start = mark.end
    if _CDATA_OPEN.match(src.text, start):
        start = max(start, src.text.find("]]>", start))
    seen = start
    for found in islice(src.marks_from(start), _MOST_MARKS):
        seen = found.end
        if found.closing and found.written == mark.written and _ends(src, found, opener, name):
            return found.start, found.end
        if _opens_next(src, found, mark, name) or _closes_call(src, found, opener):
            return found.start, found.start
    src.charge(mark.start, seen)
    return None


def _ends(src: Source, closer: Mark, opener: Mark, name: str) -> bool:
    after = src.mark_at(src.space(closer.end))
    if after is None:
        return False
    if after.closing:
        return after.base == opener.base or (after.role == "calls" and after.base != closer.base)
    if after.role in ("calls", "element", "parameter") or after.written in src.parameters(name):
        return True
    return closer.role != "parameter" and bool(opener.role)


def _opens_next(src: Source, found: Mark, mark: Mark, name: str) -> bool:
    """Whether a parameter of the tool opens on a line of its own before the one that is open was closed."""
    if found.closing or found.base != mark.base or not mark.label or found.label == mark.label:
        return False
    return found.label in src.parameters(name) and src.text[found.start - 1] in "\n>"


def _closes_call(src: Source, found: Mark, opener: Mark) -> bool:
    """Whether the call's own closer stands here with nothing but marks or the end of the answer behind it."""
    if not found.closing or found.base != opener.base or opener.role == "calls":
        return False
    place = src.space(found.end)
    after = src.mark_at(place)
    return place == src.end or (after is not None and after.role in ("calls", "element"))
