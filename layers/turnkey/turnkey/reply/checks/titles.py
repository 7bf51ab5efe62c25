"""Titles in a text: what stands in quotation marks, in bold or in italics, and could be the name of a thing."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_QUOTED = re.compile(
    r"“([^“”\n]{2,120})”|„([^„“”\n]{2,120})[“”]|«([^«»\n]{2,120})»|»([^«»\n]{2,120})«|《([^《》\n]{1,60})》|『([^『』\n]{1,60})』"
    r"|「([^「」\n]{2,60})」|(?<!\w)\"([^\"\n]{2,120})\"(?!\w)|(?<![\w'])'([^'\n]{3,80})'(?![\w'])|(?<!\w)‘([^‘’\n]{2,80})’(?!\w)"
)
_SET_OFF = re.compile(
    r"(?<![*\w])\*\*([^*\n]{2,120}?)\*\*(?!\*)|(?<![*\w])\*([^*\s][^*\n]{1,120}?)\*(?![*\w])|(?<![\w_])_([^_\s][^_\n]{1,120}?)_(?![\w_])"
)
_TRIM = " .,;:!?、。，：！？؟…"
_FIGURE = re.compile(r"\d")


class Title(NamedTuple):
    """`quoted` apart from merely set off: emphasis looks the same as a title there."""

    start: int
    end: int
    text: str
    quoted: bool


def titles(text: str) -> Iterator[Title]:
    """What could be titles, as written."""
    for found in _QUOTED.finditer(text):
        inside = next(group for group in found.groups() if group).strip(_TRIM + "*_")
        if inside and not _is_small(inside):
            yield Title(*found.span(), inside, quoted=True)
    for found in _SET_OFF.finditer(text):
        whole = next(group for group in found.groups() if group)
        inside = whole.strip(_TRIM + '"“”„«»「」『』《》')
        heads = whole.rstrip().endswith((":", "：")) or text[found.end() :].startswith((":", "："))
        if inside and not heads and _is_name(inside):
            yield Title(*found.span(), inside, quoted=False)


def _is_small(inside: str) -> bool:
    """One plain word, as in: just say "yes"."""
    return " " not in inside and inside.isascii() and inside.islower()


def _is_name(inside: str) -> bool:
    """Set off like a name: of several words, most with capitals; or in a script without any. Figures are checked by
    themselves."""
    words = re.findall(r"[^\W\d_]+", inside)
    if not words or _FIGURE.search(inside):
        return False
    if not any(word[0].isupper() or word[0].islower() for word in words):
        return False
    capitals = sum(word[0].isupper() for word in words)
    return len(words) > 1 and capitals > 1 and capitals * 2 >= len(words) and not inside.endswith("!")
