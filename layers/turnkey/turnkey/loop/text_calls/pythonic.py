"""Calls written as Python: `[f(a="x", b=[1]), g()]`, `f.call(a=1)`, `print(default_api.f())`, `f({"a": 1})`."""

import re

from turnkey.loop.text_calls import guess
from turnkey.loop.text_calls.literals import Literals
from turnkey.loop.text_calls.source import Source
from turnkey.loop.text_calls.values import Broken, Call, Reading
from turnkey.tools import JsonObject

OPENING = re.compile(r"(?:\[\s*+)?(?P<name>[A-Za-z_][\w.-]*+)[ \t]*+\(")
_NAME = re.compile(r"\s*+(?P<name>[A-Za-z_][\w.-]*+)[ \t]*+\(")
_KEYWORD = re.compile(r"\s*+(?P<key>[A-Za-z_][\w-]*+)\s*+[=:](?!=)")
_NEXT = re.compile(r"\s*+(?P<mark>[,)\]]?)")


def read_calls(src: Source, place: int) -> Reading | None:
    """The call or the list of calls here, if all of it is names and literals."""
    try:
        if src.text.startswith("[", place):
            return _list(src, place)
        call, end = _call(src, place)
        return Reading((call,), end)
    except Broken as broken:
        src.charge(place, broken.at)
        return None


def _list(src: Source, place: int) -> Reading:
    calls: list[Call] = []
    end = place + 1
    mark = ","
    while mark == ",":
        call, end = _call(src, end)
        calls.append(call)
        mark, end = _next(src, end)
        trailing, after = _next(src, end)
        if mark == "," and trailing == "]":
            mark, end = trailing, after
    if mark != "]":
        raise Broken(end)
    return Reading(tuple(calls), end)


def _call(src: Source, place: int) -> tuple[Call, int]:
    named = _NAME.match(src.text, place)
    if named is None:
        raise Broken(place)
    name: str = named["name"]
    if name == "print" and not src.known(name):
        call, end = _call(src, named.end())
        mark, end = _next(src, end)
        if mark != ")":
            raise Broken(end)
        return call, end
    arguments, end = _arguments(src, named.end())
    if not src.known(name):
        name = name.removesuffix(".call")
    return Call(name, arguments, named.start("name"), end), end


def _arguments(src: Source, place: int) -> tuple[JsonObject, int]:
    try:
        return _read_arguments(src, place)
    except Broken as broken:
        span = _span(src, place)
        if span is None:
            raise
        src.charge(place, broken.at)
        return guess.only_arguments(src.text[place:span]), span


def _read_arguments(src: Source, place: int) -> tuple[JsonObject, int]:
    literals = Literals(src.text, python=True)
    arguments: JsonObject = {}
    mark, end = _next(src, place)
    if src.text.startswith("{", end):
        found = literals.value(end)
        mark, end = _next(src, found.end)
        if mark != ")":
            raise Broken(end)
        return found.value, end
    place = end if mark == ")" else place
    while mark != ")":
        key = _KEYWORD.match(src.text, place)
        if key is None:
            raise Broken(place)
        found = literals.value(key.end())
        arguments[key["key"]] = found.value
        mark, place = _next(src, found.end)
        if mark not in (",", ")") or not mark:
            raise Broken(place)
        trailing, end = _next(src, place)
        if mark == "," and trailing == ")":
            mark, place = trailing, end
    return arguments, place


def _span(src: Source, place: int) -> int | None:
    """Up to the bracket that ends the calls: the last one before an end mark, or of a line that ends the answer."""
    limit = min(place + guess.LONGEST, src.end)
    for mark in src.marks_from(place, limit):
        if mark.closing:
            return _before(src, place, mark.start)
    line = src.text.find("\n", place, limit)
    end = line if line >= 0 else limit
    if src.space(end) == src.end:
        return _before(src, place, end)
    src.charge(place, limit)
    return None


def _before(src: Source, place: int, end: int) -> int | None:
    span = src.text[place:end].rstrip()
    closed = span[:-1].rstrip() if span.endswith("]") else span
    return place + len(closed) if closed.endswith(")") else None


def _next(src: Source, place: int) -> tuple[str, int]:
    found = _NEXT.match(src.text, place)
    return (found["mark"], found.end()) if found else ("", place)
