"""The words of a language, from ../data/words: patterns in a small notation, made ready to be looked for.

In the notation a blank is any white space, ` ~ ` a gap within the clause that may be empty, `*` behind a letter and
`@` the rest of a word, `^` and `$` the ends of the clause; `|`, `( )`, `?` are what they are in regular expressions;
`{name}` is one of the file's `parts` or a slot: a class of verbs such as {done} or {look}. Slots are found first, then
what must stand around them, so each verb is written once. Accents matter, case does not.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

from turnkey.reply.checks.folding import fold

LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "ru", "zh", "ja", "ko", "ar", "tr")
_DATA = Path(__file__).parent.parent / "data"
_UNSPACED = ("zh", "ja", "ko")
_SLOTS = ("done", "did", "do", "doing", "looked", "look", "looking", "n")
_SLOT = re.compile(r"\{(" + "|".join(_SLOTS) + r")\}")
_PART = re.compile(r"\{([a-z]+)\}")
_COUNT = r"\d+(?:[.,]\d+)*"
_NOWHERE = "(?!)"
_REACH = 160
"""Characters in front of a verb in which its subject is looked for: keeps the search linear."""
# Written as one word with what follows in Arabic: and, so; in front of a noun also by, for, as, and the article.
_LEADS = {"pattern": "[وف]?", "slot": "[وفبلك]{0,2}(?:ال)?"}


class Hit(NamedTuple):
    """Where a pattern matches a clause; `concept` is the slot's own, such as book or cancel."""

    start: int
    end: int
    concept: str


class _Frame(NamedTuple):
    """What must stand before and behind a slot."""

    before: re.Pattern[str]
    after: re.Pattern[str]


class Wording:
    """One language's patterns."""

    def __init__(self, language: str, data: Mapping[str, Any]) -> None:
        self.language = language
        self._spaced = language not in _UNSPACED
        self._data = data
        self._parts: dict[str, str] = {name: fold(part) for name, part in data.get("parts", {}).items()}
        self._plain: dict[str, re.Pattern[str] | None] = {}
        self._frames: dict[str, dict[str, list[_Frame]]] = {}
        self._slots: dict[str, re.Pattern[str]] = {}

    @property
    def function_words(self) -> frozenset[str]:
        return frozenset(fold(self._data.get("function_words", "")).split())

    def says(self, key: str, text: str) -> bool:
        """Whether a pattern of `key` stands in the folded `text`."""
        return next(self.hits(key, text), None) is not None

    def hits(self, key: str, text: str) -> Iterator[Hit]:
        """Where patterns of `key` stand: those without a slot first."""
        if key not in self._plain:
            self._ready(key)
        if (pattern := self._plain[key]) is not None:
            for found in pattern.finditer(text):
                yield Hit(found.start(), found.end(), "")
        for slot, frames in self._frames[key].items():
            yield from self._framed(slot, frames, text)

    def concepts(self, slot: str, text: str) -> set[str]:
        """The concepts whose words, in the forms of `slot`, stand anywhere in the folded `text`."""
        return {found.lastgroup or "" for found in self._slot(slot).finditer(text)}

    def _framed(self, slot: str, frames: list[_Frame], text: str) -> Iterator[Hit]:
        for found in self._slot(slot).finditer(text):
            for frame in frames:
                before = frame.before.search(text, max(0, found.start() - _REACH), found.start())
                after = frame.after.match(text, found.end()) if before else None
                if before and after:
                    yield Hit(before.start(), after.end(), found.lastgroup or "")
                    break

    def _ready(self, key: str) -> None:
        plain: list[str] = []
        frames: dict[str, list[_Frame]] = {}
        for written in cast(Iterable[str], self._data.get(key, ())):
            around = _SLOT.split(self._with_parts(fold(written).strip()))
            if len(around) == 1:
                plain.append(self._bounded(around[0]))
            else:
                before, slot, after = around
                frames.setdefault(slot, []).append(self._frame(before, after))
        self._plain[key] = re.compile("|".join(plain)) if plain else None
        self._frames[key] = frames

    def _with_parts(self, written: str) -> str:
        for _ in range(3):
            written = _PART.sub(
                lambda found: f"({self._parts[found[1]]})" if found[1] in self._parts else found[0], written
            )
        return written

    def _frame(self, before: str, after: str) -> _Frame:
        opened, closed = (r"(?<!\w)", r"(?!\w)") if self._spaced else ("", "")
        before, after = self._regex(before), self._regex(after)
        return _Frame(
            re.compile(f"{opened if before and not before.startswith('^') else ''}(?:{before})$"),
            re.compile(f"(?:{after}){closed if after and not after.endswith('$') else ''}"),
        )

    def _bounded(self, written: str, kind: str = "pattern") -> str:
        regex = self._regex(written)
        if not self._spaced:
            return f"(?:{regex})"
        lead = _LEADS[kind] if self.language == "ar" else ""
        return rf"(?<!\w){lead}(?:{regex})(?!\w)"

    def _slot(self, slot: str) -> re.Pattern[str]:
        if slot not in self._slots:
            if slot == "n":
                self._slots[slot] = re.compile(
                    rf"(?<!\w)(?<!\d[.,])(?P<n>{_COUNT})(?!\w)" if self._spaced else f"(?P<n>{_COUNT})"
                )
            else:
                self._slots[slot] = re.compile("|".join(self._named(slot)) or _NOWHERE)
        return self._slots[slot]

    def _named(self, slot: str) -> Iterator[str]:
        """The words of a slot by concept, each a named group."""
        for concept, forms in self._data["verbs"].items():
            if slot in forms:
                words = self._bounded(self._with_parts(fold(forms[slot])), "slot")
                yield f"(?P<{concept}>{words})"

    def _regex(self, written: str) -> str:
        gap, tight = (r"\\s(?:.{0,80}?\\s)??", r".{0,60}?") if self._spaced else (r".{0,30}?", r".{0,30}?")
        regex = re.sub(r"\((?!\?)", "(?:", written)
        regex = re.sub(r"(?<=\w)\*|@", r"\\w*", regex)
        regex = re.sub(" ~ ", gap, regex).replace("~", tight)
        return regex.replace(" ", r"\s+" if self._spaced else r"\s*")


@cache
def wording(language: str) -> Wording:
    """The wording of one of the twelve. Raises FileNotFoundError for any other."""
    return Wording(language, json.loads((_DATA / "words" / f"{language}.json").read_text(encoding="utf-8")))
