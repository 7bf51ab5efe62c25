"""What changed between a tool's definition as the tenant approved it and as its server gives it now. Plain."""

import json
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Any, Literal, cast

from turnkey.mcp.registration import ToolDefinition
from turnkey.tools import JsonObject
from turnkey.values import Value

MOST = 40
"""Differences told of one tool; whoever changed more has made another tool of it."""
LONGEST = 1000
"""Characters told of what changed in a text. How many are not told is said."""
_AROUND = 30
"""Characters before and after it that were the same."""
_FEW = 8
DEEPEST = 12
"""Levels of a schema that are looked at one by one; what is below is compared whole."""


class Difference(Value):
    """One part of a definition, such as "description" or "input.properties.limit.maximum"."""

    part: str
    change: Literal["added", "removed", "changed"]
    before: str = ""
    after: str = ""


def differences(approved: ToolDefinition, found: ToolDefinition) -> tuple[Difference, ...]:
    """The parts that changed, at most MOST, each told so that a person sees what a terminal would hide. Kinds are
    ours, not the server's: they are not compared."""
    return tuple(islice(_compare(_words(approved), _words(found), ""), MOST))


def _words(tool: ToolDefinition) -> JsonObject:
    hints = {f"hint {name}": value for name, value in tool.hints.model_dump().items()}
    schemas = {"input": tool.input_schema, **({} if tool.output_schema is None else {"output": tool.output_schema})}
    return {"title": tool.title, "description": tool.description, **hints, **schemas}


def _compare(before: Any, after: Any, part: str, depth: int = 0) -> Iterator[Difference]:
    if isinstance(before, dict) and isinstance(after, dict) and depth < DEEPEST:
        yield from _fields(cast(JsonObject, before), cast(JsonObject, after), part, depth)
    elif _plain(before) != _plain(after):
        # As text even where it is equal to Python: 1 and true and 1.0 are three things to a server.
        as_text = str if isinstance(before, str) and isinstance(after, str) else _json
        told = _told(as_text(before), as_text(after))  # pyright: ignore[reportUnknownArgumentType]
        yield Difference(part=part, change="changed", before=told[0], after=told[1])


def _fields(before: JsonObject, after: JsonObject, part: str, depth: int) -> Iterator[Difference]:
    for name in dict.fromkeys((*before, *after)):
        place = f"{part}.{visible(name)}" if part else visible(name)
        if name not in after:
            yield Difference(part=place, change="removed", before=_told(_text(before[name]), "")[0])
        elif name not in before:
            yield Difference(part=place, change="added", after=_told("", _text(after[name]))[1])
        else:
            yield from _compare(before[name], after[name], place, depth + 1)


def _plain(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else _json(value)


def _told(before: str, after: str) -> tuple[str, str]:
    """What is between the parts that both begin and end with, and a little of those, made visible."""
    shorter = min(len(before), len(after))
    begin = _same(before, after, shorter)
    end = _same(before[::-1], after[::-1], shorter - begin)
    start, left = max(0, begin - _AROUND), max(0, end - _AROUND)
    told = [
        _window(text, start, len(text) - left) + _code_points(text[begin : len(text) - end]) for text in (before, after)
    ]
    return told[0], told[1]


def _code_points(changed: str) -> str:
    """Letters that look like others are told apart by their numbers, where few of them changed."""
    if changed.isascii() or len(changed) > _FEW:
        return ""
    return f" [{' '.join(f'U+{ord(character):04X}' for character in changed)}]"


def _same(one: str, other: str, most: int) -> int:
    """How many characters both begin with, at most `most`."""
    return next((place for place in range(most) if one[place] != other[place]), most)


def _window(text: str, start: int, end: int) -> str:
    shown = visible(text[start : min(end, start + LONGEST)])
    unshown = end - start - LONGEST
    more = f"… ({unshown:,} more characters)" if unshown > 0 else "…" if end < len(text) else ""
    return ("…" if start else "") + shown + more


_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Categories of characters that show as nothing, or move what stands around them."""
_BLANK = frozenset("\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800\u034f")
"""Letters and signs that show as nothing."""
_SELECTORS = ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF), (0x180B, 0x180F))
"""Variation selectors, first and last: each can carry a byte of a hidden message."""


def visible(text: str) -> str:
    """The text with every character that would not be seen written out, such as <U+200B>; a line break as ↵."""
    return "".join(_named(character) if _is_hidden(character) else character for character in text)


def _is_hidden(character: str) -> bool:
    if character in _BLANK or unicodedata.category(character) in _HIDDEN:
        return True
    if unicodedata.category(character) == "Zs":
        return character != " "
    return any(first <= ord(character) <= last for first, last in _SELECTORS)


def _named(character: str) -> str:
    return "↵" if character == "\n" else f"<U+{ord(character):04X}>"
