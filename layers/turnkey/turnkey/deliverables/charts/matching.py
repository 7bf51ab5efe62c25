"""Which field a sentence asks for: by the words of the field's name, and by what such fields are called elsewhere."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from turnkey.deliverables.charts.dates import read_moments
from turnkey.deliverables.charts.periods import Unit
from turnkey.deliverables.charts.vocabulary import names
from turnkey.deliverables.charts.words import alike, fold, runs, words

_WEAK = frozenset(words("id ids at on of the is has no nr key code name title label value text display full uuid ref"))
"""Words of a field's name that say little where it has others."""
_UNITS = frozenset(words("eur usd gbp chf jpy cny krw rub try kg g cm mm m km ms s sec min mins pct percent"))
_BEFORE = frozenset(words("by per each across nach pro je par por per cada по 按 各 حسب لكل"))
_AFTER = frozenset(words("gore bazinda basina wise"))
_CLOSE = 3
_HUNG = r"(?:[按各每毎]{0}|{0}(?:\w?[別别별]))"
_TIME = frozenset({"date", "year", "month", "week", "day", "hour"})
_ASKED_UNITS: dict[str, Unit] = {"year": "year", "month": "month", "week": "week", "day": "day", "hour": "hour"}
_LEAST = 0.9
_HALF = 0.5
_CONCEPT_WEIGHT = 1.8
_NAME_WEIGHT = 2.0
_EACH_WORD = 0.1
_IDS = frozenset({"id", "ids", "uuid"})
_NUMBERED = 0.4
"""An id is seldom what is meant, unless there is nothing else."""

Mentions = dict[str, float]
"""Concept -> 1, more where the sentence says that it is what things are grouped by."""


class Candidate(NamedTuple):
    path: str
    examples: tuple[Any, ...]


def strong(path: str) -> tuple[str, ...]:
    """The words of a field's name that tell it from others, without units and the like."""
    return tuple(word for word in words(path) if word not in _WEAK and word not in _UNITS)


def units(path: str) -> tuple[str, ...]:
    """The unit that a field's name ends with, such as eur of price_eur."""
    return tuple(word for word in words(path)[1:] if word in _UNITS)


def best(sentence: str, candidates: Sequence[Candidate]) -> str | None:
    """The path of the candidate that fits best; None where none fits."""
    spoken = words(sentence)
    mentions = _mentions(sentence, spoken)
    scored = [(_score(candidate.path, spoken, mentions), candidate.path) for candidate in candidates]
    score, path = max(scored, key=lambda pair: (pair[0], -pair[1].count(".")), default=(0.0, ""))
    if score >= _LEAST:
        return path
    return _timely(candidates) if _TIME & mentions.keys() else None


def asked_unit(sentence: str) -> Unit | None:
    """The period that a sentence groups by: "per month" """
    mentions = _mentions(sentence, words(sentence))
    return next((unit for concept, unit in _ASKED_UNITS.items() if concept in mentions), None)


@cache
def concepts(path: str) -> dict[str, float]:
    """What the field is about, with the share of its name's words that say so."""
    own = strong(path) or words(path)
    found: dict[str, float] = {}
    for concept, name in names():
        if len(name) <= len(own) and any(True for _ in runs(name, own)):
            found.setdefault(concept, len(name) / len(own))
    return found


def _score(path: str, spoken: tuple[str, ...], mentions: Mentions) -> float:
    own = strong(path) or words(path)
    places = [next((place for place, word in enumerate(spoken) if alike(word, name)), -1) for name in own]
    share = sum(place >= 0 for place in places) / len(own) if own else 0.0
    direct = share * (_NAME_WEIGHT + max((_nearness(spoken, place, 1) for place in places), default=0.0))
    meant = [share * (weight - 1 + _CONCEPT_WEIGHT) for name, share in concepts(path).items()
             if share >= _HALF and (weight := mentions.get(name, 0.0))]  # fmt: skip
    score = max([direct if share >= _HALF else 0.0, *meant]) + _EACH_WORD * sum(place >= 0 for place in places)
    return score * _NUMBERED if _IDS & set(words(path)) and not _IDS & set(spoken) else score


def _mentions(sentence: str, spoken: tuple[str, ...]) -> Mentions:
    folded = fold(sentence)
    found: Mentions = {}
    for concept, name in names():
        for place in runs(name, spoken):
            hung = not name[0].isascii() and re.search(_HUNG.format(re.escape(name[0])), folded) is not None
            weight = 1.0 + max(float(hung), _nearness(spoken, place, len(name)))
            found[concept] = max(weight, found.get(concept, 0.0))
    return found


def _nearness(spoken: tuple[str, ...], place: int, length: int) -> float:
    """How close a word that means "by" stands: 1 next to it, 0 where there is none."""
    if place < 0:
        return 0.0
    before = list(reversed(spoken[max(0, place - _CLOSE) : place]))
    after = list(spoken[place + length : place + length + _CLOSE])
    return max(_distances(before, _BEFORE) + _distances(after, _AFTER), default=0.0)


def _distances(near: Sequence[str], sought: frozenset[str]) -> list[float]:
    return [1 - distance / _CLOSE for distance, word in enumerate(near) if word in sought]


def _timely(candidates: Sequence[Candidate]) -> str | None:
    """The field that tells when: the one whose name says so most plainly, else one that holds dates."""
    shares = [(_time_share(candidate), candidate.path) for candidate in candidates]
    share, path = max(shares, key=lambda pair: (pair[0], -pair[1].count(".")), default=(0.0, ""))
    return path if share else None


def _time_share(candidate: Candidate) -> float:
    dated = bool(candidate.examples) and all(read_moments(candidate.examples, timely=False))
    return max(_about_time(candidate.path), _HALF if dated else 0.0)


def is_timely(path: str) -> bool:
    """Whether the field's name speaks of time."""
    return _about_time(path) > 0 or words(path)[-1:] in (("at",), ("on",), ("ts",))


def _about_time(path: str) -> float:
    """The share of the name's words that say so; 0 where they may as well mean something else, as "tag" does."""
    about = concepts(path.rsplit(".", 1)[-1])
    time = max((about.get(concept, 0.0) for concept in _TIME), default=0.0)
    other = max((share for concept, share in about.items() if concept not in _TIME), default=0.0)
    return time if time > other else 0.0
