"""The customer's explicit wish for a language: "auf Deutsch bitte", "puedes responder en inglés".

Nothing but words of asking may stand beside the language's name: a verb of answering or speaking, courtesy, fillers
(reply/wishes.json, all languages in one pot). So "do you have this in English?" is no wish: its verb is about goods.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from turnkey.detection.lexicon import fold
from turnkey.detection.scripts import EAST, script

LONGEST = 2000
"""Characters looked at."""

_PIECE = re.compile(r"[^\W\d_]+(?:[\u0900-\u0dff]+[^\W\d_]*)*(?:'[^\W\d_]+)*|\d+|\S")
_HANGUL_BLANK = re.compile(r"(?<=[가-힣]) +(?=[가-힣])")
_MARKS = frozenset(".,;:!?…\n、。，！？؟،；–—()*")
_UNKNOWN = "unknown"
_JOINED_SCRIPTS = (EAST, "HANGUL")


class Token(NamedTuple):
    """`kind`: name, verbs, polite, with, idle, negations, conjunctions, mark, unknown. `code`: a name's language."""

    kind: str
    text: str
    code: str = ""


def wish(text: str) -> str:
    """The language code the text wishes the reply to be in; empty where it wishes none. The last wish counts."""
    tokens = list(_tokens(unicodedata.normalize("NFC", text[:LONGEST]).replace("’", "'")))
    clauses = list(_clauses(tokens))
    wished = [code for clause in clauses if (code := _asked(clause))]
    return wished[-1] if wished else _bare(tokens, clauses)


def _asked(clause: list[Token]) -> str:
    """The language of a clause that asks to be answered in it."""
    clause = _without_denied_name(clause)
    for part in (clause, _courteous(clause, from_start=True), _courteous(clause, from_start=False)):
        kinds = {token.kind for token in part}
        if "verbs" in kinds and "name" in kinds and not kinds & {_UNKNOWN, "negations"}:
            return _code(part)
    return ""


def _courteous(clause: list[Token], *, from_start: bool) -> list[Token]:
    """The known words at one end of a clause that runs on: at its start they must be polite, at its end begin so."""
    known: list[Token] = []
    for token in clause if from_start else reversed(clause):
        if token.kind == _UNKNOWN:
            break
        known.append(token)
    if from_start:
        return known if any(token.kind == "polite" for token in known) else []
    known.reverse()
    return known if known and known[0].kind == "polite" else []


def _bare(tokens: list[Token], clauses: list[list[Token]]) -> str:
    """The language of a message that is nothing but its name and courtesy: in italiano, grazie. Two names are rather a
    dictionary's, or an order."""
    kinds = {token.kind for token in tokens}
    if not {"name", "polite"} <= kinds or _UNKNOWN in kinds:
        return ""
    meant = [part for part in map(_without_denied_name, clauses) if _names_one(part)]
    codes = {token.code for clause in meant for token in clause if token.kind == "name"}
    return _code(meant[-1]) if len(codes) == 1 else ""


def _names_one(clause: list[Token]) -> bool:
    kinds = {token.kind for token in clause}
    return "name" in kinds and "negations" not in kinds


def _without_denied_name(clause: list[Token]) -> list[Token]:
    """ "answer in English, not in German": a denied name goes, with what denies it."""
    for place, token in enumerate(clause):
        after = place + 1
        while after < len(clause) and clause[after].kind == "with":
            after += 1
        if token.kind == "negations" and place and after < len(clause) and clause[after].kind == "name":
            before = any(one.kind == "name" for one in clause[:place])
            return [*clause[:place], *clause[after + 1 :]] if before else clause
    return clause


def _code(clause: list[Token]) -> str:
    code = next(token.code for token in reversed(clause) if token.kind == "name")
    traditional = any(token.text[:1] in "繁" or token.text == "traditional" for token in clause)
    return "zh-Hant" if code == "zh" and traditional else code


def _clauses(tokens: list[Token]) -> Iterator[list[Token]]:
    clause: list[Token] = []
    for token in [*tokens, Token("mark", ".")]:
        if token.kind in ("mark", "conjunctions"):
            if clause:
                yield clause
            clause = []
        else:
            clause.append(token)


def _tokens(text: str) -> Iterator[Token]:
    # Where Korean puts blanks varies from writer to writer.
    for found in _PIECE.finditer(_HANGUL_BLANK.sub("", text.replace("\n", " . "))):
        piece = found.group()
        if piece in _MARKS:
            yield Token("mark", piece)
        elif script(piece[0]) in _JOINED_SCRIPTS:
            yield from _joined(piece)
        elif piece[0].isalpha():
            yield from _spaced(piece)
        elif piece.isdigit():
            yield Token(_UNKNOWN, piece)


def _spaced(piece: str) -> Iterator[Token]:
    whole = _look_up(piece)
    if whole.kind != _UNKNOWN or "'" not in piece:
        yield whole
    else:
        yield from (Token("idle", part) if len(part) == 1 else _look_up(part) for part in piece.split("'"))


def _look_up(word: str) -> Token:
    """A word as it is, without Arabic's prefixes, or by the beginning that the list marks with an asterisk."""
    vocabulary = _vocabulary()
    form = fold(word)
    for candidate in (form, form.removeprefix("و"), form.removeprefix("ب"), form.removeprefix("ل")):
        if candidate in vocabulary:
            return vocabulary[candidate]._replace(text=form)
    for size in range(len(form), 1, -1):
        if f"{form[:size]}*" in vocabulary:
            return vocabulary[f"{form[:size]}*"]._replace(text=form)
    return Token(_UNKNOWN, form)


def _joined(piece: str) -> Iterator[Token]:
    """The longest known words from left to right; one unknown character where none begins."""
    place = 0
    while place < len(piece):
        for size in range(min(14, len(piece) - place), 0, -1):
            found = _vocabulary().get(piece[place : place + size])
            if found:
                yield found
                break
        else:
            size = 1
            yield Token(_UNKNOWN, piece[place])
        place += size


@cache
def _vocabulary() -> Mapping[str, Token]:
    """Folded word -> what it is. Where lists share a word, the first of them has it."""
    data = json.loads(Path(__file__).with_name("wishes.json").read_text(encoding="utf-8"))
    known: dict[str, Token] = {}
    for code, forms in data["names"].items():
        for form in forms.split():
            known.setdefault(fold(form), Token("name", form, code))
    for lists in (data["words"], data["joined"]):
        for kind in ("verbs", "negations", "polite", "with", "idle", "conjunctions"):
            for form in lists[kind].split():
                known.setdefault(fold(form), Token(kind, form))
    return known
