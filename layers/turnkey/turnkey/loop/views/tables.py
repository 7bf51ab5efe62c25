"""A view of rows: Markdown, CSV and TSV tables with their header, and JSON Lines without one."""

import csv
import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from turnkey.loop import tokens
from turnkey.loop.views.notice import Part

_RULE = re.compile(r"[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?")
_MARKDOWN_ROWS = re.compile(r"(?:[^\n|]*+\|[^\n]*+(?:\n|\Z))*+")
_SEEN_LINES = 30
_LONGEST_LINE = 10_000
_LEAST_ROWS = 3
_LONGEST_CELL = 60
_FOOTER_SHARE = 0.25


class Table(NamedTuple):
    """Rows at `text[first:end]`; what stands before is header, what stands after is footer."""

    text: str
    first: int
    end: int
    quoted: bool = False
    """A line break within quotes does not end a row."""

    def ends(self) -> Iterator[int]:
        """Where each row ends, its line break included."""
        position = self.first
        while position < self.end:
            end = self._line_end(position)
            quotes = self.text.count('"', position, end) if self.quoted else 0
            while quotes % 2 and end < self.end:
                further = self._line_end(end)
                quotes += self.text.count('"', end, further)
                end = further
            yield end
            position = end

    def _line_end(self, position: int) -> int:
        found = self.text.find("\n", position, self.end)
        return found + 1 if found >= 0 else self.end

    def rows(self) -> int:
        if self.quoted:
            return sum(1 for _ in self.ends())
        return self.text.count("\n", self.first, self.end) + (not self.text.endswith("\n", self.first, self.end))


def find_table(text: str) -> Table | None:
    """The table that the text is, or begins with after a few lines; None for other text."""
    head = text[: _SEEN_LINES * _LONGEST_LINE].splitlines(keepends=True)[:_SEEN_LINES]
    if len(head) < _LEAST_ROWS or any(len(line) > _LONGEST_LINE for line in head):
        return None
    return _markdown(text, head) or _json_lines(text, head) or _delimited(text, head)


def table_part(table: Table, budget: float, start: int) -> Part | None:
    """The header and the rows from number `start` on that fit `budget` tokens; None where not even one row does."""
    header, footer = table.text[: table.first], table.text[table.end :]
    left = budget - tokens.weigh(header, budget)
    footer_cost = tokens.weigh(footer, left)
    shows_footer = footer_cost < left * _FOOTER_SHARE
    left -= footer_cost if shows_footer else 0
    begin, end, shown = _fitting(table, left, start)
    count = table.rows()
    if not shown and start < count:
        return None
    body = header + table.text[begin:end] + (footer if shows_footer else "")
    after = start + shown
    return Part(
        "table",
        body,
        characters=len(body),
        what="rows",
        items_shown=shown,
        items=count,
        start=start,
        next_start=after if after < count else None,
    )


def _fitting(table: Table, left: float, start: int) -> tuple[int, int, int]:
    begin = end = table.first
    shown = 0
    for number, row_end in enumerate(table.ends()):
        if number >= start:
            left -= tokens.weigh(table.text[end:row_end], left)
            if left < 0:
                break
            shown += 1
        else:
            begin = row_end
        end = row_end
    return begin, end, shown


def _markdown(text: str, head: list[str]) -> Table | None:
    for number, line in enumerate(head[1:], start=1):
        if "|" in head[number - 1] and _RULE.fullmatch(line.rstrip()):
            first = sum(map(len, head[: number + 1]))
            rows = _MARKDOWN_ROWS.match(text, first)
            return Table(text, first, rows.end() if rows else first)
    return None


def _json_lines(text: str, head: list[str]) -> Table | None:
    return Table(text, 0, len(text)) if all(_is_json(line) for line in head[:2]) else None


def _is_json(line: str) -> bool:
    try:
        return line[:1] in ("{", "[") and bool(json.loads(line))
    except (ValueError, RecursionError):
        return False


def _delimited(text: str, head: list[str]) -> Table | None:
    for delimiter in ("\t", ";", ","):
        rows = [row for row in csv.reader(head, delimiter=delimiter, strict=False) if row][:-1]
        if len(rows) >= _LEAST_ROWS - 1 and _looks_like_table(rows):
            return Table(text, len(head[0]), len(text), quoted='"' in text)
    return None


def _looks_like_table(rows: list[list[str]]) -> bool:
    """Rows of one length, short names above them; in prose, a comma is followed by a space."""
    cells = [cell for row in rows for cell in row[1:]]
    spaced = sum(cell.startswith(" ") for cell in cells)
    return (
        len(rows[0]) > 1
        and len({len(row) for row in rows}) == 1
        and all(len(name) <= _LONGEST_CELL for name in rows[0])
        and spaced * 2 < len(cells)
    )
