"""From the small model's answer to facts: read leniently, and checked against the conversation."""

import json
import re
from typing import Any, cast

from turnkey.reading.cues import read
from turnkey.reading.dates import without_clock
from turnkey.reading.drawn import undrawn
from turnkey.reading.facts import Facts, Kind, Suspicion
from turnkey.reading.prices import without_prices
from turnkey.reading.prompt import Said, open_kinds
from turnkey.reading.subject import content, covers, echoes, own_part
from turnkey.reading.words import ids, numbers, ordinals, words

_PIECE = re.compile(r'"(subject|kind)"\s*:\s*"([^"]*)')
MAX_SUBJECT = 80
YEARS = 1000
_PHRASE = 3
"""Telling words of a subject that is taken whole."""
_CARRIES_ON = frozenset(["more", "pick", "compare"])
# A number with one of these before or behind it is an age, a span or a point of time.
_OTHER = re.compile(
    r"\b(?:till|until|by|before|after|around|since|at|bis|um|ab|vor|nach|seit|jusqu['’]à|avant|après|hasta|antes de|"
    r"até|fino alle|до|после|с)\s+[^\W_]+|"
    r"\b[^\W_]+[\s-]*(?:years?|yrs?|yo|jahren?|jährig\w*|ans|años|anos|anni|лет|года?|yaş\w*|yaşında|minutes?|minuten|"
    r"hours?|stunden?|heures?|horas?|ore|часов|days?|tagen?|jours?|días?|dias?|giorni|дней|weeks?|wochen?|semaines?|"
    r"percent|prozent|o['’]?clock|uhr)\b|\d+\s*(?:岁|歳|才|살|سنوات|سنة|%|点|時|시|年|년)|[^\W\d]+(?:岁|歳|살)",
    re.I,
)


class Doubt(Exception):
    """The facts cannot be relied on: the turn goes on as if they had never been asked for. The message says why."""


def read_facts(
    text: str, suspicion: Suspicion, said: Said, language: str = "en", *, handed_over: bool = False
) -> Facts:
    """The facts. Raises Doubt: no JSON, a kind that the words do not allow, a subject that nobody spoke of.

    `handed_over`: the last turn handed something over, so that a message need not say what it is about."""
    fields = _fields(text)
    message = said[-1][1]
    kind = _kind(fields, suspicion)
    return Facts(
        kind=kind,
        subject=_subject(str(fields.get("subject") or ""), suspicion, said, language, handed_over),
        quantity=quantity(fields.get("quantity"), message),
        constraints=_constraints(fields.get("constraints"), message),
        fresh=suspicion.fresh,
    )


def _fields(text: str) -> dict[str, Any]:
    """The first JSON object in the text; of one that breaks off, its first fields."""
    start = text.find("{")
    if start < 0:
        raise Doubt("the answer has no JSON in it")
    try:
        value, _ = json.JSONDecoder().raw_decode(text[start:])
    except ValueError:
        value = dict(_PIECE.findall(text))
    if not value:
        raise Doubt("the answer has no fields that can be read")
    return cast(dict[str, Any], value)


def _kind(fields: dict[str, Any], suspicion: Suspicion) -> Kind:
    allowed = open_kinds(suspicion)
    kind = fields.get("kind", allowed[0] if len(allowed) == 1 else None)
    if kind == "answer":
        raise Doubt("it reads like an ordinary question")
    if kind not in allowed:
        raise Doubt("the kind does not fit the words")
    return kind


def _subject(subject: str, suspicion: Suspicion, said: Said, language: str, handed_over: bool) -> str:
    """The subject as far as the conversation has its words. Where the small model missed what the message itself is
    about, the message's own words; those of a message that leans on the past count for less than the past."""
    message = said[-1][1]
    if suspicion.kinds == ("chart",):
        message = undrawn(message)
    named = ids(message)
    if len(named) == 1:
        return named[0]
    if suspicion.kinds == ("chart",):
        subject = undrawn(subject)
    found = bare(grounded(" ".join(subject.split())[:MAX_SUBJECT], " ".join(text for _, text in said)))
    own = own_part(bare(message), language)
    leans = suspicion.elliptical and not _cues(message).isdisjoint(_CARRIES_ON)
    missed = not covers(found, message, language) or (own and echoes(found, message, language))
    if found and (leans or not missed):
        return own if _is_part(found, own, language) else found
    if not own and not found and not suspicion.strong and not handed_over:
        raise Doubt("nobody spoke of the subject")
    return own or found


def _is_part(found: str, own: str, language: str) -> bool:
    """Whether the model's subject is only a part of a short phrase of the message's: agatha of Agatha Christie."""
    whole, part = content(own, language), content(found, language)
    return bool(part) and len(part) < len(whole) <= _PHRASE and set(part) < set(whole)


def bare(text: str) -> str:
    """Without amounts of money and clock times: those are conditions, not what is asked about."""
    return " ".join(without_clock(without_prices(text)).split())


def grounded(subject: str, conversation: str) -> str:
    """The subject's words that stand in the conversation; all or none of them in scripts without word breaks."""
    known = set(words(conversation))
    pieces = subject.split()
    kept = [piece for piece in pieces if set(words(piece)) & known]
    return " ".join(kept) if len(kept) * 2 >= len(pieces) else ""


def quantity(given: Any, message: str) -> int | None:
    """A number that the message really has."""
    named = counts(message)
    if isinstance(given, int) and given in named:
        return given or None
    return named[0] if len(named) == 1 and named[0] > 0 else None


def counts(message: str) -> tuple[int, ...]:
    """Numbers of the message that say how many: no prices, clock times, ages or years."""
    named = numbers(_OTHER.sub(" ", bare(message)))
    return () if ordinals(message) else tuple(number for number in named if number < YEARS)


def _cues(message: str) -> frozenset[str]:
    return frozenset(cue for part in read(message) for cue in part.cues)


def _constraints(given: Any, message: str) -> tuple[str, ...]:
    known = set(words(message))
    texts = [str(entry) for entry in cast(list[Any], given)] if isinstance(given, list) else []
    return tuple(text for text in texts if text and set(words(text)) <= known)
