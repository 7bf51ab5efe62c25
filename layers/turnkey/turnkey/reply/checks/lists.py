"""Lists that the model typed: bulleted, numbered, inline, as a table, as lines of like build, or as JSON."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from turnkey.reply.checks.folding import fold
from turnkey.reply.checks.marks import is_attribute, marks
from turnkey.reply.checks.reading import Reading
from turnkey.reply.finding import Finding, finding

_BULLET = re.compile(
    r"^[ \t]{0,20}(?:[-*•·・●○▪▫◦‣–—►▶✓✔✅☑📚📖📘📗📙📕🔹🔸⭐👉]"
    r"|[-*•]?[ \t]{0,9}(?:#?\d{1,2}|[a-hA-H]|[٠-٩]{1,2})\s?[.)、．）:](?!\d)|[①-⑳]|[0-9]\ufe0f?\u20e3)[ \t]{0,20}(?=\S)"
)
_INLINE = re.compile(
    r"(?:^|(?<=[\s:：,，;；、。！？!?.]))(?:\(?(?:\d{1,2}|[٠-٩]{1,2}|[a-h])[)）]|[（(]\d{1,2}[)）]|[①-⑳]|\d{1,2}[.．、](?=[\s《『「“]))\s*(?=[^\s\d])"
)
_ROW = re.compile(r"^[ \t]{0,20}\|.*\|.*$|^[^|\n]+\|[^|\n]+\|[^|\n]+$")
_RULE = re.compile(r"^[\s|:+=-]+$")
_PARTED = re.compile(r"\s[-–—|/·•~]\s|\t| {3,}")
_BY = re.compile(r"\s(?:by|von|de|di|da|par|por|от)\s", re.IGNORECASE)
_OBJECTS = re.compile(r"\[\s*(?:\{|\")|\}\s*,\s*\{")
_LONG_ENTRY = 160


class Listing(NamedTuple):
    """Entries of one list, without their bullets. `plain` lines have no bullets: only their build makes them a list."""

    entries: tuple[str, ...]
    plain: bool = False


def typed_lists(reading: Reading) -> Iterator[Finding]:
    """Lists in place of cards. Steps, opening hours and advice in an ordinary answer are none."""
    handed = reading.ledger.has_cards()
    for listing in listed(reading.text):
        if reading.due == "items" or not handed:
            if _in_place_of_cards(reading, listing):
                yield finding("typed_list", " | ".join(listing.entries))
        elif _repeats_cards(listing):
            yield finding("typed_list", " | ".join(listing.entries))
    if _OBJECTS.search(reading.text) and not listed(reading.text):
        yield finding("typed_list", reading.text[_OBJECTS.search(reading.text).start() :])  # type: ignore[union-attr]


def listed(text: str) -> tuple[Listing, ...]:
    """The lists in a text, each with two entries or more."""
    return tuple(listing for listing in (*_blocks(text), *_inline(text)) if len(listing.entries) > 1)


def _blocks(text: str) -> Iterator[Listing]:
    lines = [line for line in text.splitlines() if line.strip()]
    bullets = [_BULLET.sub("", line, count=1).strip() for line in lines if _BULLET.match(line)]
    yield Listing(tuple(entry for entry in bullets if entry))
    yield Listing(_rows(lines))
    rest = [line.strip() for line in lines if not _BULLET.match(line) and not _ROW.match(line)]
    yield Listing(tuple(line for line in rest if _is_built(line)), plain=True)


def _rows(lines: list[str]) -> tuple[str, ...]:
    rows = [line.strip() for line in lines if _ROW.match(line) and not _RULE.match(line)]
    ruled = any(_RULE.match(line) and "-" in line and "|" in line for line in lines)
    return tuple(rows[1:] if ruled else rows)


def _inline(text: str) -> Iterator[Listing]:
    for line in text.splitlines():
        starts = _counted([*_INLINE.finditer(line)])
        if len(starts) > 1:
            ends = [*(start.start() for start in starts[1:]), len(line)]
            yield Listing(
                tuple(line[start.end() : end].strip(" ,;.，；、。") for start, end in zip(starts, ends, strict=True))
            )


def _counted(starts: list[re.Match[str]]) -> list[re.Match[str]]:
    """The enumerators that count up from one, or none: "4. Dezember" is a date."""
    numbers = [int(figures[0]) for start in starts if (figures := re.findall(r"\d+", start.group()))]
    return starts if numbers in ([], [*range(1, len(numbers) + 1)]) else []


def _is_built(line: str) -> bool:
    """A line that is an entry by its build: parts set apart, as in Title – Author – 12 EUR."""
    if len(line) > _LONG_ENTRY or line.endswith((":", "：", "?", "？")):
        return False
    parts = [part for part in _PARTED.split(line) if part.strip()]
    return (
        len(parts) > 2
        or (len(parts) == 2 and bool(marks(line)))
        or (_BY.search(line) is not None and "price" in marks(line))
    )


def _in_place_of_cards(reading: Reading, listing: Listing) -> bool:
    entries = listing.entries
    if _is_one_thing(entries):
        return False
    if reading.due != "items" and all(_is_said(reading, entry) for entry in entries):
        return False
    like_items = sum(1 for entry in entries if _is_item(entry))
    if like_items * 2 >= len(entries) and like_items > 1:
        return True
    return reading.due == "items" and not listing.plain and sum(map(_is_short, entries)) * 2 > len(entries)


def _repeats_cards(listing: Listing) -> bool:
    return not _is_one_thing(listing.entries) and sum(map(_is_item, listing.entries)) > 1


def _is_one_thing(entries: tuple[str, ...]) -> bool:
    """The values of one thing, line by line ("Price: 12 EUR", "Shelf: F2"), or hours of the week."""
    return sum(map(is_attribute, entries)) * 2 > len(entries)


def _is_item(entry: str) -> bool:
    """Looks like a product, a slot or a document: a price, an id, a date, a link, an author, a title set off."""
    return bool(marks(entry)) or len([part for part in _PARTED.split(entry) if part.strip()]) > 2


def _is_short(entry: str) -> bool:
    """A name rather than a sentence."""
    return len(entry) <= 60 and not entry.rstrip().endswith((".", "!", "?", "。", "？", "！", "؟"))


def _is_said(reading: Reading, entry: str) -> bool:
    """Whether the entry's figures all stand in what may be quoted: a tariff from the instructions, say."""
    said = fold(reading.ledger.said)
    figures = re.findall(r"\d+(?:[.,:]\d+)*", fold(entry))
    return bool(figures) and all(figure in said for figure in figures)
