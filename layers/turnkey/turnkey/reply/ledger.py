"""The ledger of a turn: what really came back, and what was really said. It decides, never the look of a text.

Built by Compose from the journal; the rules of `delivery` and `claims` read it.
"""

import json
from collections.abc import Iterator
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal, cast

from pydantic import Field

from turnkey.deliverables import Cards, Chart, Deliverable, Document, Source, Sources
from turnkey.reply.checks.folding import fold, plain
from turnkey.reply.checks.numbers import numbers
from turnkey.reply.outcome import failed, hollow
from turnkey.tools import JsonObject, ToolKind
from turnkey.values import Value


class Fact(Value):
    """One call of this turn and what it returned. `text` is the whole result, or the view that the model had."""

    tool: str
    title: str = ""
    kind: ToolKind
    status: Literal["ok", "error", "unknown"]
    text: str = ""
    arguments: JsonObject = {}
    items: int = 0
    sources: tuple[Source, ...] = Field(default=(), description="public pages that say it; none: it is our own")
    is_search: bool = Field(default=False, description="what a search shows of its pages, in their order")

    @property
    def came_back(self) -> bool:
        """The call succeeded and its result holds something."""
        return self.status == "ok" and not hollow(self.text)

    @property
    def acted(self) -> bool:
        """The call changed something: it succeeded, and its result does not say the contrary."""
        return self.kind == "action" and self.status == "ok" and not failed(self.text)


class Ledger(Value):
    """`handed` is what this turn produced for the customer. `said` is all that may be quoted: what the customer wrote,
    the instructions, earlier replies. `tools` names the tools shown this turn: no customer should read such a name."""

    results: tuple[Fact, ...] = ()
    handed: tuple[Deliverable, ...] = ()
    said: str = ""
    tools: tuple[str, ...] = Field(default=())

    @cached_property
    def own(self) -> "Ledger":
        """Without what only strangers say."""
        # Made anew: a copy would have what this one has worked out from all.
        own = tuple(fact for fact in self.results if not fact.sources)
        return Ledger(results=own, handed=self.handed, said=self.said, tools=self.tools)

    def has_public(self) -> bool:
        return any(fact.sources for fact in self.results)

    def has_acted(self) -> bool:
        return any(fact.acted for fact in self.results)

    def has_looked(self) -> bool:
        """Something came back from a call of this turn, whatever kind of tool it was."""
        return any(fact.came_back for fact in self.results)

    def has_cards(self) -> bool:
        return any(isinstance(one, Cards) and one.cards for one in self.handed)

    def has_chart(self) -> bool:
        return any(isinstance(one, Chart) for one in self.handed)

    def has_document(self) -> bool:
        return any(isinstance(one, Document) for one in self.handed)

    def numbers(self) -> frozenset[Decimal]:
        """Every number that came back or was said, lengths of lists and counts of cards included."""
        return self._numbers

    def grounds(self, text: str) -> bool:
        """Whether `text` stands in what came back or was said; case, accents and blanks do not matter."""
        return plain(text) in self.plain_text

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """What came back, was handed over and was said, each as text."""
        results = [readable(fact.text) for fact in self.results]
        arguments = [_dumped(fact.arguments) for fact in self.results if fact.arguments]
        return (*results, *arguments, *(_dumped(one.model_dump()) for one in self.handed), self.said)

    @cached_property
    def folded_text(self) -> str:
        return fold("\n".join(self.texts))

    @cached_property
    def plain_text(self) -> str:
        return plain("\n".join(self.texts))

    @cached_property
    def returned_numbers(self) -> frozenset[Decimal]:
        """Those of `numbers` that came back from calls or were handed over."""
        # Made anew: a copy would have what this one has worked out from all.
        return Ledger(results=self.results, handed=self.handed).numbers()

    @cached_property
    def _numbers(self) -> frozenset[Decimal]:
        found = {reading for number in numbers(self.folded_text) for reading in number.readings}
        found |= {Decimal(count) for fact in self.results for count in (fact.items, *_lengths(fact.text))}
        for one in self.handed:
            found |= {Decimal(number) for number in _counts(one)}
        if "cent" in self.folded_text or "minor" in self.folded_text:
            found |= {number / 100 for number in found if number == int(number)}
        return frozenset(found)


def _counts(one: Deliverable) -> tuple[int, ...]:
    match one:
        case Cards():
            return len(one.cards), one.total
        case Chart():
            return (one.rows,)
        case Document():
            return (one.version,)
        case Sources():
            return (len(one.sources),)


def readable(text: str) -> str:
    """A result with its JSON escapes resolved: what a reader would quote from it."""
    if "\\" not in text:
        return text
    try:
        return _dumped(json.loads(text))
    except (ValueError, RecursionError):
        return text.replace('\\"', '"').replace("\\n", "\n").replace("\\/", "/")


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).replace('\\"', '"')


def _lengths(text: str) -> Iterator[int]:
    """How long each list in a JSON result is: what a reader counts."""
    if "[" not in text:
        return
    try:
        pending: list[Any] = [json.loads(text)]
    except (ValueError, RecursionError):
        return
    while pending:
        value = pending.pop()
        if isinstance(value, list):
            yield len(cast(list[Any], value))
            pending += cast(list[Any], value)
        elif isinstance(value, dict):
            pending += cast(JsonObject, value).values()
