"""The last step on a span that is proven complete: quotes inside quotes. Accepted if exactly one reading parses.

A quotation mark can end a string only where a comma, a colon or a bracket follows it. All readings that this leaves
are tried; two of them, and the call is not guessed at.
"""

import re
from collections.abc import Iterator
from typing import Any

from turnkey.loop.text_calls.literals import Literals
from turnkey.loop.text_calls.strings import unescaped
from turnkey.loop.text_calls.values import Broken, Found
from turnkey.tools import JsonObject

LONGEST = 8_000
"""Characters of a span that is worth the work."""
_STEPS = 4_000
_MEMBERS = 40
_DEPTH = 8
_END = re.compile(r"\s*+(?:[,:}\])]|$)")
_KEYWORD = re.compile(r"\s*+(?P<key>[A-Za-z_][\w-]*+)\s*+=(?!=)")
_QUOTED_KEY = re.compile(r"\s*+([\"'])(?P<key>[^\"'\\]{1,200})\1\s*+:")
_OPEN = re.compile(r"\s*+([{\[\"'])")
_SEPARATOR = re.compile(r"\s*+([,}\])])")


def only_value(text: str, *, python: bool) -> Any:
    """The one value that the whole text can mean. Raises Broken if there is none or more than one."""
    guess = _Guess(text, python)
    return _only(found.value for found in guess.value(0) if not text[found.end :].strip())


def only_arguments(text: str) -> JsonObject:
    """The one reading of `a='x', b=1)`, up to the bracket that ends the text. Raises Broken."""
    guess = _Guess(text, True)
    return _only(found.value for found in guess.members(0, _KEYWORD, ")", {}) if not text[found.end :].strip())


def _only(readings: Iterator[Any]) -> Any:
    first = next(readings, None)
    if first is None or next(readings, None) is not None:
        raise Broken(0)
    return first


class _Guess:
    def __init__(self, text: str, python: bool) -> None:
        self._text = text
        self._python = python
        self._steps = _STEPS

    def value(self, place: int, depth: int = 0) -> Iterator[Found]:
        self._steps -= 1
        opened = _OPEN.match(self._text, place)
        if self._steps < 0 or depth > _DEPTH:
            raise Broken(place)
        if opened is None:
            yield from self._plain(place)
        elif opened[1] == "{":
            yield from self.members(opened.end(), _QUOTED_KEY, "}", {}, depth)
        elif opened[1] == "[":
            yield from self._items(opened.end(), [], depth)
        else:
            yield from self._strings(opened[1], opened.end())

    def _plain(self, place: int) -> Iterator[Found]:
        try:
            yield Literals(self._text, python=self._python).value(place)
        except Broken:
            return

    def _strings(self, quote: str, place: int) -> Iterator[Found]:
        end = place
        while (end := self._text.find(quote, end)) >= 0:
            self._steps -= 1
            if self._steps < 0:
                raise Broken(end)
            if self._text[end - 1] != "\\" and _END.match(self._text, end + 1):
                yield Found(unescaped(self._text[place:end], python=self._python or quote == "'"), end + 1)
            end += 1

    def members(
        self, place: int, key: re.Pattern[str], closer: str, before: JsonObject, depth: int = 0
    ) -> Iterator[Found]:
        named = key.match(self._text, place)
        if named is None or len(before) > _MEMBERS:
            return
        for found in self.value(named.end(), depth + 1):
            after = _SEPARATOR.match(self._text, found.end)
            members = {**before, named["key"]: found.value}
            if after and after[1] == closer:
                yield Found(members, after.end())
            elif after and after[1] == ",":
                yield from self.members(after.end(), key, closer, members, depth)

    def _items(self, place: int, before: list[Any], depth: int) -> Iterator[Found]:
        if len(before) > _MEMBERS:
            return
        for found in self.value(place, depth + 1):
            after = _SEPARATOR.match(self._text, found.end)
            if after and after[1] == "]":
                yield Found([*before, found.value], after.end())
            elif after and after[1] == ",":
                yield from self._items(after.end(), [*before, found.value], depth)
