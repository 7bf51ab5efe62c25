"""What the platform itself tells a customer of what it keeps of them, in twelve languages; English for any other."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from turnkey.contacts.fields import COMMON
from turnkey.contacts.note import Note
from turnkey.reply import phrases
from turnkey.reply.labels import label

_DATA = Path(__file__).parent / "data" / "notes.json"


def told(notes: Sequence[Note], language: str, own: str | Mapping[str, str]) -> str:
    """What goes behind a turn's reply, or nothing. `own` is the tenant's text, or its texts by language: it stands for
    the platform's first sentence; how to have it erased is always told."""
    kept = tuple(dict.fromkeys(field for note in notes for field in note.kept))
    refused = [field for note in notes for field in note.refused if field not in kept]
    parts: list[str] = []
    if any(note.contact for note in notes):
        parts += [of_language(own, language) or _say(language, "kept", kept), erasing(language)]
    if kept and refused:
        # A reply cannot be held against half of a call: what was not done is said here.
        parts.append(_say(language, "not_kept", tuple(dict.fromkeys(refused))))
    return _sentences(language)["blank"].join(parts)


def erasing(language: str) -> str:
    """How everything that is kept can be erased."""
    return _sentences(language)["erase"]


def of_language(own: str | Mapping[str, str], language: str) -> str:
    """The tenant's own text for a language tag, or nothing."""
    if isinstance(own, str):
        return own
    return own.get(language) or own.get(language.split("-")[0].lower()) or ""


def _say(language: str, key: str, fields: Sequence[str]) -> str:
    return _sentences(language)[key].format(things=phrases.joined(language, [_named(one, language) for one in fields]))


def _named(field: str, language: str) -> str:
    return _sentences(language)[field] if field in COMMON else label(field, language)


def _sentences(language: str) -> dict[str, str]:
    return _all().get(language.split("-")[0].lower()) or _all()["en"]


@cache
def _all() -> dict[str, dict[str, str]]:
    return json.loads(_DATA.read_text(encoding="utf-8"))
