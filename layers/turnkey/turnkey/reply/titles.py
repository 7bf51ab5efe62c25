"""What a tool's title says that it does, in whichever of the twelve languages it is written: a verb and a thing."""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_DATA = Path(__file__).parent / "data" / "titles.json"
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
# What is done with a thing where the title has no verb; anything else is checked.
_FROM_THING = {"order": "order", "booking": "book", "appointment": "book", "reminder": "set", "chart": "draw"}
# A booking is made by booking; and no table is put aside like a book.
_FOR_THING = {
    ("set", "booking"): "book",
    ("set", "appointment"): "book",
    ("set", "slot"): "book",
    ("set", "order"): "order",
    ("hold", "table"): "book",
    ("hold", "room"): "book",
    ("hold", "slot"): "book",
    ("hold", "appointment"): "book",
    ("hold", "ticket"): "book",
}


def named(title: str) -> tuple[str, str]:
    """(verb, thing) as ../data/phrases names them, each empty where the title has no word that is known."""
    words = [word.lower() for word in _WORD.findall(_CAMEL.sub(" ", title).replace("_", " "))]
    verbs = [(place, verb) for place, word in enumerate(words) if (verb := _meaning(word, "verbs"))]
    # A word that is also a thing (book, order, 予約) is the verb only where there is no other.
    verbs.sort(key=lambda found: bool(_meaning(words[found[0]], "objects")))
    at, verb = verbs[0] if verbs else (-1, "")
    thing = _thing(words, at)
    verb = _FOR_THING.get((verb, thing), verb)
    return verb or (_FROM_THING.get(thing, "check") if thing else ""), thing


def _thing(words: list[str], verb_at: int) -> str:
    """The first thing beside the verb; in a script without blanks also one written together with it."""
    beside = [word for place, word in enumerate(words) if place != verb_at or _UNSPACED.search(word)]
    return next((thing for word in beside if (thing := _meaning(word, "objects"))), "")


def _meaning(word: str, kind: str) -> str:
    """What a word is known to mean; a script without blanks is searched inside."""
    known = _known()[kind]
    if word in known:
        return known[word]
    if _UNSPACED.search(word):
        inside = [one for one in known if _UNSPACED.search(one) and one in word]
        # Within one word too, what is only a verb goes before what is also a thing: 予約検索 searches.
        inside.sort(key=lambda one: (kind == "verbs" and one in _known()["objects"], -len(one)))
        return known[inside[0]] if inside else ""
    # The article is written with its word in Arabic.
    return known.get(word.removeprefix("ال"), "") if word.startswith("ال") else ""


@cache
def _known() -> Mapping[str, Mapping[str, str]]:
    """word -> what it means, for verbs and for things; the first meaning given counts."""
    data: dict[str, dict[str, str]] = json.loads(_DATA.read_text(encoding="utf-8"))
    return {
        kind: {word: meant for meant, words in reversed(meanings.items()) for word in reversed(words.split())}
        for kind, meanings in data.items()
    }
