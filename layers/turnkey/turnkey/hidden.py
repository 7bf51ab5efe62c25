"""Characters that a reader does not see and a model reads all the same: found, taken out, shown by their numbers.

What a script needs to be written stays: joiners within emoji, Persian and Hindi, marks of direction in Arabic, one
variation selector behind the character it varies. Everything else of the kind carries nothing that a text would miss.
Unicode 16: Default_Ignorable_Code_Point, Bidi_Control, general categories Cc, Cf, Co.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

Kind = Literal["control_character", "hidden_unicode"]

_NOT_RETURN = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_CONTROL = f"{_NOT_RETURN}\r"
_JOINERS = "\u200c\u200d"
_MARKS = "\u200e\u200f\u061c"
_STYLES = "\ufe0e\ufe0f"
_SELECTORS = "\ufe00-\ufe0d\U000e0100-\U000e01ef\u180b-\u180d\u180f"
_NEVER = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\ue000-\uf8ff\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff\U000f0000-\U0010ffff\ud800-\udfff"
)
_ANY = f"{_CONTROL}{_JOINERS}{_MARKS}{_STYLES}{_SELECTORS}{_NEVER}"

_LETTERS = "\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17ff\u1800-\u18af\ufb50-\ufdff\ufe70-\ufefc"
"""Of scripts whose letters change where they are joined."""
_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_EMOJI = "\u00a9\u00ae\u203c-\u3299\ufe0f\U0001f000-\U0001faff"
_STYLED = f"#*0-9{_EMOJI}".replace("\ufe0f", "")
_VARIED = "\u1800-\u18af\u2e80-\u2fdf\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_FLAGS = ("\U0001f3f4\U000e0067\U000e0062" + region for region in (
    "\U000e0065\U000e006e\U000e0067\U000e007f",
    "\U000e0073\U000e0063\U000e0074\U000e007f",
    "\U000e0077\U000e006c\U000e0073\U000e007f",
))  # fmt: skip
_FLAG = re.compile("|".join(_FLAGS))
"""England's, Scotland's and Wales's: the only emoji that are written with tags."""


class Hidden(NamedTuple):
    """A run of hidden characters: text[start:end]."""

    start: int
    end: int
    kind: Kind


def find(text: str) -> Iterator[Hidden]:
    """Every run of characters that do not show and that nothing in the text needs, in order."""
    if not _has_any(text):
        return
    flags = [found.span() for found in _FLAG.finditer(text)]
    for found in _hidden(_is_marked(text)).finditer(text):
        start = max([found.start(), *(end for begin, end in flags if begin <= found.start() < end)])
        if start < found.end():
            kind: Kind = "control_character" if re.match(f"[{_CONTROL}]", text[start]) else "hidden_unicode"
            yield Hidden(start, found.end(), kind)


def clean(text: str) -> str:
    """The text without them. What else ends a line than a newline is a blank: a newline would break JSON."""
    if not _has_any(text):
        return text
    lines = re.sub("[\x0b\x0c\x85\u2028\u2029]", " ", re.sub("\r\n?", "\n", text))
    pattern = _hidden(_is_marked(lines))
    between = [pattern.sub("", part) for part in _FLAG.split(lines)]
    flags = [*_FLAG.findall(lines), ""]
    return "".join(part + flag for part, flag in zip(between, flags, strict=True))


def escaped(text: str) -> str:
    """The text as it can be shown to people: what hides in it by number, such as U+200B, and all in one line."""
    parts: list[str] = []
    behind = 0
    for found in find(text):
        numbers = " ".join(f"U+{ord(character):04X}" for character in text[found.start : found.end])
        parts += [text[behind : found.start], f"[{numbers}]"]
        behind = found.end
    return " ".join("".join([*parts, text[behind:]]).split())


def _has_any(text: str) -> bool:
    """Looked for among the characters that the text is made of: results have up to 20 MB, mostly of the same few."""
    return re.search(f"[{_ANY}]", "".join(set(text))) is not None


def _is_marked(text: str) -> bool:
    """Whether the text has letters that are written from right to left."""
    return re.search(f"[{_RIGHT_TO_LEFT}]", "".join(set(text))) is not None


@cache
def _hidden(marked: bool) -> re.Pattern[str]:
    """Runs of what nothing around needs. In a `marked` text one mark of direction is needed, two in a row are not."""
    joins = f"{_LETTERS}{_EMOJI}"
    twice = f"(?<=[{_MARKS}])" if marked else ""
    return re.compile(
        f"(?=[{_ANY}])(?:[{_NOT_RETURN}{_NEVER}]|\r(?!\n)"
        f"|\u200c(?![{_LETTERS}])|(?<![{_LETTERS}])\u200c|\u200d(?![{joins}])|(?<![{joins}])\u200d"
        f"|{twice}[{_MARKS}]|(?<![{_STYLED}])[{_STYLES}]|(?<![{_VARIED}])[{_SELECTORS}])+"
    )
