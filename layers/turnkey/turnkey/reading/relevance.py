"""Which of many tools a message is most likely about: BM25 over what the tools say of themselves, in any language.

Scripts that write words apart give words and their beginnings, the others pairs of characters. What the lexicon knows
the meaning of gives its concept too, so that a tool described in one language is found in another.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from turnkey.mcp import schemas
from turnkey.reading import lexicon
from turnkey.reading.choosing import unsaid
from turnkey.reading.cues import LONGEST
from turnkey.reading.language import languages
from turnkey.reading.script import fold, patterns, sentences, spelled
from turnkey.reading.subject import spaced
from turnkey.tools import Tool, Toolset
from turnkey.tools.bm25 import Index

Terms = dict[str, float]

_WORD = re.compile(r"[^\W\d_]+")
_BEGINNING = 5
"""Letters of a word's beginning by which its forms are told to be the same word's."""
_WHOLE, _BEGUN, _PAIR, _HAN = 1.0, 0.7, 1.0, 0.5
_CONCEPT, _BUSINESS, _UNSAID = 1.5, 2.0, 1.0
_NAME, _OWN, _DESCRIPTION, _PARAMETERS = 3.0, 4.0, 1.0, 0.5
"""How much a term counts by where a tool has it; _OWN: in the tenant's own words for it."""
_FADING = 0.5
"""How much of a message's weight the one before it has."""
MOST_SAID = 4
"""Messages that are looked at, the newest ones."""
MAX_RECENT = 3
"""Tools used lately that are shown whatever is asked."""


def ranked(tools: Toolset, said: Sequence[str]) -> tuple[str, ...]:
    """Names of the tools that have anything in common with what was said, best first. `said`: the messages, newest
    first."""
    asked: Terms = {}
    for place, message in enumerate(said[:MOST_SAID]):
        _add(asked, _asked(message[:LONGEST]), _FADING**place)
    names, scores = tools.names, tools.derived(_index).scores(asked)
    return tuple(names[place] for place in sorted(scores, key=lambda place: (-scores[place], place)))


def most_relevant(tools: Toolset, said: Sequence[str], recent: Sequence[str], most: int) -> Toolset:
    """As many as `most`: those that were used lately (`recent`, newest first), the best for what was said, and then in
    the order of their registration."""
    if len(tools) <= most:
        return tools
    lately = [name for name in dict.fromkeys(recent) if name in tools][: min(MAX_RECENT, most // 2)]
    chosen = dict.fromkeys((*lately, *ranked(tools, said), *tools.names))
    return tools.only(list(chosen)[:most])


def meanings(text: str) -> frozenset[str]:
    """What the lexicon knows of the meaning of a text in any of twelve languages, said or not: =concept, +business."""
    return frozenset(term for term in _asked(text[:LONGEST]) if term[0] in "=+")


def _index(tools: Toolset) -> Index:
    return Index([_told(tool) for tool in tools])


def _told(tool: Tool) -> Terms:
    """The terms of a definition."""
    name = f"{spaced(tool.original_name)}. {tool.title}"
    described = tool.description[:LONGEST]
    likely = languages(f"{name}. {described}", default=lexicon.LATIN)
    parts = ((name, _NAME), (described, _DESCRIPTION), (_of_parameters(tool)[:LONGEST], _PARAMETERS))
    found: Terms = {}
    for text, weight in parts:
        _add(found, _terms(text, likely), weight)
    for word in tool.words:
        _add(found, _terms(word, languages(word, default=lexicon.LATIN)), _OWN)
    return found


def _of_parameters(tool: Tool) -> str:
    properties = schemas.properties(tool.parameters).items()
    return " ".join(f"{spaced(name)}: {schema.get('description', '')}." for name, schema in properties)


def _add(to: Terms, terms: Terms, weight: float) -> None:
    for term, count in terms.items():
        to[term] = to.get(term, 0) + count * weight


def _asked(message: str) -> Terms:
    """The terms of a message, with what it speaks of without a word for it."""
    terms = _terms(message, languages(message, default=lexicon.LATIN))
    return {**{f"={concept}": _UNSAID for concept in unsaid(message)}, **terms}


def _terms(text: str, likely: Sequence[str]) -> Terms:
    """What a text in one of these languages is made of."""
    found: Terms = {}
    for match in _WORD.finditer(fold(text)):
        for term, weight in _of_word(match.group()):
            found[term] = found.get(term, 0) + weight
    for language in likely:
        known, business = lexicon.concepts(language), lexicon.business(language)
        for sentence in sentences(text, language):
            found |= {f"={hit.label}": _CONCEPT for hit in known.find(sentence.tokens)}
            found |= {f"+{hit.label}": _BUSINESS for hit in business.find(sentence.tokens)}
    return found


def _of_word(word: str) -> Iterator[tuple[str, float]]:
    """A folded word's terms; one that mixes scripts is taken apart."""
    for character in patterns().character.finditer(word):
        if "\u4e00" <= character.group() <= "\u9fff":
            yield character.group(), _HAN
    for run in re.split(rf"({patterns().character.pattern}+)", word):
        if patterns().character.match(run):
            yield from ((first + second, _PAIR) for first, second in pairwise(run))
        elif len(run) > 1:
            bare = spelled(run, "ar")[-1] if "\u0600" <= run[0] <= "\u06ff" else run
            yield bare, _WHOLE
            yield f"{bare[:_BEGINNING]}*", _BEGUN
