"""One attempt to write a JSON text within a budget, under given measures: valid JSON, its values as they stood."""

import json
import re
import sys
from typing import NamedTuple

from turnkey.loop import tokens
from turnkey.loop.views.places import cut_before
from turnkey.loop.views.scan import Outline, Span

ALL = sys.maxsize
FIRST_CHILDREN = 1000
"""Of a container, looked at to find the main one."""
MARK = "… [cut]"
"""Stands inside a string, where the rest of it is left out."""

_FLUSH = 512
_PATH = 40
_LEAST_COST = 0.08
"""Tokens a character of JSON costs at least; with it, what cannot fit is refused before it is read."""
_ESCAPED = 6
"""Characters that one character may take as an escape."""
_WHOLE_ESCAPES = re.compile(r"(?:[^\\]|\\u[0-9a-fA-F]{4}|\\[^u])*+")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Measures(NamedTuple):
    """How much is shown. `main`: items of the main container; `items`: of every other array."""

    main: int = ALL
    items: int = ALL
    characters: int = ALL
    keys: int = ALL
    start: int = 0
    """The main container's first item shown; from there on it is shown alone."""


class Cut(NamedTuple):
    path: str
    shown: int
    total: int
    what: str


class Painted(NamedTuple):
    text: str
    cuts: tuple[Cut, ...]
    strings_cut: int
    main_shown: int


class Full(Exception):
    """The budget is spent."""


class Painter:
    """Writes once. Raises Full when the text would cost more than `budget` tokens."""

    def __init__(self, outline: Outline, main: Span | None, measures: Measures, budget: float) -> None:
        self._outline = outline
        self._text = outline.text
        self._main = main
        self._measures = measures
        self._left = budget
        self._written: list[str] = []
        self._pending: list[str] = []
        self._pending_size = 0
        self._cuts: list[Cut] = []
        self._strings_cut = 0
        self._main_shown = 0

    def paint(self) -> Painted:
        alone = self._main is not None and self._measures.start > 0
        self._value(self._main if alone and self._main else self._outline.root, "$")
        self._flush()
        return Painted("".join(self._written), tuple(self._cuts), self._strings_cut, self._main_shown)

    def _value(self, span: Span, path: str) -> None:
        opening = self._text[span.start]
        if opening in "[{":
            self._container(span, path, is_object=opening == "{")
        elif opening == '"':
            self._string(span)
        else:
            self._put(self._text[span.start : span.end])

    def _container(self, span: Span, path: str, is_object: bool) -> None:
        first, most = self._bounds(span, is_object)
        self._put("{" if is_object else "[")
        shown = 0
        for child in self._outline.children(span, first, most):
            if shown:
                self._put(",")
            shown += 1
            step = self._key(child) if is_object else f"[{first + shown - 1}]"
            self._value(child, _shortened(path + step))
        self._put("}" if is_object else "]")
        count = self._outline.count(span)
        if self._main is not None and span.start == self._main.start:
            self._main_shown = shown
        elif shown < count:
            self._cuts.append(Cut(path, shown, count, "keys" if is_object else "items"))

    def _bounds(self, span: Span, is_object: bool) -> tuple[int, int]:
        measures = self._measures
        if self._main is not None and span.start == self._main.start:
            return measures.start, measures.main
        return 0, measures.keys if is_object else measures.items

    def _key(self, child: Span) -> str:
        key = self._text[child.key_start : child.key_end]
        self._put(f"{key}:")
        return f".{key[1:-1][:_PATH]}"

    def _string(self, span: Span) -> None:
        inner = span.end - span.start - 2
        if inner > self._measures.characters:
            self._strings_cut += 1
            self._put(_cut_string(self._text, span, self._measures.characters))
        elif inner * _LEAST_COST > self._left * _ESCAPED:
            raise Full
        else:
            self._put(_readable(self._text[span.start : span.end]))

    def _put(self, piece: str) -> None:
        self._pending.append(piece)
        self._pending_size += len(piece)
        if self._pending_size > _FLUSH:
            self._flush()

    def _flush(self) -> None:
        if self._pending_size * _LEAST_COST > self._left:
            raise Full
        text = "".join(self._pending)
        self._left -= tokens.weigh(text, self._left)
        if self._left < 0:
            raise Full
        self._written.append(text)
        self._pending.clear()
        self._pending_size = 0


def _shortened(path: str) -> str:
    """Its end tells more than its beginning."""
    return path if len(path) <= _PATH else f"…{path[-_PATH:]}"


def _readable(literal: str) -> str:
    r"""A string as it stands, but `中` rather than `\u4e2d`, which costs four times as much."""
    if "\\u" not in literal:
        return literal
    value: str = json.loads(literal)
    return literal if _SURROGATE.search(value) else json.dumps(value, ensure_ascii=False)


def _cut_string(text: str, span: Span, characters: int) -> str:
    raw = text[span.start + 1 : min(span.end - 1, span.start + 1 + characters * _ESCAPED + _ESCAPED)]
    whole = _WHOLE_ESCAPES.match(raw)
    value: str = json.loads(f'"{whole[0] if whole else ""}"')
    # One more character than may be shown tells whether a word ends there.
    shown = value[: cut_before(value, 0, min(characters, len(value) - 1))].rstrip()
    return json.dumps(shown + MARK, ensure_ascii=_SURROGATE.search(shown) is not None)


def main_container(outline: Outline) -> Span | None:
    """What "items" means for this result: the outermost array of several items that holds most of the text, or the
    object of several keys none of which does. None for a scalar. The same for every limit, so that a view can go on
    where another ended."""
    span = outline.root
    while outline.text[span.start] in "[{":
        count = outline.count(span)
        if outline.text[span.start] == "[" and count != 1:
            return span
        largest = max(
            outline.children(span, 0, FIRST_CHILDREN), key=lambda child: child.end - child.start, default=None
        )
        if largest is None or (count > 1 and (largest.end - largest.start) * 2 < span.end - span.start):
            return span
        if outline.text[largest.start] not in "[{":
            return span
        span = largest
    return None
