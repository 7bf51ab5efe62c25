"""What the platform itself says, in twelve languages; English for any other. Sentences are in data/phrases.

They are what is left when no reply of the model can be trusted, so they claim no more than the ledger holds. Numbers
stand where no language bends a word after them.
"""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from turnkey.reply.titles import named

_DATA = Path(__file__).parent / "data" / "phrases"
_LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "ru", "zh", "ja", "ko", "ar", "tr")
_SUBJECT_CHARACTERS = 80


def shown_items(language: str, count: int, total: int, *, counted: bool = False) -> str:
    """Goes before `count` cards of `total` items; no cards mean that nothing was found. `counted`: it was asked how
    many there are."""
    if count <= 0:
        return nothing_found(language)
    some = total > count or counted
    return _say(language, "found_some", count=count, total=total) if some else _say(language, "found_all")


def nothing_found(language: str, subject: str = "") -> str:
    """There is none, of `subject` if it is given: the customer's own words."""
    named_subject = " ".join(subject.split())[:_SUBJECT_CHARACTERS]
    return _say(language, "nothing_for", subject=named_subject) if named_subject else _say(language, "nothing")


def chart_ready(language: str, title: str = "") -> str:
    """Goes with a chart that was drawn."""
    return _say(language, "chart_of", title=title) if title else _say(language, "chart")


def not_done(language: str) -> str:
    """It could not be done, and nothing was changed."""
    return _say(language, "not_done")


def outcome_unknown(language: str) -> str:
    """Nobody knows whether it was done."""
    return _say(language, "unknown")


def need(language: str, labels: Sequence[str]) -> str:
    """What is still needed, by its labels in the customer's language."""
    if not labels:
        return _say(language, "need_more")
    return _say(language, "need", labels=joined(language, labels))


def found_facts(language: str) -> str:
    """Goes before facts that were looked up."""
    return _say(language, "facts")


def done(language: str) -> str:
    """Goes before what an action that succeeded returned."""
    return _say(language, "done")


def not_all(language: str) -> str:
    """Goes behind what was done where something else could not be."""
    return _say(language, "not_all")


def confirm(language: str, several: bool) -> str:
    """Goes before what waits for the customer's word: one thing, or several."""
    return _say(language, "confirm_all" if several else "confirm")


def answer(language: str) -> str:
    """Asks for yes or no, and says that nothing has been done."""
    return _say(language, "answer")


def partial(language: str) -> str:
    """There is more than is shown."""
    return _say(language, "partial")


def could_not_look(language: str) -> str:
    """The system could not be reached."""
    return _say(language, "could_not_look")


def enough_for_today(language: str) -> str:
    """What can be answered in a day has been answered."""
    return _say(language, "enough_for_today")


def paused(language: str) -> str:
    """Nothing is answered at present."""
    return _say(language, "paused")


def looking(language: str, title: str = "") -> str:
    """What is going on while a tool runs, from the words of its title; a general sentence where they are not known.
    Never more than that: no input of the call."""
    verb, thing = named(title)
    words = phrases(language)
    if own := words["verbs"].get(f"{verb} {thing}"):
        return own
    if verb and thing:
        sentence = words["verbs"][verb].format(**words["objects"][thing])
        return sentence[:1].upper() + sentence[1:]
    return words["working" if verb in ("book", "hold", "order", "cancel", "change", "send", "set") else "looking"]


def joined(language: str, parts: Sequence[str]) -> str:
    """The parts with the language's comma between them."""
    return phrases(language)["comma"].join(parts)


def phrases(language: str) -> dict[str, Any]:
    """All sentences and forms of a language, English for those outside the twelve."""
    code = language.split("-")[0].lower()
    return _read(code if code in _LANGUAGES else "en")


def _say(language: str, key: str, **values: object) -> str:
    return phrases(language)[key].format(**values)


@cache
def _read(code: str) -> dict[str, Any]:
    return json.loads((_DATA / f"{code}.json").read_text(encoding="utf-8"))
