"""Rows of results that are no JSON: Markdown, CSV and TSV tables, and blocks of "Name: value" lines."""

import csv
import re
from collections.abc import Iterator

from turnkey.deliverables.rows.slim import Row, Rows, slim_rows
from turnkey.loop.views.tables import Table, find_table

_DELIMITERS = "\t;,"
_PREAMBLE = 600
_CELL = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"[\s|:-]+")
_ENTRY = re.compile(
    r"\s*(?:[-*•]\s+)?(?:\*\*|__)?([^\W\d][^:：*\n]{0,40}?)(?:\*\*|__)?\s*[:：]\s*(?:\*\*|__)?\s*(\S.*)"
)
_HEADING = re.compile(r"\s*(?:\d+[.)]|#{1,4})\s+(?:\*\*|__)?(.+?)(?:\*\*|__)?:?\s*")
_DIVIDER = re.compile(r"\s*(?:[-=*_]{3,})?\s*")
_UNDERSTOOD = 0.6


def find(text: str) -> Rows | None:
    """The rows of the text; None where it is neither a table nor blocks of entries."""
    table = find_table(text) or _behind_words(text)
    rows = slim_rows(_table_rows(table)) if table else slim_rows(_blocks(text))
    return Rows(rows, len(rows)) if rows and (table or len(rows) > 1) else None


def _behind_words(text: str) -> Table | None:
    """A table that a short paragraph stands before."""
    place = text.find("\n\n", 0, _PREAMBLE)
    return find_table(text[place:].lstrip("\n")) if place > 0 else None


def _table_rows(table: Table) -> Iterator[Row]:
    header = table.text[: table.first].rstrip("\n").split("\n")
    if "|" in header[-1] and _RULE.fullmatch(header[-1]):
        return _markdown_rows(table, _cells(header[-2]))
    return _delimited_rows(table, header[-1])


def _markdown_rows(table: Table, names: list[str]) -> Iterator[Row]:
    for line in _lines(table):
        cells = _cells(line)
        if any(cells):
            yield dict(zip(names, cells, strict=False))


def _cells(line: str) -> list[str]:
    cells = [cell.strip().replace("\\|", "|") for cell in _CELL.split(line.strip())]
    return cells[1 if line.strip().startswith("|") else 0 : -1 if line.strip().endswith("|") else None]


def _delimited_rows(table: Table, header: str) -> Iterator[Row]:
    lines = list(_first(table, 3))
    delimiter = next((mark for mark in _DELIMITERS if _parts_alike([header, *lines], mark)), ",")
    names = next(csv.reader([header.lstrip("\ufeff")], delimiter=delimiter))
    for cells in csv.reader(_lines(table), delimiter=delimiter):
        if len(cells) == len(names):
            yield dict(zip((name.strip() for name in names), cells, strict=True))


def _first(table: Table, count: int) -> Iterator[str]:
    for line, _ in zip(_lines(table), range(count), strict=False):
        yield line


def _parts_alike(lines: list[str], mark: str) -> bool:
    counts = {len(row) for row in csv.reader(lines, delimiter=mark)}
    return len(counts) == 1 and counts != {1}


def _lines(table: Table) -> Iterator[str]:
    start = table.first
    for end in table.ends():
        yield table.text[start:end]
        start = end


def _blocks(text: str) -> Iterator[Row]:
    """Entries of one thing after another: a new one begins at a heading, or where a name comes again."""
    lines = [line for line in text.split("\n") if not _DIVIDER.fullmatch(line)]
    read = [(_ENTRY.fullmatch(line), _HEADING.fullmatch(line)) for line in lines]
    if sum(entry is not None or heading is not None for entry, heading in read) < _UNDERSTOOD * len(lines):
        return
    row: Row = {}
    for entry, heading in read:
        if (heading and not entry) or (entry and entry[1].strip() in row):
            if len(row) > 1:
                yield row
            row = {}
        if entry:
            row[entry[1].strip()] = entry[2].strip()
        elif heading:
            row["title"] = heading[1].strip()
    if len(row) > 1:
        yield row
