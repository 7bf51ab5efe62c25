"""Tokens of twelve languages: one spelling is left of each word, and every sentence is cut into words or characters.

Chinese, Japanese and Korean are cut into single characters: a phrase of theirs is then found wherever it stands, with
or without spaces around it.
"""

import json
import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import NamedTuple

CLAUSE, WORD, QUESTION, END = "^", "_", "?", "$"
"""Marks among the tokens: a clause begins, a word of single characters begins, a question ends, a sentence ends."""
MARKS = frozenset({CLAUSE, WORD, QUESTION, END})
ID = "@"
"""Stands for any id."""

_CJK = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_ONE_FORM = str.maketrans("ıىیکة’٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹", "iييكه'01234567890123456789")
_ARTICLES = ("بال", "كال", "فال", "لل", "ال")
_WHOLE = frozenset({"اللي", "الي", "التي", "الذي", "الا"})


class Patterns(NamedTuple):
    dropped: re.Pattern[str]
    han: re.Pattern[str]
    character: re.Pattern[str]
    written: re.Pattern[str]
    token: re.Pattern[str]
    id: re.Pattern[str]
    no_id: re.Pattern[str]
    short: re.Pattern[str]
    umlaut: re.Pattern[str]


@cache
def patterns() -> Patterns:
    """Compiled when first needed: a cold start should not pay for it."""
    dashed = r"(?<![a-z\d-])[a-zа-я\d]+(?:-[a-zа-я\d]+)*(?![a-zà-ɏа-я\d-])"
    return Patterns(
        # Accents, Arabic vowel signs and the hamza that decomposition sets apart, joiners; kana's voicing marks stay.
        dropped=re.compile("[\u0300-\u036f\u0610-\u061a\u0640\u064b-\u0655\u0670\u200b-\u200f]"),
        han=re.compile("[\u4e00-\u9fff]"),
        character=re.compile(f"[{_CJK}]"),
        written=re.compile(dashed, re.IGNORECASE),
        token=re.compile(
            rf"(?P<dashed>{dashed})|(?P<cjk>[{_CJK}])|(?P<word>[^\W_{_CJK}]+)"
            r"|(?P<end>[.!?…。！？؟؛;\n]+)|(?P<clause>[,:()¿¡،、—–\"]| - )"
        ),
        id=re.compile(
            r"[a-z]{1,4}\d{2,}[a-z\d]*(?:-[a-z\d]+)*"  # B002, ORD2024-1
            r"|[а-я]{1,3}(?:\d{3,}|-\d+)"
            r"|[a-z]{1,6}(?:-[a-z\d]+)*-\d[a-z\d]*(?:-[a-z\d]+)*"  # A-17, INV-2024-9
            r"|\d+[a-z]+[a-z\d]*(?:-[a-z\d]+)*-[a-z]*\d[a-z\d]*"  # 3f2a-99b1
            r"|\d+-[a-z]{1,2}\d*"  # 17-A
        ),
        no_id=re.compile(r"(?:covid|sars|top|mid|pre|post|type|level|ab|ps)-.*|\d+-(?:e|er|th|st|nd|rd|h|k|h\d+)"),
        short=re.compile(r"\b(?:dr|mr|mrs|ms|st|no|nr|sr|sra|dra|prof|hr|fr|bd|vol|ca|tel|[a-z]|[а-я]|\d{1,2})$"),
        umlaut=re.compile("(?<=[aou])e(?!u)"),
    )


class Sentence(NamedTuple):
    """`tokens` with their marks; `question` where a question mark closes it."""

    tokens: tuple[str, ...]
    question: bool


def fold(text: str) -> str:
    """Lower case without accents and compatibility forms, one form of each letter and digit; Han simplified."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    folded = unicodedata.normalize("NFC", patterns().dropped.sub("", apart)).translate(_ONE_FORM)
    return folded.translate(_simplified()) if patterns().han.search(folded) else folded


def ids(text: str) -> tuple[str, ...]:
    """What is written like an id, as it stands in the text: B002, A-17, ORD-2024-88. No 3pm, 10-year-old or B2."""
    plain = unicodedata.normalize("NFKC", text)
    return tuple(word for word in patterns().written.findall(plain) if is_id(word.lower()))


def is_id(word: str) -> bool:
    """Whether a folded word has the form of an id."""
    return bool(patterns().id.fullmatch(word)) and not patterns().no_id.fullmatch(word)


def sentences(text: str, language: str) -> tuple[Sentence, ...]:
    """The text's sentences in the spelling of `language` (see `spelled`). Empty ones are left out."""
    found: list[Sentence] = []
    tokens: list[str] = [CLAUSE]
    edge = -1
    folded = fold(text)
    for match in patterns().token.finditer(folded):
        kind, piece = match.lastgroup, match.group()
        if kind == "end" and not _abbreviates(folded, match):
            found.append(_closed(tokens, "?" in piece or "؟" in piece))
            tokens = [CLAUSE]
        elif kind in ("end", "clause"):
            tokens.append(CLAUSE)
        else:
            if kind == "cjk" and match.start() != edge:
                tokens.append(WORD)
            tokens += _pieces(piece, language)
        edge = match.end()
    found.append(_closed(tokens, question=False))
    return tuple(sentence for sentence in found if not MARKS.issuperset(sentence.tokens))


def tokens(text: str, language: str) -> tuple[str, ...]:
    """All tokens of the text, without marks."""
    return tuple(token for sentence in sentences(text, language) for token in sentence.tokens if token not in MARKS)


def is_character(token: str) -> bool:
    """Whether the token is one character of a script that is cut so."""
    return len(token) == 1 and bool(patterns().character.match(token))


def spelled(word: str, language: str) -> tuple[str, ...]:
    """A folded word as the lexicon of `language` spells it: German oe as o, Arabic without article, its "and" apart."""
    if language == "de":
        return (patterns().umlaut.sub("", word),)
    if language == "ar":
        return _arabic(word)
    return (word,)


def _arabic(word: str) -> tuple[str, ...]:
    joined = word[0] == "و" and (len(word) > 3 or word[1:].isdigit())
    conjunction = word[:1] if joined else ""
    rest = word[len(conjunction) :]
    articles = (article for article in _ARTICLES if rest.startswith(article) and len(rest) > len(article) + 1)
    bare = rest if rest in _WHOLE else rest[len(next(articles, "")) :]
    return (conjunction, bare) if conjunction else (bare,)


def _pieces(piece: str, language: str) -> tuple[str, ...]:
    if is_id(piece):
        return (ID,)
    return tuple(part for word in piece.split("-") for part in spelled(word, language))


def _closed(tokens: list[str], question: bool) -> Sentence:
    return Sentence((*tokens, QUESTION, END) if question else (*tokens, END), question)


def _abbreviates(text: str, end: re.Match[str]) -> bool:
    """Whether a full stop belongs to what is around it: 10.30, Dr. Lee, z.B."""
    if end.group() != ".":
        return False
    after = text[end.end() : end.end() + 1]
    return bool(after.strip()) or bool(patterns().short.search(text, max(0, end.start() - 4), end.start()) and after)


@cache
def _simplified() -> dict[int, int]:
    pairs = json.loads((Path(__file__).parent / "lexicon" / "han.json").read_text(encoding="utf-8"))
    return str.maketrans(pairs["traditional"], pairs["simplified"])
