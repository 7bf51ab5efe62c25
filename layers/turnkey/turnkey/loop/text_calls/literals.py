"""Literals as models write them: JSON, Python, and braces with bare keys. Parsed, never evaluated.

`strict` is JSON and nothing else. The reader that follows also takes what has only one meaning: trailing commas,
single quotes, True and None, raw newlines, bare keys, leading zeros (kept as `Digits`).
"""

import json
import re
from collections.abc import Callable
from typing import Any

from turnkey.loop.text_calls.strings import unescaped
from turnkey.loop.text_calls.values import Broken, Digits, Found
from turnkey.tools import JsonObject

NOTHING: Any = object()
DEPTH = 64
_TOKEN = re.compile(
    r"\s*+(?:(?P<open>[{\[(])"
    r'|(?P<long>"""|\'\'\')'
    r"|(?P<quote>[\"'])"
    r'|(?P<token><\|"\|>|<escape>|“)'
    r"|(?P<number>[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))"
    r"|(?P<word>true|false|null|True|False|None)(?![\w.(]))"
)
_BODY = {
    '"': re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL),
    "'": re.compile(r"[^'\\]*+(?:\\.[^'\\]*+)*+'", re.DOTALL),
}
_BARE_KEY = re.compile(r"\s*+(?P<key>[A-Za-z_][\w.-]*+)\s*+(?=:)")
_LOOSE_KEY = re.compile(r"\s*+(?P<key>[^\s:,{}\[\]\"'<>][^:,{}\[\]\"'<>\n]{0,200}+)(?=:)")
_NEXT = re.compile(r"\s*+(?P<mark>[,:}\])]?)")
_BALANCE = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\]"]', re.DOTALL)
_KEY_FOLLOWS = re.compile(r'"[^"\\\n]{1,100}"\s*+:')
_CLOSERS = {"{": "}", "[": "]", "(": ")"}
_LONG = ('"""', "'''")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}


def balanced(text: str, place: int) -> int:
    """Where the JSON object or list that opens here ends. Raises Broken."""
    waiting: list[str] = []
    for token in _BALANCE.finditer(text, place):
        mark = token.group()
        if mark in _CLOSERS and len(waiting) < DEPTH:
            waiting.append(_CLOSERS[mark])
        elif mark in "}]" and waiting and waiting.pop() == mark:
            if not waiting:
                return token.end()
        elif len(mark) == 1:
            raise Broken(len(text) if mark == '"' else token.end())
    raise Broken(len(text))


def strict(text: str) -> Any:
    """The JSON value that is the whole text, or NOTHING. Raw newlines may stand in strings."""
    try:
        return json.loads(text, strict=False, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError):
        return NOTHING


def whole(text: str, *, python: bool = False) -> Any:
    """The literal that is the whole text, or NOTHING."""
    value = strict(text)
    if value is not NOTHING:
        return value
    try:
        found = Literals(text, python=python).value(0)
    except Broken:
        return NOTHING
    return NOTHING if text[found.end :].strip() else found.value


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def _finite(number: str) -> float:
    value = float(number)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"{number} is too large")
    return value


def _never(place: int) -> bool:
    return False


class Literals:
    """Reads literals at any place of a text. `python`: double quotes take Python's escapes. `loose`: commas may be
    missing. `closing(place)`: whether a mark there proves the end, so that up to two brackets may be missing."""

    def __init__(
        self, text: str, *, python: bool = False, loose: bool = False, closing: Callable[[int], bool] = _never
    ) -> None:
        self._text = text
        self._python = python
        self._loose = loose
        self._closing = closing
        self._missing = 2

    def value(self, place: int, depth: int = 0) -> Found:
        """Raises Broken."""
        token = _TOKEN.match(self._text, place)
        if token is None or depth > DEPTH:
            raise Broken(place)
        kind, written, end = token.lastgroup, token[token.lastgroup or 0], token.end()
        if kind == "open":
            return self._object(end, depth) if written == "{" else self._list(end, _CLOSERS[written], depth)
        if kind == "number":
            return Found(_number(written, token.start("number")), end)
        if kind == "word":
            return Found(_WORDS[written], end)
        return self._quoted(written, end) if kind == "quote" else self._delimited(written, end)

    def _quoted(self, quote: str, place: int) -> Found:
        body = _BODY[quote].match(self._text, place)
        if body is None:
            raise Broken(len(self._text))
        written = self._text[place : body.end() - 1]
        return Found(unescaped(written, python=self._python or quote == "'"), body.end())

    def _delimited(self, mark: str, place: int) -> Found:
        """Between tokens, where all is data, or between triple quotes."""
        closer = "”" if mark == "“" else mark
        end = self._text.find(closer, place)
        if end < 0:
            raise Broken(len(self._text))
        written = self._text[place:end]
        return Found(unescaped(written, python=True) if mark in _LONG else written, end + len(closer))

    def _object(self, place: int, depth: int) -> Found:
        members: JsonObject = {}
        while True:
            mark, end = self._next(place)
            if mark == "}":
                return Found(members, end)
            key = self._key(place, depth)
            mark, end = self._next(key.end)
            if mark != ":":
                raise Broken(end)
            value = self.value(end, depth + 1)
            members[str(key.value)] = value.value
            place, done = self._after(value.end, "}")
            if done:
                return Found(members, place)

    def _list(self, place: int, closer: str, depth: int) -> Found:
        items: list[Any] = []
        while True:
            mark, end = self._next(place)
            if mark == closer:
                return Found(items, end)
            value = self.value(place, depth + 1)
            items.append(value.value)
            place, done = self._after(value.end, closer)
            if done:
                return Found(items, place)

    def _key(self, place: int, depth: int) -> Found:
        bare = (_LOOSE_KEY if self._loose else _BARE_KEY).match(self._text, place)
        key = Found(bare["key"], bare.end()) if bare else self.value(place, depth + 1)
        if not isinstance(key.value, str):
            raise Broken(key.end)
        return key

    def _after(self, place: int, closer: str) -> tuple[int, bool]:
        """Past the comma or the closer behind a value; whether it was the closer."""
        mark, end = self._next(place)
        if mark in (",", closer):
            return end, mark == closer
        if not mark and _KEY_FOLLOWS.match(self._text, end) and closer == "}":
            return end, False
        if not mark and self._missing and self._closing(end):
            self._missing -= 1
            return end, True
        if not mark and self._loose and end < len(self._text):
            return end, False
        raise Broken(end)

    def _next(self, place: int) -> tuple[str, int]:
        found = _NEXT.match(self._text, place)
        return (found["mark"], found.end()) if found else ("", place)


def _number(written: str, place: int) -> Any:
    digits = written.lstrip("+-")
    if digits.isdigit():
        if len(digits) > 1 and digits.startswith("0"):
            return Digits(written)
        if len(digits) > 400:
            raise Broken(place)
        return int(written)
    try:
        return _finite(written)
    except ValueError as error:
        raise Broken(place) from error
