"""Where the values of a JSON text begin and end, found without building them.

A 30 MB result would cost 300 MB as Python objects. Here the text itself stays the data: values of up to three levels
are matched whole by one pattern, deeper ones are walked, and only the ends of those that a view could look into are
kept.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

MAX_DEPTH = 100
_SMALL = 512
"""Characters up to which a value is matched again when needed, instead of its end being remembered."""

_SPACE = r"[ \t\n\r]*+"
_STRING = r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"'
_NUMBER = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][-+]?[0-9]++)?+"
# What json.loads takes for a value, NaN and the infinities included.
_SCALAR = rf"{_STRING}|{_NUMBER}|true|false|null|NaN|-?Infinity"


class NotJson(ValueError):
    """The text is not what json.loads accepts; the message gives the position."""


class TooDeep(ValueError):
    """More than MAX_DEPTH levels."""


class Span(NamedTuple):
    """A value's place in the text, `text[start:end]`, and its key's where it is an object's member (else empty)."""

    start: int
    end: int
    key_start: int = 0
    key_end: int = 0


class Patterns(NamedTuple):
    value: re.Pattern[str]
    key: re.Pattern[str]
    item: re.Pattern[str]
    member: re.Pattern[str]
    numbers: re.Pattern[str]
    separator: re.Pattern[str]
    space: re.Pattern[str]


@cache
def patterns() -> Patterns:
    """Compiled when first needed: most turns cut nothing, and a cold start should not pay for it."""
    value = f"(?:{_nested(_nested(_nested(_SCALAR)))})"
    key = rf"{_STRING}{_SPACE}:{_SPACE}"
    return Patterns(
        value=re.compile(value),
        key=re.compile(key),
        item=re.compile(rf"{value}{_SPACE},{_SPACE}"),
        member=re.compile(rf"{key}{value}{_SPACE},{_SPACE}"),
        numbers=re.compile(rf"(?:{_NUMBER}{_SPACE},{_SPACE})++"),
        separator=re.compile(rf"{_SPACE}([,\]}}]){_SPACE}"),
        space=re.compile(_SPACE),
    )


def _nested(value: str) -> str:
    """`value`, or a whole array or object of such values. Possessive throughout, so that no input makes it backtrack
    for longer than its length."""
    array = rf"\[{_SPACE}(?:(?:{value}){_SPACE}(?:,{_SPACE}(?!\])|(?=\])))*+\]"
    members = rf"\{{{_SPACE}(?:{_STRING}{_SPACE}:{_SPACE}(?:{value}){_SPACE}(?:,{_SPACE}(?!\}})|(?=\}})))*+\}}"
    return f"{_SCALAR}|{array}|{members}"


class _Open:
    """A container being walked."""

    __slots__ = ("closing", "count", "start", "wanted")

    def __init__(self, start: int, closing: str, wanted: bool) -> None:
        self.start = start
        self.closing = closing
        self.wanted = wanted
        self.count = 0


