"""JSON payloads: an object, a list, or a list of either, at one place of the answer."""

from typing import Any

from turnkey.loop.text_calls import guess, literals, objects
from turnkey.loop.text_calls.literals import NOTHING, Literals
from turnkey.loop.text_calls.source import Source
from turnkey.loop.text_calls.values import Broken, Call, Found, Reading


def read_calls(src: Source, place: int) -> Reading | None:
    """The calls of the payload that opens here; () if it is complete but states none."""
    found = read_value(src, place)
    if found is None:
        return None
    calls = [
        Call(call.name, call.arguments, place, found.end)
        for call in objects.calls_in(found.value, src)
        if call.arguments is not None
    ]
    return Reading(tuple(calls), found.end)


def read_object(src: Source, place: int) -> Found | None:
    """Arguments: an object, or a string that holds one."""
    found = read_value(src, place) if src.text.startswith(("{", '"'), place) else None
    arguments = objects.as_object(found.value) if found else None
    return Found(arguments, found.end) if found and arguments is not None else None


def read_value(src: Source, place: int) -> Found | None:
    """The value here: as JSON; as what JSON was meant; as the only thing that it can mean, up to the end mark."""
    try:
        end = literals.balanced(src.text, place) if src.text.startswith(("{", "["), place) else place
        value: Any = literals.strict(src.text[place:end])
        if value is not NOTHING:
            return Found(value, end)
    except Broken as broken:
        src.charge(place, broken.at)
    try:
        return Literals(src.text, closing=lambda here: closes(src, here)).value(place)
    except Broken as broken:
        src.charge(place, broken.at)
    return _only_reading(src, place)


def closes(src: Source, place: int) -> bool:
    mark = src.mark_at(place)
    return mark is not None and mark.closing


def _only_reading(src: Source, place: int) -> Found | None:
    end = span_end(src, place)
    if end is None:
        return None
    try:
        return Found(guess.only_value(src.text[place:end], python=False), end)
    except Broken:
        src.charge(place, end)
        return None


def span_end(src: Source, place: int) -> int | None:
    """The mark that proves the span from here complete, without the white space before it."""
    limit = min(place + guess.LONGEST, src.end)
    for mark in src.marks_from(place, limit):
        if mark.closing and mark.role in ("calls", "element", "token", "harmony", "header"):
            return place + len(src.text[place : mark.start].rstrip())
    src.charge(place, limit)
    return None
