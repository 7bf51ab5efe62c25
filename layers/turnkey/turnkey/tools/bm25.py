"""BM25 over short texts (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework"), terms weighted by where
they stand. The ready ones need numpy (docs/decisions/0013-bm25-of-our-own.md)."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

SATURATION, LENGTH = 1.2, 0.5
"""k1: how soon more of the same stops counting. b: how much a long text's words count less."""


class Index:
    """Documents by their terms; `documents` gives each one's terms with their weights."""

    def __init__(self, documents: Sequence[Mapping[str, float]]) -> None:
        sizes = [sum(terms.values()) for terms in documents]
        average = (sum(sizes) / len(sizes) if sizes else 0) or 1
        postings: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        for place, terms in enumerate(documents):
            damping = SATURATION * (1 - LENGTH + LENGTH * sizes[place] / average)
            for term, weight in terms.items():
                postings[term].append((place, weight * (SATURATION + 1) / (weight + damping)))
        self._postings = {
            term: [(place, score * _rarity(len(documents), len(found))) for place, score in found]
            for term, found in postings.items()
        }

    def scores(self, terms: Mapping[str, float]) -> dict[int, float]:
        """By the document's place, of those that have any of the terms; each term counts by its weight."""
        scores: defaultdict[int, float] = defaultdict(float)
        for term, weight in terms.items():
            for place, score in self._postings.get(term, ()):
                scores[place] += weight * score
        return dict(scores)


def _rarity(documents: int, having: int) -> float:
    return math.log(1 + (documents - having + 0.5) / (having + 0.5))
