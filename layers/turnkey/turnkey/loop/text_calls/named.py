"""A name and then its arguments: `f{…}`, `f[ARGS]{…}`, `functions.f:0<|tool_call_argument_begin|>{…}`,
`function<｜tool▁sep｜>f` with fenced JSON, `f<arg_key>…`, `f</tool_call>`, `call:f{a:<escape>x<escape>}`.
"""

import re
from typing import Any, cast

from turnkey.loop.text_calls import elements, json_calls, objects, schema
from turnkey.loop.text_calls.literals import Literals
from turnkey.loop.text_calls.marks import Mark
from turnkey.loop.text_calls.source import Source
from turnkey.loop.text_calls.values import Broken, Call, Found, Reading
from turnkey.tools import JsonObject

WORD = re.compile(r"[^\s<>{}\[\]()\"'`,;=✿|:]{1,120}+(?::\d+)?")
BRACED = re.compile(r"(?:call:)(?:\s*+[\w.-]++:)?\s*+(?P<name>[\w.-]++)\s*+(?=\{)")
_FENCE = re.compile(r"```\w*\s*+(?=\{)")
_CLOSING_FENCE = re.compile(r"\s*+```")
_COUNTED = re.compile(r"(?:functions?[._]?)?(?P<name>.+?)[:_]?\d+")
_IDENTIFIER = re.compile(r"(?:call_|chatcmpl-tool-|toolu_)[\w-]+|\d+")


def read_calls(src: Source, place: int, *, marked: bool = True) -> Reading | None:
    """The call here. `marked`: a mark stands before it, so a closer alone ends a call without arguments."""
    braced = BRACED.match(src.text, place)
    if braced:
        return read_braced(src, braced)
    words, end = _head(src, place)
    if not words:
        return None
    place_of_arguments = src.space(end)
    mark = src.mark_at(place_of_arguments)
    if mark is None:
        return _with_object(src, place, words, place_of_arguments)
    return _with_marks(src, place, words, mark) if marked else None


def read_braced(src: Source, head: re.Match[str]) -> Reading | None:
    try:
        found = Literals(src.text, loose=True).value(head.end())
    except Broken as broken:
        src.charge(head.start(), broken.at)
        return None
    return Reading((Call(head["name"], found.value, head.start(), found.end),), found.end)


def _head(src: Source, place: int) -> tuple[list[str], int]:
    """The words before the arguments and between separators, and where they end."""
    words: list[str] = []
    after_word = False
    while True:
        place = src.space(place)
        mark = src.mark_at(place)
        if mark and mark.role == "separator" and not mark.closing:
            after_word, place = mark.base == "call_id", mark.end
            if after_word and (identifier := WORD.match(src.text, place)):
                place = identifier.end()
            continue
        word = None if mark or after_word or len(words) > 3 else WORD.match(src.text, place)
        if word is None:
            return words, place
        words.append(word.group())
        after_word, place = True, word.end()


def _with_object(src: Source, start: int, words: list[str], place: int) -> Reading | None:
    fence = _FENCE.match(src.text, place)
    found = json_calls.read_object(src, fence.end() if fence else place)
    if found is None:
        return None
    closing = _CLOSING_FENCE.match(src.text, found.end) if fence else None
    end = closing.end() if closing else found.end
    name, arguments = named(src, words, cast(JsonObject, found.value))
    return Reading((Call(name, arguments, start, end),), end)


def _with_marks(src: Source, start: int, words: list[str], mark: Mark) -> Reading | None:
    """Arguments as elements, or none at all where a closer follows."""
    if mark.role == "element" and not mark.closing:
        return elements.read_element(src, mark, mark.label)
    name = src.known(words[-1]) or words[-1]
    if mark.closing and mark.role == "calls":
        return Reading((Call(name, {}, start, mark.start),), mark.start)
    if mark.base != "arg_key" or mark.closing:
        return None
    opener = Mark(start, mark.start, "tool_call", "calls", False, "", "", "tool_call")
    return elements.read_element(src, opener, name)


def named(src: Source, words: list[str], arguments: JsonObject) -> tuple[str, JsonObject]:
    """The name that a head means, and the arguments without it. Heads may be ids: `functions_f_1`, `call_x`, `0`."""
    for word in reversed(words):
        if known := src.known(word):
            return _unwrapped(src, known, arguments)
    head = words[-1]
    counted = _COUNTED.fullmatch(head)
    if counted and (known := src.known(counted["name"])):
        return _unwrapped(src, known, arguments)
    if _IDENTIFIER.fullmatch(head):
        return _by_arguments(src, head, arguments)
    return (counted["name"] if counted and ":" in head else head), arguments


def _unwrapped(src: Source, name: str, arguments: JsonObject) -> tuple[str, JsonObject]:
    """Some repeat the whole call object where its arguments belong."""
    if schema.keys_fit(arguments, src.tools[name]):
        return name, arguments
    inner = next(objects.calls_in(arguments, src), None)
    if inner and inner.arguments is not None and src.known(inner.name) == name and len(arguments) > 1:
        return name, inner.arguments
    return name, arguments


def _by_arguments(src: Source, head: str, arguments: JsonObject) -> tuple[str, JsonObject]:
    """The tool that the arguments name, or the only one that takes exactly them."""
    given: Any = arguments.get("name")
    if isinstance(given, str) and (known := src.known(given)):
        rest = {key: value for key, value in arguments.items() if key != "name"}
        inner = next(objects.calls_in(arguments, src), None)
        if schema.keys_fit(rest, src.tools[known]):
            return known, rest
        return known, inner.arguments if inner and inner.arguments is not None else rest
    fitting = [name for name, shape in src.tools.items() if schema.fits(arguments, shape)]
    return (fitting[0] if len(fitting) == 1 else head), arguments


def object_after(src: Source, place: int) -> Found | None:
    """Arguments that may be fenced, or none at all before a closer."""
    place = src.space(place)
    fence = _FENCE.match(src.text, place)
    found = json_calls.read_object(src, fence.end() if fence else place)
    if found is None or fence is None:
        return found
    closing = _CLOSING_FENCE.match(src.text, found.end)
    return Found(found.value, closing.end() if closing else found.end)
