"""The phrases of `words/`, made into one book for each script, when a text in it is first read."""

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import cast, get_args

from turnkey.asks.speaking import Topic
from turnkey.reading.lexicon import Hit, Phrasebook
from turnkey.reading.script import CLAUSE, QUESTION, WORD, fold, sentences, spelled

_LANGUAGES = {
    "latin": ("en", "de", "fr", "es", "pt", "it", "tr"),
    "umlauts": ("de",),
    "cyrillic": ("ru",),
    "arabic": ("ar",),
    "hangul": ("ko",),
    "han": ("zh", "ja"),
}
_SIGNS = {
    "latin": re.compile("[A-Za-zÀ-ɏＡ-ｚ]"),
    # German that is typed without umlauts: moechte, fuer.
    "umlauts": re.compile(
        r"(?i)^(?=[\s\S]*[b-df-hj-np-tv-z](?:ae|oe|ue))[\s\S]*\b(?:ich|mich|mir|sie|bitte|das|und|uns|du)\b"
    ),
    "cyrillic": re.compile("[\u0400-\u04ff]"),
    "arabic": re.compile("[\u0600-\u06ff]"),
    "hangul": re.compile("[\u1100-\u11ff\uac00-\ud7af]"),
    "han": re.compile("[\u3040-\u30ff\u4e00-\u9fff\uff66-\uff9f]"),
}
_CHARACTERS = ("han", "hangul")
_REACH, _REACH_IN_CHARACTERS = 5, 12
_MOST_TOKENS = 200
_NEGATED, _BARRED = "no_", "bar_"
TOGETHER: tuple[tuple[Topic, tuple[str, ...], bool], ...] = (
    ("reminder", ("reminding", "when"), False),
    ("follow_up", ("if_then", "tell_me"), True),
    ("follow_up", ("when", "check_it", "tell_me"), False),
    ("person", ("human", "talk"), False),
    ("document", ("put_it", "in_writing"), False),
)
"""Topics that several signs in one sentence make up, and whether in this order: "if you are late, tell me" waits for
something; "tell me if you are late" asks."""
_TOPICS: frozenset[str] = frozenset(get_args(Topic))
_LIST = re.compile(r"<(\w+)>")
_QUOTED = re.compile(
    r"“[^”]{1,200}”|\"[^\"\n]{1,200}\"|«[^»]{1,200}»|„[^“”]{1,200}[“”]|『[^』]{1,200}』|《[^》]{1,200}》"
)
_WORDS = re.compile(r"[^\W_]+")


def found(text: str) -> frozenset[Topic]:
    """What the text speaks of, by the words of all languages in whose scripts it is. What it quotes are others' words,
    or a title."""
    text = _QUOTED.sub(" ", text)
    return frozenset(
        topic
        for script, signs in _SIGNS.items()
        if signs.search(text)
        for sentence in sentences(text, _spelling(script))
        for topic in _read(_book(script).find(sentence.tokens[:_MOST_TOKENS]))
    )


def _read(hits: set[Hit]) -> Iterator[Topic]:
    """The topics of a sentence, those too that two signs in it make up together."""
    labels = {hit.label for hit in hits}
    for label in labels & _TOPICS:
        yield cast("Topic", label)
    for topic, signs, in_order in TOGETHER:
        made = labels.issuperset(signs) and labels.isdisjoint((f"{_BARRED}{topic}", "reminders_kept"))
        if made and (not in_order or _follows(hits, *signs)):
            yield topic


def _follows(hits: set[Hit], first: str, second: str) -> bool:
    begins = min(hit.start for hit in hits if hit.label == first)
    return any(hit.start > begins for hit in hits if hit.label == second)


@cache
def phrases(language: str) -> dict[str, list[str]]:
    """A language's phrases by topic, folded; their form is that of turnkey.reading.lexicon.phrasebook, and `<x>` stands
    for the choices of the list x."""
    path = Path(__file__).parent / "words" / f"{language}.json"
    data = json.loads(fold(path.read_text(encoding="utf-8")))
    lists: dict[str, str] = data.pop("lists", {})
    return {topic: [_LIST.sub(lambda name: lists[name[1]], form) for form in forms] for topic, forms in data.items()}


@cache
def _book(script: str) -> Phrasebook:
    single = script in _CHARACTERS
    book = Phrasebook(
        _characters if single else cache(partial(_cut, language=_spelling(script))),
        frozenset(),
        _REACH_IN_CHARACTERS if single else _REACH,
        frozenset({WORD if single else CLAUSE, QUESTION}),
    )
    barring = {f"{_NEGATED}{topic}": f"{_BARRED}{topic}" for topic, *_ in TOGETHER}
    for label, forms in _all(script):
        book.add(label, forms, barring.get(label, ""))
    return book


def _all(script: str) -> Iterator[tuple[str, list[str]]]:
    for language in _LANGUAGES[script]:
        yield from phrases(language).items()


def _spelling(script: str) -> str:
    """The language by whose spelling words in the script are cut, in texts and phrases alike."""
    return {"umlauts": "de", "arabic": "ar"}.get(script, "en")


def _cut(word: str, language: str) -> tuple[str, ...]:
    return tuple(part for piece in _WORDS.findall(word) for part in spelled(piece, language))


def _characters(word: str) -> Iterable[str]:
    return (word,) if word.isascii() else word
