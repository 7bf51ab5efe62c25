"""Values that are written as they are or not at all: ids, numbers of orders, addresses, phones, ISBNs."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

from turnkey.reply.checks.spans import blanked
from turnkey.reply.checks.vocabulary import Vocabulary

_URL = re.compile(
    r"(?:https?://|www\.)[^\s<>()\"'，。、）]+|(?<![\w@.-])(?:[a-z0-9-]{1,63}\.){1,5}(?:com|org|net|info|shop|app|io|eu|de|fr|es|pt|it|ru|cn|jp|kr|tr|sa|ae|eg|co|uk|us|at|ch|br|mx|ar|example)(?:/[^\s<>()\"'，。、）]*)?(?![\w-])"
)
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
_ISBN = re.compile(
    r"(?:isbn(?:-1[03])?:? ?)?(?<!\d)(?:97[89][- ]?)(?:\d[- ]?){9}[\dx](?!\d)"
    r"|isbn(?:-1[03])?:? ?(?:\d[- ]?){9,12}[\dx](?!\d)"
)
_PHONE = re.compile(r"(?<![a-z0-9_-])(?<!\d[.,])(?:\+\d|\(?\d)[\d ()./-]{5,18}\d(?![a-z0-9-]|[.,]\d)")
_ID = re.compile(
    r"(?<![a-z0-9@._/-])(?=[a-z0-9_/-]{0,40}[a-z])(?=[a-z0-9_/-]{0,40}\d)[a-z0-9]{1,40}(?:[-_/][a-z0-9]{1,40}){0,6}(?![a-z0-9@])"
)
# 10am, 5kg, 3d, 2nd, 24-hour, 20-page; and mp3, a4, co2: no ids.
_NO_ID = re.compile(
    r"\d+(?:[.,]\d+)?[a-z]{1,5}|\d{1,2}h\d\d|\d+(?:-\d+)?(?:-[a-z]+)+|[a-z]+(?:-[a-z]+)*-\d{1,2}|(?:mp[34]|a[345]|co2|h2o|covid-?19|b2b|utf-?8|g7|g20|[345]g|4k|3d)"
)
_GROUPED = re.compile(r"\d{1,3}(?: \d{3})+")
_DIGITS_TOLD = 7
"""Last digits of a phone number that must be the same: in front of them stands a country's code or a zero."""

NameKind = Literal["link", "email", "isbn", "phone", "id"]


class Name(NamedTuple):
    start: int
    end: int
    kind: NameKind
    value: str


def names(folded: str, words: Vocabulary) -> Iterator[Name]:
    """Names in folded text, none inside another."""
    left = folded
    for kind, pattern in _patterns(words):
        taken = [name for found in pattern.finditer(left) if _is(kind, (name := _name(kind, found)).value)]
        left = blanked(left, ((name.start, name.end) for name in taken))
        yield from taken


def _name(kind: NameKind, found: re.Match[str]) -> Name:
    group = "value" if "value" in found.re.groupindex else 0
    value = found[group].rstrip(".,;:!?")
    return Name(found.start(group), found.start(group) + len(value), kind, value)


def stands_in(name: Name, ledger_text: str, ledger_digits: str) -> bool:
    """Whether it stands in the ledger. `ledger_digits` is the ledger's text without what parts figures."""
    if name.kind in ("phone", "isbn"):
        digits = re.sub(r"\D", "", name.value)
        return digits[-_DIGITS_TOLD:] in ledger_digits if name.kind == "phone" else digits[-9:] in ledger_digits
    value = re.sub(r"^https?://(?:www\.)?|^www\.", "", name.value).rstrip("/") if name.kind == "link" else name.value
    pattern = rf"(?<![a-z0-9]){re.escape(value)}(?![a-z0-9])"
    return bool(re.search(pattern, ledger_text))


def digits_of(text: str) -> str:
    """The text with blanks, brackets, dashes, slashes and dots between figures taken out."""
    return re.sub(r"(?<=\d)[ ()./-]+(?=\d)|(?<=\d)\) ?", "", text)


def _patterns(words: Vocabulary) -> Iterator[tuple[NameKind, re.Pattern[str]]]:
    yield "email", _EMAIL
    yield "link", _URL
    yield "isbn", _ISBN
    yield "id", _numbered(words)
    yield "phone", _PHONE
    yield "id", _ID


@cache
def _numbered(words: Vocabulary) -> re.Pattern[str]:
    """A bare number that a word makes an id: order number 48213, #4411."""
    before = rf"(?:(?<![a-zà-ÿа-я])(?:{words.one_of('number_of')})[ :#*\"]*|#)"
    return re.compile(rf"{before}(?P<value>[a-z0-9]{0, 12}-?\d[a-z0-9-]{0, 20}\d[a-z0-9-]{0, 20})(?![\d:.,]?\d)")


def _is(kind: NameKind, value: str) -> bool:
    if kind == "phone":
        digits = len(re.sub(r"\D", "", value))
        return 7 <= digits <= 15 and not _GROUPED.fullmatch(value)
    if kind == "id" and not value.isdigit():
        return not _NO_ID.fullmatch(value)
    return kind != "id" or len(value) > 2
