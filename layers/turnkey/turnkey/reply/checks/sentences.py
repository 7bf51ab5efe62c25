"""A reply taken apart into sentences and clauses. A claim, its negation and its condition share a clause or they do
not; so the parts matter more than the words."""

import re
from functools import cached_property
from typing import NamedTuple

from turnkey.reply.checks.folding import fold

_END = re.compile(r"(?<![.!?…])[.!?…]{1,20}[\"”»'’)*_]{0,9}(?=\s)|[。！？｡؟]{1,20}[」』）\"”]{0,9}|\n+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:dr|mr|mrs|ms|prof|st|nr|no|tel|ca|bzw|str|sr|sra|srta|dra|etc|vs|approx|incl|ext|min|max|art|vgl|inkl|"
    r"zzgl|núm|tél|av|bkz|sn|г|ул|им|д|тел|стр|руб|тыс|dott|sig|ing|z\. ?b|d\. ?h|u\. ?a|e\.g|i\.e|т\. ?д|т\. ?е)"
    r"|(?<!\w)\w)\.$",
    re.IGNORECASE,
)
_DAY = re.compile(r"(?<![\d.,:])\d{1,2}\.$")
# Behind these a full stop after a number makes it an ordinal.
_ORDINAL_NEXT = re.compile(r"\s(?:[a-zäöüA-ZÄÖÜ]\w{2,8}\b)")
_CLAUSE = re.compile(r"[,;:](?!\d)|(?<!\d)[,;:]|[、，；：،؛()（）]|\s-\s|[!?！？؟](?=.)")
# Questions that need no mark: Japanese, Korean and Chinese end them with a word of their own.
_ASKING = re.compile(
    r"(?:でしょうか|ましょうか|ますか|ですか|ませんか|たか|까요|나요|가요|습니까|吗|呢|嗎)[。.!！」』”\"]{0,3}$"
)
_QUESTION = re.compile(r"[?？؟][\"”»」』）)*_\s!]{0,9}$")


class Clause(NamedTuple):
    """Folded text between marks; `question` where it is what the sentence asks."""

    text: str
    question: bool


class Sentence:
    """One sentence, or one line of a list. `text` is as written, `folded` is what rules compare."""

    def __init__(self, text: str) -> None:
        self.text = text.strip()

    @cached_property
    def folded(self) -> str:
        return fold(self.text).strip()

    @property
    def is_question(self) -> bool:
        return bool(_QUESTION.search(self.text) or _ASKING.search(self.text))

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        parts = [part for part in (part.strip() for part in _CLAUSE.split(self.folded)) if part.strip("?!. ")]
        last = len(parts) - 1
        return tuple(Clause(part, self.is_question and number == last) for number, part in enumerate(parts))


def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences in order; lines end sentences."""
    cut: list[Sentence] = []
    start = 0
    for end in _END.finditer(text):
        if _goes_on(text, start, end):
            continue
        cut.append(Sentence(text[start : end.end()]))
        start = end.end()
    cut.append(Sentence(text[start:]))
    return tuple(sentence for sentence in cut if sentence.text)


def _goes_on(text: str, start: int, end: re.Match[str]) -> bool:
    """Whether the full stop belongs to an abbreviation or a day of the month."""
    if end.group() != ".":
        return False
    before = text[max(start, end.start() - 12) : end.end()]
    if _ABBREVIATION.search(before):
        return True
    return bool(_DAY.search(before) and _ORDINAL_NEXT.match(text, end.end()))
