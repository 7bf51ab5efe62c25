"""Which of a reply's sentences tell what only a public page says: each is marked with its source. Plain.

A sentence is marked by what it repeats of a page and of nothing of the tenant's: numbers, and words that tell. That the
sources are named at all does not hang on it: they are listed in any case.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from turnkey.deliverables import Source
from turnkey.detection import detect, everyday_words
from turnkey.public import wording
from turnkey.public.citing_marks import without_marks
from turnkey.reading.script import fold
from turnkey.reply.ledger import Fact, Ledger

MOST_SOURCES = 5
_SHOWN = 3
"""Search results named where no page was read and no sentence repeats one."""
_SENTENCE = re.compile(r"[^.!?。！？\n]*(?:[.!?](?=\d)[^.!?。！？\n]*)*[.!?。！？]*[\"”’»)）」]*\s*\n?")
_END = re.compile(r"[.!?。！？\"”’»)）」\s]*$")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD = re.compile(r"[^\W\d_]+")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
_ENTRY = re.compile(r"(?m)^(?=\d{1,2}\. )")
_ENOUGH = 2.0
_NUMBER_WEIGHT, _WORD_WEIGHT, _PAIR_WEIGHT = 2.0, 1.0, 0.5


class Passage(NamedTuple):
    """What one source says. `read`: the page itself, not what a search shows of it."""

    source: Source
    terms: dict[str, float]
    read: bool


class Cited(NamedTuple):
    """The text with its marks, [1] for the first of `sources`."""

    text: str
    sources: tuple[Source, ...]


def cite(text: str, ledger: Ledger) -> Cited:
    """Of a reply in whose turn public pages were found; as it is where none were."""
    passages = tuple(_passages(ledger))
    if not passages:
        return Cited(text, ())
    everyday = _everyday(text)
    own = frozenset(_terms("\n".join(ledger.own.texts), everyday))
    bare = without_marks(text)
    marked: list[tuple[str, Passage | None]] = [
        (found[0], _best(found[0], passages, own, everyday)) for found in _SENTENCE.finditer(bare) if found[0]
    ]
    sources = _listed(passages, [passage.source for _, passage in marked if passage])
    return Cited("".join(_with_mark(sentence, passage, sources) for sentence, passage in marked), sources)


def _listed(passages: tuple[Passage, ...], cited: list[Source]) -> tuple[Source, ...]:
    """Every page that was read, and results of a search where a sentence repeats one."""
    read = [passage.source for passage in passages if passage.read]
    named = [*cited, *read] or [passage.source for passage in passages[:_SHOWN]]
    return tuple({source.url: source for source in named}.values())[:MOST_SOURCES]


def _with_mark(sentence: str, passage: Passage | None, sources: tuple[Source, ...]) -> str:
    number = next((n for n, one in enumerate(sources, 1) if passage and one.url == passage.source.url), 0)
    if not number:
        return sentence
    place = _END.search(sentence)
    end = place.start() if place else len(sentence)
    return f"{sentence[:end]} [{number}]{sentence[end:]}"


def _best(
    sentence: str, passages: tuple[Passage, ...], own: frozenset[str], everyday: frozenset[str]
) -> Passage | None:
    """The source that says most of it, the page before what a search shows of it."""
    new = [term for term in _terms(sentence, everyday) if term not in own]
    scored = [(sum(passage.terms.get(term, 0) for term in new), passage.read, passage) for passage in passages]
    score, _, best = max(scored, key=lambda one: one[:2])
    return best if score >= _ENOUGH else None


def _passages(ledger: Ledger) -> Iterator[Passage]:
    for fact in ledger.results:
        if fact.sources and fact.status == "ok":
            yield from _of(fact)


def _of(fact: Fact) -> Iterator[Passage]:
    text = wording.unquoted(fact.text)
    if not fact.is_search:
        yield Passage(fact.sources[0], _terms(text, frozenset()), True)
        return
    entries = [entry for entry in _ENTRY.split(text) if entry.strip()]
    for source, entry in zip(fact.sources, entries, strict=False):
        yield Passage(source, _terms(entry.partition("\n")[0] + entry.rpartition("\n")[2], frozenset()), False)


def _everyday(text: str) -> frozenset[str]:
    return frozenset(fold(word) for word in everyday_words(detect(text).language))


def _terms(text: str, everyday: frozenset[str]) -> dict[str, float]:
    """What a text tells, each with its weight."""
    folded = fold(text)
    found = {number: _NUMBER_WEIGHT for number in _NUMBER.findall(folded) if len(number) > 1}
    for word in _WORD.findall(folded):
        if _CJK.search(word):
            found.update((word[place : place + 2], _PAIR_WEIGHT) for place in range(len(word) - 1))
        elif len(word) > 3 and word not in everyday:
            found[word[:7]] = _WORD_WEIGHT
    return found
