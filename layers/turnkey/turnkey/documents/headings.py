"""The headings of a Markdown document, and where a section ends."""

import re
from typing import NamedTuple

from turnkey.documents.outcome import Refused

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
_SHARPS = re.compile(r" {0,3}(#{1,6})(?=[ \t\r\n]|\Z)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*[\r\n]*\Z")
_TOLD = 20


class Heading(NamedTuple):
    """`start` and `end` are of its own lines, line end included."""

    title: str
    level: int
    start: int
    end: int


def headings(text: str) -> tuple[Heading, ...]:
    """In order; lines of code are none."""
    found: list[Heading] = []
    fence, before = "", ""
    place = previous = 0
    for line in _LINE.findall(text):
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        elif not fence and (sharps := _SHARPS.match(line)):
            title = _title(line[sharps.end() :].strip())
            found.append(Heading(title, len(sharps[1]), place, place + len(line)))
        elif not fence and before.strip() and (under := _UNDERLINE.match(line)):
            found.append(Heading(before.strip(), 1 if under[1][0] == "=" else 2, previous, place + len(line)))
        before = "" if mark or fence or _SHARPS.match(line) or _UNDERLINE.match(line) else line
        previous, place = place, place + len(line)
    return tuple(found)


def _title(text: str) -> str:
    """Without the signs that may close a heading."""
    bare = text.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else text


def section_end(text: str, wanted: str) -> int | Refused:
    """Where the section under that heading ends: behind its last line that says something."""
    known = headings(text)
    meant = [place for place, heading in enumerate(known) if _plain(heading.title) == _plain(wanted)]
    if len(meant) != 1:
        return _refused(wanted, len(meant), known)
    heading = known[meant[0]]
    behind = (other.start for other in known[meant[0] + 1 :] if other.level <= heading.level)
    end = next(behind, len(text))
    return max(heading.start + len(text[heading.start : end].rstrip()), heading.start)


def _plain(title: str) -> str:
    return " ".join(title.strip().strip("#*_").casefold().split())


def _refused(wanted: str, count: int, known: tuple[Heading, ...]) -> Refused:
    titles = "; ".join(heading.title for heading in known[:_TOLD]) or "none"
    return Refused(
        why=f"There are {count} headings {wanted!r} in the document, so nothing was changed. Its headings: {titles}. "
        "Name one that stands there once, or give a passage instead."
    )
