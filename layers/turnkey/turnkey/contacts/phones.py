"""Telephone numbers: found in the customer's own messages, read by the region, kept in E.164.

A value is looked for by its digits or by the number that it comes to, so that it may be spelled differently; but never
inside a longer number, and never in what the customer calls the number of something else.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from turnkey.contacts.contact import Given
from turnkey.contacts.finding import Refused
from turnkey.contacts.folding import in_digits, seen

if TYPE_CHECKING:
    from phonenumbers import PhoneNumber

_SEPARATORS = " \u00a0\u2009\u202f\t\\-\u2010-\u2015\u2212\u30fc().\\[\\]/·・~"
_RUN = re.compile(rf"(?:[(\[]?\+[{_SEPARATORS}]{{0,2}})?[(\[]?\d(?:[{_SEPARATORS}]{{0,4}}\d)*")
_EXTENSION = re.compile(
    r"[ ,;]{0,2}(?:ext\.?|extension|x|доб\.?|转|轉|分机|內線|内線|내선|durchwahl|poste|interno|ramal|dahili|تحويلة|#)"
    r"[ .:]{0,2}\d{1,6}(?!\d)",
    re.IGNORECASE,
)
# Glued to a letter, or to one by a hyphen, digits are part of a code.
_CODE_BEFORE = re.compile(r"(?:[A-Za-z0-9_#№@]|[A-Za-z0-9]-|[A-Za-z0-9]/|\d[,:])$")
_CODE_BEHIND = re.compile(r"[A-Za-z_@]|[,:]\d|-[A-Za-z]")
_SHORT = 2
"""Digits of a group beside a number that can be something else: 2 books, at 9."""
_FEWEST, _MOST = 4, 20
_SHORTEST_WHOLE = 12
"""Digits that begin with a country code and are read with it, though some country's own plan has room for more."""
_PAUSE = re.compile("[,、，]")
_BEFORE = 60
_NEAR = 14
"""Characters between what a number is called and the number."""


@dataclass(frozen=True)
class _Run:
    """Digits in a text as they stand there, with what is before them."""

    digits: str
    plus: bool
    written: str
    before: str


def check(given: str, texts: Sequence[str], regions: Sequence[str]) -> Given | Refused:
    """The number that the model gives, as it stands in one of the texts, newest first. `value` is in E.164."""
    meant = next(_runs(given), None)
    digits = meant.digits if meant else _only_digits(in_digits(given))
    if not _FEWEST <= len(digits) <= _MOST:
        return Refused(why="invalid")
    wanted = {_e164(number) for number in _readings(digits, bool(meant and meant.plus), regions)}
    found = [run for text in texts for run in _runs(text) if _is(run, digits, wanted, regions)]
    if not found:
        return Refused(why="not_said")
    own = [run for run in found if not _is_called_otherwise(run.before)]
    if not own:
        return Refused(why="other_number")
    for run in own:
        for number in _readings(run.digits, run.plus, regions):
            return Given(value=_e164(number), written=run.written)
    return Refused(why="invalid")


def _is(run: _Run, digits: str, wanted: set[str], regions: Sequence[str]) -> bool:
    """Whether it is the number that is given. However a number is spelled, it ends in the same digits."""
    if run.digits[-_FEWEST:] != digits[-_FEWEST:]:
        return False
    if run.digits == digits:
        return True
    return bool(wanted) and any(_e164(number) in wanted for number in _readings(run.digits, run.plus, regions)[:1])


def _runs(text: str) -> Iterator[_Run]:
    """Every number in the text, also without the short one that stands before or behind it."""
    shown = seen(text)
    folded = in_digits(shown)
    for found in _RUN.finditer(folded):
        start, end = found.span()
        if _CODE_BEFORE.search(folded[max(0, start - 3) : start]):
            continue
        extension = _EXTENSION.match(folded, end)
        if not extension and _CODE_BEHIND.match(folded, end):
            continue
        for first, last in _spans(folded, start, end):
            until = extension.end() if extension and last == end else last
            yield _Run(
                digits=_only_digits(folded[first:last]),
                plus="+" in folded[first:last],
                written=shown[first:until].strip(),
                before=folded[max(0, first - _BEFORE) : first],
            )


def _spans(folded: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The whole run, and the run without a short group at either end."""
    groups = [found.span() for found in re.finditer(r"[(\[]?\+?[(\[]?\d+", folded[start:end])]
    yield start, end
    if len(groups) < _SHORT:
        return
    short = [len(_only_digits(folded[start + one : start + other])) <= _SHORT for one, other in groups]
    first = start + groups[1][0]
    last = start + groups[-2][1]
    if short[-1]:
        yield start, last
    if short[0] and "+" not in folded[start:first]:
        yield first, end
        if short[-1] and last > first:
            yield first, last


def _readings(digits: str, plus: bool, regions: Sequence[str]) -> list["PhoneNumber"]:
    """The valid numbers that the digits can be, the likeliest first."""
    international = [digits] if plus else [digits[2:]] if digits.startswith("00") else []
    found = [_valid(f"+{one}", None) for one in international]
    if not plus:
        for region in regions:
            own = _with_own_code(digits, region)
            found += [own, _valid(digits, region)]
    return [number for number in found if number]


def _with_own_code(digits: str, region: str) -> "PhoneNumber | None":
    """4915123456789 in Germany: the country's own code stands in front, and only the plus is missing."""
    import phonenumbers

    code = phonenumbers.country_code_for_region(region)
    is_whole = len(digits) >= _SHORTEST_WHOLE and code and digits.startswith(str(code))
    return _valid(f"+{digits}", None) if is_whole else None


def _valid(digits: str, region: str | None) -> "PhoneNumber | None":
    # 30 ms to import, and only where there is a number to read.
    import phonenumbers

    try:
        number = phonenumbers.parse(digits, region)
    except phonenumbers.NumberParseException:
        return None
    return number if phonenumbers.is_valid_number(number) else None


def _e164(number: "PhoneNumber") -> str:
    import phonenumbers

    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def _only_digits(text: str) -> str:
    return "".join(character for character in text if character.isdigit())


def _is_called_otherwise(before: str) -> bool:
    """Whether the last thing said before a number says what else it is: "my order number is". The thing alone, as in
    "order 12345678", says so only right before it, where nothing is said of telephones."""
    called = _names()
    line = re.split(r"[\n.!?;。！？；]\s*(?=\S*\s)|\n", before.casefold())[-1]
    ends = {what: max((found.end() for found in of.finditer(line)), default=-1) for what, of in called.items()}
    if ends["other"] > ends["phone"]:
        between = line[ends["other"] :]
        return len(between) <= _NEAR and not _PAUSE.search(between)
    return ends["phone"] < 0 <= ends["thing"] and not line[ends["thing"] :].strip(" #")


@cache
def _names() -> dict[str, re.Pattern[str]]:
    data: dict[str, dict[str, list[str]]] = json.loads(
        (Path(__file__).parent / "data" / "numbers.json").read_text(encoding="utf-8")
    )
    return {what: re.compile("|".join(word for words in of.values() for word in words)) for what, of in data.items()}
