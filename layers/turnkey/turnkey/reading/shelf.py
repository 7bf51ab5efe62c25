"""What a tenant's tools are about, in the concepts of the lexicon: what a message's words are held against."""

import re
from collections.abc import Iterable
from functools import cache
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
    word may name one of them. `named` and `spoken`: of all tools of a kind together, so that asking about 500 tools
    takes no longer than asking about five."""

    tools: tuple[Shown, ...]
    things: Concepts
    goods: bool
    named: dict[ToolKind, Concepts]
    spoken: dict[ToolKind, Concepts]

    def has(self, kind: ToolKind) -> bool:
        return kind in self.named

    def of(self, *kinds: ToolKind) -> tuple[ToolKind, ...]:
        """Those of the kinds that the tenant has a tool of."""
        return tuple(kind for kind in kinds if self.has(kind))

    def named_for(self, wanted: Concepts, kinds: Iterable[ToolKind]) -> tuple[ToolKind, ...]:
        """Those of the kinds of which a tool is named for one of the wanted concepts."""
        return tuple(kind for kind in kinds if not wanted.isdisjoint(self.named.get(kind, ())))

    def speaking_of(self, wanted: Concepts, kinds: Iterable[ToolKind]) -> tuple[ToolKind, ...]:
        """Those of the kinds of which a tool's definition speaks of one of the wanted concepts."""
        return tuple(kind for kind in kinds if not wanted.isdisjoint(self.spoken.get(kind, ())))

    def foreign(self, asked: Concepts) -> bool:
        """Whether the concepts name things that are dealt in somewhere, and none of them here."""
        things = dealt_in(asked)
        return bool(things) and all(things.isdisjoint(spoken) for spoken in self.spoken.values())

    def strange(self, asked: Concepts) -> bool:
        """Whether the concepts are of another trade, or facts about a shop, and no tool speaks of any of them."""
        known = self.things.union(*self.spoken.values())
        return bool(asked & _all_things()) and not asked & known


def dealt_in(asked: Concepts) -> Concepts:
    """Those of the concepts that are things somebody deals in."""
    return asked & _dealt_in()


def shelf(tools: Toolset) -> Shelf:
    return tools.derived(_shelf)


def _shelf(tools: Toolset) -> Shelf:
    shown = tuple(_shown(tool.kind, tool.name, tool.title, tool.words, tool.description) for tool in tools)
    named, spoken = dict[ToolKind, Concepts](), dict[ToolKind, Concepts]()
    for tool in shown:
        named[tool.kind] = named.get(tool.kind, frozenset()) | tool.named
        spoken[tool.kind] = spoken.get(tool.kind, frozenset()) | tool.spoken
    every = frozenset[str]().union(*named.values())
    goods = any(family["goods"] and not every.isdisjoint(family["things"]) for family in _families())
    return Shelf(shown, every & _all_things(), goods, named, spoken)


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
