"""What stands behind an explicit mark: one or more payloads of any grammar, then end marks, all optional.

Every wrapper is tried with every payload: models mix them.
"""

import re

from turnkey.loop.text_calls import elements, json_calls, named, pythonic
from turnkey.loop.text_calls.marks import Mark
from turnkey.loop.text_calls.source import Source
from turnkey.loop.text_calls.values import Call, Cut, Reading

_FILLER = re.compile(r"(?:[\s,;:]|```[a-z_]*+(?=\s|[\[{]))*+")
_CLOSING_FENCE = re.compile(r"\s*+```(?=\s|$)")
_STRAY = re.compile(r"[\s}\])`,;]*+")
_ONE_WORD = re.compile(r"\s*+[\w.:-]*+\s*+(?:[<✿\[`][^\n]{0,40})?")
_BOUNDS = ("calls", "element", "reasoning", "recipient", "harmony", "header")
_PAYLOAD = re.compile(r"\s*+(?:[{\[(<]|\]<\]|[\w.-]++\s*+[({<\[]|call:)")
_USED = re.compile(r"<name>\s*+(?P<name>[^<>]{1,120}?)\s*+</name>\s*+", re.IGNORECASE)
_GIVEN = re.compile(r"<(?P<tag>arguments|parameters|args|input|params)>\s*+", re.IGNORECASE)


def read_marked(src: Source, opener: Mark, place: int | None = None) -> Cut:
    """The calls behind an opening mark, or at `place`, and all that belongs to them; of a broken one, what must not
    be shown."""
    start = _filled(src, opener.end if place is None else place)
    calls, end = _payloads(src, start)
    if end == start:
        src.charge_broken()
        return Cut(opener.start, _broken_end(src, max(start, opener.end)), proven=False)
    after, closed = closers(src, end)
    return Cut(opener.start, after, "calls", calls, proven=closed)


def _payloads(src: Source, place: int) -> tuple[tuple[Call, ...], int]:
    calls: list[Call] = []
    end = place
    while (reading := _payload(src, _filled(src, end))) is not None:
        calls += reading.calls
        end = reading.end
        src.count(len(reading.calls))
    return tuple(calls), end


def _filled(src: Source, place: int) -> int:
    """Past white space, commas, a fence's first line and further opening marks."""
    while True:
        found = _FILLER.match(src.text, place)
        place = found.end() if found else place
        mark = src.mark_at(place)
        if mark is None or mark.role != "calls" or mark.closing:
            return place
        place = mark.end


def _payload(src: Source, place: int) -> Reading | None:
    """The payload here, by how it begins."""
    mark = src.mark_at(place)
    if mark is not None:
        return None if mark.closing else _element(src, mark)
    if src.text.startswith(("{", "["), place) and not pythonic.OPENING.match(src.text, place):
        return json_calls.read_calls(src, place)
    if pythonic.OPENING.match(src.text, place):
        return pythonic.read_calls(src, place)
    return named.read_calls(src, place)


def _element(src: Source, mark: Mark) -> Reading | None:
    name = element_name(src, mark)
    if name:
        return elements.read_element(src, mark, name)
    return _name_element(src, mark.start) if mark.written.lower() == "name" else None


def element_name(src: Source, mark: Mark) -> str:
    """The tool that an opening tag calls: by its attribute, or by being called like it."""
    if mark.closing:
        return ""
    if mark.role == "element":
        return mark.label
    return mark.written if mark.written in src.tools else src.known(mark.label) if mark.label else ""


def _name_element(src: Source, place: int) -> Reading | None:
    """`<name>f</name><arguments>{…}</arguments>`."""
    used = _USED.match(src.text, place)
    given = _GIVEN.match(src.text, used.end()) if used else None
    if used is None or given is None:
        return None
    name: str = used["name"]
    found = json_calls.read_object(src, given.end())
    if found is None:
        opener = Mark(place, given.end(), given["tag"].lower(), "element", False, "", "", given["tag"])
        return elements.read_element(src, opener, src.known(name) or name)
    closer = src.mark_at(src.space(found.end))
    end = closer.end if closer and closer.closing else found.end
    return Reading((Call(name, found.value, place, end),), end)


def closers(src: Source, place: int) -> tuple[int, bool]:
    """Past the end marks, and past what stands between payload and end mark."""
    closed = False
    while True:
        stray = _STRAY.match(src.text, place)
        mark = src.mark_at(stray.end() if stray else place)
        if mark is None or not ends(mark):
            break
        place, closed = mark.end, True
    if not closed and (end := _later_closer(src, place)) is not None:
        return end, True
    return (place if closed else _fence_end(src, place)), closed


def ends(mark: Mark) -> bool:
    """Whether a mark ends calls: a closer, or a token that ends the turn."""
    if mark.closing:
        return mark.role in ("calls", "element", "parameter", "separator", "token", "recipient", "header", "harmony")
    return mark.role == "token" and mark.base.startswith(("eo", "call", "stop", "end", "return"))


def _later_closer(src: Source, place: int) -> int | None:
    """The end mark behind some stray text, if no other mark stands before it."""
    found = next(src.marks_from(place), None)
    if found is None or found.start - place > 2_000:
        return None
    return found.end if found.closing and found.role == "calls" else None


def _fence_end(src: Source, place: int) -> int:
    stray = _CLOSING_FENCE.match(src.text, place)
    return stray.end() if stray else place


def _broken_end(src: Source, place: int) -> int:
    """Where something that is no call ends: at its end mark, before the next call, or with the answer."""
    begun = bool(_PAYLOAD.match(src.text, place))
    for mark in src.marks_from(place):
        begun = begun or mark.role in ("parameter", "separator")
        if mark.closing and mark.role in ("calls", "element"):
            return closers(src, mark.start)[0]
        if mark.role in _BOUNDS and (not mark.closing or mark.role == "reasoning"):
            return mark.start if begun or not _blocks(src, place, mark) else place
    word = _ONE_WORD.match(src.text, place)
    return src.end if begun or (word and word.end() == src.end) else place


def _blocks(src: Source, place: int, mark: Mark) -> bool:
    """Whether prose that is no part of a call stands before the next mark."""
    return "\n\n" in src.text[place : mark.start] or len(src.text[place : mark.start]) > 400
