"""What a tenant's tools are about, in the concepts of the lexicon: what a message's words are held against."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from turnkey.reading import lexicon
from turnkey.reading.words import concepts
from turnkey.tools import ToolKind, Toolset

Concepts = frozenset[str]


class Shown(NamedTuple):
    """One tool. `named` are the concepts of its name, its title and the tenant's words for it, `spoken` also those of
    its description; both with their kin: a novel where it says books."""

    kind: ToolKind
    named: Concepts
    spoken: Concepts


class Shelf(NamedTuple):
    """All tools of one tenant, and the concepts they are named for. `goods`: it has things to choose from, so that any
    word may name one of them."""

    tools: tuple[Shown, ...]
    things: Concepts
    goods: bool

    def has(self, kind: ToolKind) -> bool:
        return any(tool.kind == kind for tool in self.tools)

    def of(self, *kinds: ToolKind) -> tuple[ToolKind, ...]:
        """Those of the kinds that the tenant has a tool of."""
        return tuple(kind for kind in kinds if self.has(kind))

    def named_for(self, wanted: Concepts, kinds: Iterable[ToolKind]) -> tuple[ToolKind, ...]:
        """Those of the kinds of which a tool is named for one of the wanted concepts."""
        return tuple(kind for kind in kinds if any(tool.kind == kind and tool.named & wanted for tool in self.tools))

    def speaking_of(self, wanted: Concepts, kinds: Iterable[ToolKind]) -> tuple[ToolKind, ...]:
        """Those of the kinds of which a tool's definition speaks of one of the wanted concepts."""
        return tuple(kind for kind in kinds if any(tool.kind == kind and tool.spoken & wanted for tool in self.tools))

    def foreign(self, asked: Concepts) -> bool:
        """Whether the concepts name things that are dealt in somewhere, and none of them here."""
        things = dealt_in(asked)
        return bool(things) and not any(things & tool.spoken for tool in self.tools)

    def strange(self, asked: Concepts) -> bool:
        """Whether the concepts are of another trade, or facts about a shop, and no tool speaks of any of them."""
        known = self.things.union(*(tool.spoken for tool in self.tools))
        return bool(asked & _all_things()) and not asked & known


def dealt_in(asked: Concepts) -> Concepts:
    """Those of the concepts that are things somebody deals in."""
    return asked & _dealt_in()


def shelf(tools: Toolset) -> Shelf:
    return _shelf(tuple((tool.kind, tool.name, tool.title, tool.words, tool.description) for tool in tools))


@lru_cache(maxsize=256)
def _shelf(tools: tuple[tuple[ToolKind, str, str, tuple[str, ...], str], ...]) -> Shelf:
    shown = tuple(_shown(*tool) for tool in tools)
    named = frozenset[str]().union(*(tool.named for tool in shown))
    goods = any(family["goods"] and not named.isdisjoint(family["things"]) for family in _families())
    return Shelf(shown, named & _all_things(), goods)


def _shown(kind: ToolKind, name: str, title: str, own: tuple[str, ...], description: str) -> Shown:
    spaced = re.sub(r"[_-]+|(?<=[a-z])(?=[A-Z])", " ", name)
    named = _with_kin(frozenset[str]().union(*(concepts(text) for text in (spaced, title, *own))))
    return Shown(kind, named, named | _with_kin(concepts(description)))


def _with_kin(found: Concepts) -> Concepts:
    return found.union(*(family["things"] for family in _families() if not found.isdisjoint(family["things"])))


def _families() -> list[dict[str, list[str]]]:
    return list(lexicon.data("families")["families"].values())


@cache
def _dealt_in() -> Concepts:
    return frozenset(concept for family in _families() for concept in family["things"])


@cache
def _all_things() -> Concepts:
    """Everything that is dealt in anywhere, and the facts that can be asked of any shop."""
    return _dealt_in() | frozenset(lexicon.data("families")["facts"])
