"""Whether a customer asks, in so many words, for a person instead of the agent. In twelve languages; plain.

The answer silences the agent and calls a person, so it is yes only where nothing else can be meant: a clause that asks
for it and denies nothing, in a message that supposes nothing. Whatever is less clear is left to the model.
"""

import json
import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import TypedDict

LONGEST = 600
"""Characters: who writes more tells a story."""
_CLAUSES = re.compile(r"[.!?,;:…\n。！？，、；：؟،؛]+|\s[-–—]\s")
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|«[^»]*»|„[^“”]*[“”]|「[^」]*」|『[^』]*』|《[^》]*》|‹[^›]*›")
_COURTESIES = re.compile(
    r"\b(?:please|thanks|thank you|bitte|danke|merci|gracias|por favor|obrigad[oa]|grazie|per favore|пожалуйста|спасибо"
    r"|svp|stp|s['’]il (?:vous|te) plaît|lütfen|teşekkürler|شكرا|من فضلك)\b"
    r"|谢谢|謝謝|ありがとう(?:ございます)?|감사합니다|제발"
)


class _Words(TypedDict("_Sorts", {"not": str, "if": str})):
    """Patterns of one language: what asks, what denies, what supposes; and words that ask when they stand alone."""

    asks: list[str]
    alone: list[str]


def asks_for_person(text: str) -> bool:
    """Whether it does."""
    said = _plain(text)
    if not said or len(said) > LONGEST:
        return False
    if _alone(said) in _words_alone():
        return True
    clauses = [clause for part in _CLAUSES.split(said) if (clause := part.strip())]
    return not any(_supposes(clause) for clause in clauses) and any(_asks(clause) for clause in clauses)


def _plain(text: str) -> str:
    """Lower case, one form of each letter, without what stands in quotes: those are others' words, or titles."""
    # The casefold of İ has a dot of its own.
    folded = unicodedata.normalize("NFKC", text.replace("İ", "i")).casefold()
    return " ".join(_QUOTED.sub(" ", folded).split())


def _alone(said: str) -> str:
    words = _COURTESIES.sub(" ", _CLAUSES.sub(" ", said))
    return " ".join(words.split())


def _supposes(clause: str) -> bool:
    # One word alone, such as the si that is a yes, supposes nothing.
    return len(clause) > 3 and any(one.search(clause) for one in _suppositions())


def _asks(clause: str) -> bool:
    for language in _read():
        if any(one.search(clause) for one in _patterns(language)) and not _denial(language).search(clause):
            return True
    return False


@cache
def _words_alone() -> frozenset[str]:
    return frozenset(_alone(_plain(word)) for words in _read().values() for word in words["alone"])


@cache
def _patterns(language: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(_plain_pattern(one)) for one in _read()[language]["asks"])


@cache
def _denial(language: str) -> re.Pattern[str]:
    return re.compile(_plain_pattern(_read()[language]["not"]))


@cache
def _suppositions() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(_plain_pattern(words["if"])) for words in _read().values())


def _plain_pattern(pattern: str) -> str:
    return unicodedata.normalize("NFKC", pattern)


@cache
def _read() -> dict[str, "_Words"]:
    return json.loads((Path(__file__).with_suffix(".json")).read_text(encoding="utf-8"))
