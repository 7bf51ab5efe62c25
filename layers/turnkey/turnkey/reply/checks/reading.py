"""A reply as the rules read it."""

from collections.abc import Iterator
from functools import cached_property

from turnkey.reading.facts import Kind
from turnkey.reply.checks.folding import fold
from turnkey.reply.checks.guess import wordings
from turnkey.reply.checks.sentences import Clause, Sentence, sentences
from turnkey.reply.checks.wording import Hit, Wording
from turnkey.reply.ledger import Ledger

LONGEST = 10_000
"""Characters of a reply that are read; no channel sends more."""


class Reading:
    """The text, its sentences, the languages it is read in, and what it is held against."""

    def __init__(self, text: str, due: Kind, ledger: Ledger, language: str) -> None:
        self.text = text[:LONGEST]
        self.due = due
        self.ledger = ledger
        self.wordings: tuple[Wording, ...] = wordings(text, language)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        return sentences(self.text)

    @cached_property
    def folded(self) -> str:
        return fold(self.text)

    def says(self, key: str, text: str) -> bool:
        """Whether any of the wordings has a pattern of `key` in the folded `text`."""
        return any(wording.says(key, text) for wording in self.wordings)

    def hits(self, key: str, clause: str) -> Iterator[tuple[Wording, Hit]]:
        for wording in self.wordings:
            for hit in wording.hits(key, clause):
                yield wording, hit


def segment(wording: Wording, clause: str, hit: Hit) -> str:
    """The part of a clause, between conjunctions, that a hit stands in: what negates or conditions it is there."""
    start, end = 0, len(clause)
    for conjunction in wording.hits("conjunctions", clause):
        if conjunction.end <= hit.start:
            start = max(start, conjunction.end)
        elif conjunction.start >= hit.end:
            end = min(end, conjunction.start)
    return clause[start:end]


def qualified(wording: Wording, clause: Clause, hit: Hit) -> bool:
    """Whether the hit is asked, denied, or only supposed."""
    around = segment(wording, clause.text, hit)
    return clause.question or wording.says("negators", around) or wording.says("subordinators", around)
