"""Phrases found in a sentence's tokens, all at once.

A phrase is words with spaces between: `word*` takes any word that begins so, `*word` any that ends so, `(a/b/)` one of
the choices or nothing, `#` a number, `@` an id, `..` a few words of any kind, `^`, `_`, `?` and `$` the marks of
turnkey.reading.script.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from turnkey.reading.script import MARKS

GAP, NUMBER = "..", "#"
_NO = "no_"
_MOST_KEPT = 10_000
_LONGEST = 24
"""Letters of a word that are compared with beginnings and endings."""
_SPECIAL = MARKS | {GAP, NUMBER, "@"}
_SIGNS = frozenset("^$?#@_")
_LABELS, _PREFIXES, _SUFFIXES, _BETWEEN = "", "x*", "*x", " "

Node = dict[str, Any]
"""By the next token, the nodes it leads to; the labels of the phrases that end here; whether a word ends here."""


class Hit(NamedTuple):
    """A phrase of `label` stands in tokens[start:end]."""

    label: str
    start: int
    end: int

    def overlaps(self, other: "Hit") -> bool:
        return self.start < other.end and other.start < self.end

    def hides(self, other: "Hit") -> bool:
        return self.label == _NO + other.label and self.overlaps(other)


class Phrasebook:
    """`cut` turns a word of a phrase into the tokens it has in a text; a gap spans up to `reach` tokens; the marks that
    are `bridged` may stand between any two words of a phrase."""

    def __init__(
        self, cut: Callable[[str], Iterable[str]], numbers: frozenset[str], reach: int, bridged: frozenset[str]
    ) -> None:
        self._root: Node = {}
        self._first: dict[str, tuple[Node, ...]] = {}
        """The nodes that a token leads to from the root: most tokens begin no phrase."""
        self._known: dict[str, list[str]] = {}
        """Words of the phrases, cut: many stand in several."""
        self._bridged = bridged
        self._cut = cut
        self._numbers = numbers
        self._reach = reach

    def add(self, label: str, phrases: Iterable[str], also: str = "") -> None:
        """The phrases are of `label`, and of `also` where it is given. Raises ValueError where one holds what is no
        word."""
        labels = {label, also} - {""}
        self._first.clear()
        for phrase in phrases:
            ends = [self._root]
            for place, part in enumerate(re.split(r"[()]", phrase)):
                ends = self._grown(ends, part.split("/") if place % 2 else [part])
            for node in ends:
                node.setdefault(_LABELS, set()).update(labels)

    def find(self, tokens: tuple[str, ...]) -> set[Hit]:
        """Every phrase that stands anywhere in the tokens, overlapping ones too; but none of a label x that overlaps
        with one of the label no_x, which only looks like it."""
        hits = {
            Hit(label, start, end)
            for start in range(len(tokens))
            for node, end in self._walk(self._root, tokens, start, set())
            for label in node.get(_LABELS, ())
        }
        covers = [hit for hit in hits if hit.label.startswith(_NO)]
        if not covers:
            return hits
        return {hit for hit in hits if hit not in covers and not any(cover.hides(hit) for cover in covers)}

    def _grown(self, nodes: list[Node], choices: list[str]) -> list[Node]:
        """The nodes where the phrase stands after any one of the choices. All choices meet again in one node, so that a
        phrase with many of them stays small; a choice of nothing leaves the old nodes standing too."""
        meeting: Node = {}
        grown = [meeting]
        for choice in choices:
            words = [self._known.get(word) or self._elements(word) for word in choice.split()]
            if words:
                _lay(nodes, words, meeting)
            else:
                grown += nodes
        return grown

    def _elements(self, word: str) -> list[str]:
        if word in _SPECIAL:
            return [word]
        tokens = list(self._cut(word.strip("*")))
        if not tokens or not _SIGNS.isdisjoint(word):
            raise ValueError(f"{word!r} is no word: write a word, a mark, '..', '#' or '@', each by itself")
        first, last = word[: word.startswith("*")], word[len(word) - word.endswith("*") :]
        whole = [first + tokens[0], *tokens[1:-1], tokens[-1] + last]
        self._known[word] = whole if len(tokens) > 1 else [first + tokens[0] + last]
        return self._known[word]

    def _walk(
        self, node: Node, tokens: tuple[str, ...], place: int, seen: set[tuple[int, int]]
    ) -> Iterator[tuple[Node, int]]:
        """The nodes that the tokens from `place` on lead to, and where each then stands."""
        # Without it, words said over and over would be walked in every combination.
        if (id(node), place) in seen:
            return
        seen.add((id(node), place))
        if place < len(tokens):
            for child in self._begun(tokens[place]) if node is self._root else self._next(node, tokens[place]):
                yield child, place + 1
                yield from self._walk(child, tokens, place + 1, seen)
            if tokens[place] in self._bridged and _BETWEEN in node:
                yield from self._walk(node, tokens, place + 1, seen)
        for child in node.get(GAP, ()):
            yield child, place
            for after in range(place, min(place + self._reach, len(tokens)) + 1):
                yield from self._walk(child, tokens, after, seen)

    def _begun(self, token: str) -> tuple[Node, ...]:
        found = self._first.get(token)
        if found is None:
            if len(self._first) >= _MOST_KEPT:
                self._first.clear()
            found = self._first[token] = tuple(self._next(self._root, token))
        return found

    def _next(self, node: Node, token: str) -> Iterator[Node]:
        yield from node.get(token, ())
        if NUMBER in node and (token.isdigit() or token in self._numbers):
            yield from node[NUMBER]
        reach = min(len(token), _LONGEST)
        for size in range(1, reach + 1) if _PREFIXES in node else ():
            yield from node[_PREFIXES].get(token[:size], ())
        for size in range(1, reach + 1) if _SUFFIXES in node else ():
            yield from node[_SUFFIXES].get(token[len(token) - size :], ())


def _lay(nodes: list[Node], words: list[list[str]], end: Node) -> None:
    """Edges from each of the nodes along the tokens of the words to `end`."""
    for number, word in enumerate(words, 1):
        for place, token in enumerate(word, 1):
            target: Node = {}
            if place == len(word):
                target = end if number == len(words) else target
                target[_BETWEEN] = True
            _link(nodes, token, target)
            nodes = [target]


def _link(nodes: list[Node], token: str, target: Node) -> None:
    for node in nodes:
        if token.endswith("*"):
            node.setdefault(_PREFIXES, {}).setdefault(token[:-1], []).append(target)
        elif token.startswith("*"):
            node.setdefault(_SUFFIXES, {}).setdefault(token[1:], []).append(target)
        else:
            node.setdefault(token, []).append(target)
