"""The rows inside a stored result: the list of objects that a chart counts, whatever the tool wrapped around it."""

import re

from turnkey.deliverables.rows import json_rows, table_rows
from turnkey.deliverables.rows.slim import Rows

__all__ = ["Rows", "find_rows"]

_SHOWN_OF = re.compile(
    r"(\d{1,9})\s*(?:of|out of|von|sur|de|su|di|из|من)\s*(?:about |~|ca\. )?"
    r"(\d{1,3}(?:[,.\u00a0 ]\d{3})+|\d+)"
)
_DATA = re.compile(r"[|{}\[\]\t;]")
_TOLD = 500


def find_rows(text: str, field: str = "") -> Rows | None:
    """The rows of a result's text: JSON (alone, fenced or behind a few words), JSON Lines, a CSV, TSV or Markdown
    table, or blocks of "Name: value" lines; None where there is no list in it.

    `field` names the list where there are several, by its key or its path (data.items); else the longest is taken,
    the outermost of equals. Long strings are cut, but not addresses. Never raises for any text."""
    found = json_rows.find(text, field) or table_rows.find(text)
    if found is None:
        return None
    return found._replace(total=max(found.total, len(found.rows), _told(text, len(found.rows))))


def _told(text: str, count: int) -> int:
    """The total that the first or the last line tells, such as "Showing 50 of 299": only where it is a line of words,
    and where the first number is that of the rows."""
    ends = (text[:_TOLD].lstrip().split("\n")[0], text[-_TOLD:].rstrip().split("\n")[-1])
    said = [found for end in ends if not _DATA.search(end) for found in _SHOWN_OF.finditer(end)]
    return max((int(re.sub(r"\D", "", found[2])) for found in said if int(found[1]) == count), default=0)
