"""A text as its writer's own words: without quotations, addresses, ids and code, and with titles told apart."""

import re
import unicodedata
from functools import cached_property
from typing import NamedTuple

from turnkey.detection import lexicon

LONGEST = 4000
"""Characters looked at. A language shows long before that."""

# Each begins where nothing of its own kind stands before it: so a long run is looked at once.
_NOT_PROSE = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`"  # code
    r"|https?://\S+|www\.\S+"
    r"|(?<![A-Za-z0-9_.+-])[A-Za-z0-9_.+-]+@[A-Za-z0-9-]+\.[A-Za-z0-9.-]+"
    r"|(?<!\w)[@#/][A-Za-z]\w*"  # handles, tags, commands
    r"|<[^<>\n]{1,200}>"
    r"|(?<![A-Za-z0-9.-])[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.(?:com|org|net|de|fr|es|it|pt|ru|cn|jp|kr|tr|io|eu|pdf|csv)\b"
    r"|(?<![A-Za-z0-9_./:+-])[A-Za-z0-9_./:+-]*\d[A-Za-z0-9_./:+-]*"  # ids, numbers, sizes, times
    r"|\b[A-Za-z]+(?:_[A-Za-z]+)+\b|\b[a-z]+[A-Z]\w*",  # snake_case, camelCase
    re.DOTALL,
)
_QUOTES = ("“”", "„“", "„”", "«»", "»«", "‹›", "「」", "『』", "《》", "〈〉", "【】", '""')
_PAIRS = "|".join(rf"{opening}[^{opening}{closing}\n]{{1,200}}{closing}" for opening, closing in _QUOTES)
# An apostrophe within a word quotes nothing.
_QUOTED = re.compile(_PAIRS + r"|(?<!\w)['‘](?=\S)[^\n]{1,200}?(?<=\S)['’](?!\w)")
_GAP = " ; "
"""Stands where something was taken out."""
_EMPHASISED = re.compile(r"(\*{1,3}|_{1,3})(?=\S)[^*_\n]{1,100}?(?<=\S)\1")
_VOWEL_SIGNS = "\u0300-\u036f\u064b-\u065f\u0900-\u0dff\u0e31-\u0e4e"
_WORD = re.compile(rf"[^\W\d_]+(?:[{_VOWEL_SIGNS}]+[^\W\d_]*)*(?:['\u200c][^\W\d_]+)*")
_WITHIN_SENTENCE = re.compile(r"\w[,，、]\s?\w|\w\s?(?:\.{2,}|[!！…。~]+)|[\U0001f300-\U0001faff]")
_SENTENCE_START = re.compile(r"(?:^|[.!?…:。！？\n])[\s\"“„«¿¡(*-]*$")


class Word(NamedTuple):
    """`text` as written; `titled` where it stands in a run of capitalised words that look like a title or a name."""

    text: str
    titled: bool


class Prose:
    """At most LONGEST characters of a text. Without `emphasis`, what Markdown emphasises counts as a title."""

    def __init__(self, text: str, *, emphasis: bool = True) -> None:
        whole = unicodedata.normalize("NFC", text[:LONGEST]).replace("’", "'")
        whole = whole if emphasis else _EMPHASISED.sub(_GAP, whole)
        self.text = _QUOTED.sub(_GAP, _NOT_PROSE.sub(_GAP, whole))
        letters = [character for character in self.text if character.isalpha()]
        if sum(map(str.isupper, letters)) > 0.8 * len(letters) and len(letters) > 6:
            # Shouted: capitals tell nothing.
            self.text = self.text.lower()

    @cached_property
    def words(self) -> tuple[Word, ...]:
        found = list(_WORD.finditer(self.text))
        titled = self._titled(found)
        return tuple(Word(match.group(), number in titled) for number, match in enumerate(found))

    @property
    def own(self) -> list[str]:
        """The words outside titles."""
        return [word.text for word in self.words if not word.titled]

    @property
    def names_something(self) -> bool:
        """Whether a title, a quotation or an id stands beside the words."""
        return _GAP in self.text or any(word.titled for word in self.words)

    @property
    def reads_on(self) -> bool:
        """Whether it has marks that sentences have and titles have not, or begins small where there are capitals."""
        if _WITHIN_SENTENCE.search(self.text) or (self.names_something and self.own):
            return True
        first = self.words[0].text[0] if self.words else ""
        return "\u0370" <= first < "\u0530" and first.islower()

    def _titled(self, found: list[re.Match[str]]) -> set[int]:
        words = [match.group() for match in found]
        if _is_bare_title(words):
            return set(range(len(words)))
        titled: set[int] = set()
        number = 0
        while number < len(found):
            if self._starts_sentence(found[number]) and lexicon.kind(words[number]) != "glue":
                # Its capital tells nothing.
                number += 1
                continue
            run = self._run(found, number)
            if sum(words[place][0].isupper() for place in run) > 1:
                titled.update(run)
            number += max(1, len(run))
        return titled

    def _run(self, found: list[re.Match[str]], start: int) -> list[int]:
        """Numbers of the words from `start` to the last capital one that only joining words part from it."""
        end = start
        for number in range(start, min(len(found), start + 15)):
            word = found[number].group()
            if number > start and not self._joined(found[number - 1], found[number]):
                break
            if word[0].isupper():
                if lexicon.kind(word) == "frame":
                    break
                end = number + 1
            elif lexicon.kind(word) != "glue":
                break
        return list(range(start, end)) if found[start].group()[0].isupper() else []

    def _joined(self, one: re.Match[str], other: re.Match[str]) -> bool:
        return set(self.text[one.end() : other.start()]) <= set(" \t&'-–:")

    def _starts_sentence(self, match: re.Match[str]) -> bool:
        return bool(_SENTENCE_START.search(self.text[max(0, match.start() - 12) : match.start()]))


def _is_bare_title(words: list[str]) -> bool:
    """Nothing but capital words and what joins them. An everyday first word begins a sentence: Compare A and B."""
    if len(words) < 2 or not words[0][0].isupper() or lexicon.kind(words[0]) == "daily":
        return False
    return all(_is_named(word) for word in words)


def _is_named(word: str) -> bool:
    kind = lexicon.kind(word)
    return kind != "frame" and (word[0].isupper() or kind == "glue")
