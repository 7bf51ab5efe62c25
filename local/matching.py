"""Forgiving search over a few hundred things: what can be matched in one, what a match is worth, which ones win."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Generic, TypeVar

from local.words import cjk_words, fold, is_cjk, stems, terms

Item = TypeVar("Item")

_EXACT_NAME = 10
_SHORTEST_BEGINNING = 5
_SHORTEST_INSIDE = 2


@dataclass(frozen=True, slots=True)
class Field:
    """One searchable text of a thing: `worth` is what a match in it adds to the rank."""

    worth: int
    stems: frozenset[str]
    cjk_words: frozenset[str]
    solid: str

    def matches(self, term: str, loosely: bool) -> bool:
        """Whether `term` is in the text; `loosely` also if it only begins with, or holds, a word of the text."""
        if is_cjk(term):
            return term in self.solid or (
                loosely and any(word in term for word in self.cjk_words if len(word) >= _SHORTEST_INSIDE)
            )
        return term in self.stems or (
            loosely and any(term.startswith(stem) for stem in self.stems if len(stem) >= _SHORTEST_BEGINNING)
        )


@dataclass(frozen=True, slots=True)
class Indexed(Generic[Item]):
    """A thing with its searchable texts; `names` are the whole texts that name just it."""

    item: Item
    fields: tuple[Field, ...]
    names: frozenset[str]

    def rank(self, wanted: tuple[str, ...], whole_query: str, loosely: bool) -> tuple[int, int]:
        """How many of the terms are found, and how well."""
        worths = [sum(field.worth for field in self.fields if field.matches(term, loosely)) for term in wanted]
        exact = _EXACT_NAME if whole_query in self.names else 0
        return sum(1 for worth in worths if worth), sum(worths) + exact


@dataclass(frozen=True, slots=True)
class Found(Generic[Item]):
    """The things that match the most of the query's `wanted` terms, best first; each matches `matched` of them."""

    items: list[Item]
    matched: int
    wanted: int


@cache
def field(worth: int, *texts: str) -> Field:
    """The texts as one field."""
    text = "|".join(texts)
    return Field(worth, stems(text), cjk_words(text), "".join(fold(text).split()))


def indexed(item: Item, fields: Iterable[Field], names: Iterable[str]) -> Indexed[Item]:
    """`item` made searchable."""
    return Indexed(item, tuple(fields), frozenset(fold(name) for name in names) - {""})


def find(query: str, among: Iterable[Indexed[Item]]) -> Found[Item]:
    """What matches the most words of `query`; everything if it has no telling word.

    Only where nothing matches does it look again, loosely: for inflected and compound words.
    """
    entries = list(among)
    found = _find(query, entries, loosely=False)
    return found if found.items else _find(query, entries, loosely=True)


def _find(query: str, among: list[Indexed[Item]], *, loosely: bool) -> Found[Item]:
    wanted, whole = terms(query), fold(query.strip())
    ranked = [(entry.rank(wanted, whole, loosely), entry.item) for entry in among]
    most = max((matched for (matched, _), _ in ranked), default=0)
    if wanted and not most:
        return Found([], 0, len(wanted))
    kept = [(worth, item) for (matched, worth), item in ranked if matched == most]
    return Found([item for _, item in sorted(kept, key=lambda pair: -pair[0])], most, len(wanted))