class Outline:
    """A valid JSON text and its large containers."""

    def __init__(self, text: str, keep: int) -> None:
        """Reads the whole text once. `keep`: how many children of a container may be looked into later; the rest are
        only counted. Raises NotJson and TooDeep."""
        self.text = text
        self._ends: dict[int, int] = {}
        self._counts: dict[int, int] = {}
        self.root = self._read(keep)

    def children(self, span: Span, first: int, most: int) -> Iterator[Span]:
        """Up to `most` items or members of the container at `span`, from number `first` on."""
        is_object = self.text[span.start] == "{"
        position = _after_space(self.text, span.start + 1)
        number = 0
        while number < first + most and self.text[position] not in "]}":
            child = self._child(position, is_object)
            if number >= first:
                yield child
            number += 1
            separator = patterns().separator.match(self.text, child.end)
            if separator is None or separator[1] != ",":
                return
            position = separator.end()

    def count(self, span: Span) -> int:
        """How many items or members the container at `span` has."""
        if span.start not in self._counts:
            self._counts[span.start] = self._counted(span)
        return self._counts[span.start]

    def _counted(self, span: Span) -> int:
        inside = _Open(span.start, self.text[span.end - 1], wanted=False)
        position = self._skip(_after_space(self.text, span.start + 1), inside)
        return inside.count + (position < span.end - 1)

    def _child(self, position: int, is_object: bool) -> Span:
        key = patterns().key.match(self.text, position) if is_object else None
        start = key.end() if key else position
        return Span(start, self._end(start), position, self._key_end(position) if key else position)

    def _end(self, start: int) -> int:
        known = self._ends.get(start)
        if known is not None:
            return known
        value = patterns().value.match(self.text, start)
        end = value.end() if value else start
        if end - start > _SMALL:
            self._ends[start] = end
        return end

    def _key_end(self, position: int) -> int:
        end = self.text.index('"', position + 1)
        while self._is_escaped(end, position):
            end = self.text.index('"', end + 1)
        return end + 1

    def _is_escaped(self, place: int, start: int) -> bool:
        before = self.text[start + 1 : place]
        return (len(before) - len(before.rstrip("\\"))) % 2 == 1

    def _read(self, keep: int) -> Span:
        start = position = _after_space(self.text, 0)
        stack: list[_Open] = []
        while True:
            position, opened = self._read_value(position, stack, keep)
            if opened:
                continue
            position = self._close(position, stack)
            if not stack:
                break
            if stack[-1].count >= keep or not stack[-1].wanted:
                position = self._skip(position, stack[-1])
            if stack[-1].closing == "}":
                position = self._read_key(position)
        if _after_space(self.text, position) != len(self.text):
            raise NotJson(f"something stands after the value, at character {position}")
        return Span(start, position)

    def _read_value(self, position: int, stack: list[_Open], keep: int) -> tuple[int, bool]:
        """The end of the value at `position`; or, True, the place of the first child of a container to be walked."""
        text = self.text
        wanted = not stack or (stack[-1].wanted and stack[-1].count < keep)
        whole = patterns().value.match(text, position)
        if whole:
            if wanted and whole.end() - position > _SMALL:
                self._ends[position] = whole.end()
            return whole.end(), False
        opening = text[position : position + 1]
        if opening not in ("[", "{"):
            raise NotJson(f"no value at character {position}")
        if len(stack) >= MAX_DEPTH:
            raise TooDeep(f"more than {MAX_DEPTH} levels at character {position}")
        stack.append(_Open(position, "]" if opening == "[" else "}", wanted))
        first = _after_space(text, position + 1)
        return (first if opening == "[" else self._read_key(first)), True

    def _read_key(self, position: int) -> int:
        key = patterns().key.match(self.text, position)
        if key is None:
            raise NotJson(f"no key at character {position}")
        return key.end()

    def _close(self, position: int, stack: list[_Open]) -> int:
        """After a value: past the comma before the next one, or past the ends of all containers that end here."""
        while stack:
            stack[-1].count += 1
            separator = patterns().separator.match(self.text, position)
            if separator is None:
                raise NotJson(f"neither comma nor end after the value, at character {position}")
            if separator[1] == ",":
                return separator.end()
            ended = stack.pop()
            if separator[1] != ended.closing:
                raise NotJson(f"{separator[1]!r} closes nothing, at character {position}")
            position = separator.end(1)
            if ended.wanted:
                self._ends[ended.start] = position
                self._counts[ended.start] = ended.count
        return position

    def _skip(self, position: int, inside: _Open) -> int:
        """Counts children that no view will look into, in bulk; the last one is left to the walk."""
        known = patterns()
        if inside.closing == "]" and (numbers := known.numbers.match(self.text, position)):
            inside.count += self.text.count(",", position, numbers.end())
            position = numbers.end()
        children = known.item if inside.closing == "]" else known.member
        while child := children.match(self.text, position):
            inside.count += 1
            position = child.end()
        return position


def _after_space(text: str, position: int) -> int:
    space = patterns().space.match(text, position)
    return space.end() if space else position
