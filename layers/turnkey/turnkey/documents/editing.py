"""Changing a document's text. Plain functions: text in, text or a refusal out; nothing is changed by halves."""

import re

from turnkey.documents import cleaning, passages
from turnkey.documents.document import MAX_CHARACTERS
from turnkey.documents.headings import section_end
from turnkey.documents.outcome import Edited, Refused

Result = Edited | Refused
_ENDS = ("\r", "\n")


def replace(text: str, passage: str, by: str) -> Result:
    """The one place where the passage stands says `by` instead; nothing, where that is empty."""
    span = passages.one(text, passage)
    if isinstance(span, Refused):
        return span
    start, end = span
    return _edited(text, text[:start] + _own(text, by) + text[end:])


def insert_beside(text: str, passage: str, new: str, *, before: bool) -> Result:
    """Before or after the passage: on lines of its own where the passage is whole lines."""
    span = passages.one(text, passage)
    if isinstance(span, Refused):
        return span
    start, end = span
    added, line_end = _own(text, new), cleaning.line_end(text)
    if not _is_lines(text, start, end):
        place = start if before else end
        return _edited(text, text[:place] + added + text[place:])
    if before:
        return _edited(text, text[:start] + _ended(added, line_end) + text[start:])
    if text[end - 1] in _ENDS:
        return _edited(text, text[:end] + _ended(added, line_end) + text[end:])
    return _edited(text, text[:end] + _begun(added, line_end) + text[end:])


def insert_at_line(text: str, line: int, new: str) -> Result:
    """The new text begins at that line, counted from 1; one behind the last is the end."""
    starts = [0, *(found.end() for found in re.finditer(r"\r\n|\r|\n", text))]
    if starts[-1] != len(text):
        starts.append(len(text))
    if not 1 <= line <= len(starts):
        return Refused(why=f"There is no line {line}: the document has {len(starts) - 1} lines. Nothing was changed.")
    place = starts[line - 1]
    if place == len(text):
        return append(text, new)
    return _edited(text, text[:place] + _ended(_own(text, new), cleaning.line_end(text)) + text[place:])


def insert_in_section(text: str, heading: str, new: str) -> Result:
    """At the end of the section under a heading, as a paragraph of its own."""
    place = section_end(text, heading)
    if isinstance(place, Refused):
        return place
    line_end = cleaning.line_end(text)
    added = _own(text, new).strip("\r\n")
    behind = text[place:] or line_end
    return _edited(text, text[:place] + line_end * 2 + added + behind)


def append(text: str, new: str) -> Result:
    """At the end, on lines of its own."""
    line_end = cleaning.line_end(text)
    added = _own(text, new)
    if not text or text[-1] in _ENDS:
        return _edited(text, text + (_ended(added, line_end) if text else added))
    return _edited(text, text + _begun(added, line_end))


def _edited(before: str, after: str) -> Result:
    if after == before:
        return Refused(why="The document says just that already: nothing was changed.")
    if len(after) > MAX_CHARACTERS:
        return Refused(
            why=f"The document would have {len(after):,} characters, the limit is {MAX_CHARACTERS:,}: nothing was "
            "changed. Put the rest into another document."
        )
    return Edited(text=after)


def _own(text: str, new: str) -> str:
    """With the document's own line ends."""
    return cleaning.unified(cleaning.kept(new)).replace("\n", cleaning.line_end(text))


def _is_lines(text: str, start: int, end: int) -> bool:
    begins = start == 0 or text[start - 1] in _ENDS
    return begins and (end == len(text) or text[end] in _ENDS or text[end - 1] in _ENDS)


def _ended(added: str, line_end: str) -> str:
    return added if added.endswith(_ENDS) else added + line_end


def _begun(added: str, line_end: str) -> str:
    return added if added.startswith(_ENDS) else line_end + added
