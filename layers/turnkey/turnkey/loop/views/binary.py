"""Binary data that hides in text: base64 or hex is named, never shown. Small models choke on it, and it costs much.

A run counts as binary when it is longer than 400 characters of the base64 alphabet without a break and changes between
capitals, small letters and digits as often as encoded bytes do (64 % of the places in base64, 47 % in hex; words run
together, paths and camelCase stay under 35 %), or repeats itself as encoded zeros do. Digits alone are a number,
letters of one case a sequence or words: both stay. So does all text in other scripts, which the alphabet has not.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from zlib import compress

LONGEST = 400
"""Characters of a run that may stay whatever it is."""
_LONGEST_IN_DATA_URI = 100
_LINE = 60
"""Encoders that break lines do so at 64 or 76 characters, all lines but the last alike."""

_CHANGING = 0.38
"""Share of places where the kind of character changes, from which on a run is taken for binary."""
_CHANGING_WITHOUT_DIGITS = 0.55
_REPETITIVE = 0.12
"""Compressed to less than this, it repeats itself: encoded zeros and patterns, nothing to read."""

_BLOCK = 200
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-\\\r\n"
_LOOSE = re.compile(r"[A-Za-z0-9+/=_\-\\\r\n]*")
# A backslash may begin an escape of JSON: it must not lose its other half. `\/` is a slash in a run.
_BREAK = re.compile(r"\\u[0-9a-fA-F]{4}|\\[^/]|[\r\n]+")
_DATA_URI = re.compile(r";base64,((?:[A-Za-z0-9+/=_-]++|\\/)++)")
_KINDS = str.maketrans(dict.fromkeys(_ALPHABET[:26], "A") | dict.fromkeys(_ALPHABET[26:52], "a"))
_DIGITS = str.maketrans(dict.fromkeys("123456789", "0"))
_REPEATED = re.compile(r"(.)\1{3,}")
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")


def without_binary(text: str) -> str:
    """`text` with each binary run replaced by its name and size; the same object where there is none. Linear time."""
    pieces: list[str] = []
    shown = 0
    for start, end in sorted({*_in_data_uris(text), *_runs(text)}):
        if start >= shown:
            kind = "hex" if _HEX.fullmatch(text, start, end) else "base64"
            pieces += [text[shown:start], f"[{kind} data, {end - start:,} characters: not shown]"]
        shown = max(shown, end)
    return "".join([*pieces, text[shown:]]) if pieces else text


def _in_data_uris(text: str) -> Iterator[tuple[int, int]]:
    for found in _DATA_URI.finditer(text) if ";base64," in text else ():
        if found.end() - found.start(1) > _LONGEST_IN_DATA_URI:
            yield found.span(1)


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """A run of more than 400 characters covers a whole block of 200: only such blocks are looked at closely."""
    position = 0
    while position + _BLOCK <= len(text):
        if _LOOSE.fullmatch(text, position, position + _BLOCK) is None:
            position += _BLOCK
            continue
        before = text[max(0, position - _BLOCK) : position]
        start = position - len(before) + len(before.rstrip(_ALPHABET))
        found = _LOOSE.match(text, position)
        end = found.end() if found else position
        yield from _binary_within(text, start, end)
        position = end + _BLOCK - end % _BLOCK


def _binary_within(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    pieces = list(_pieces(text, start, end))
    number = 0
    while number < len(pieces):
        last = number
        width = pieces[number][1] - pieces[number][0]
        while width >= _LINE and last + 1 < len(pieces) and _continues(pieces[last], pieces[last + 1], width):
            last += 1
        first, until = pieces[number][0], pieces[last][1]
        if until - first > LONGEST and _is_binary(text[first:until]):
            yield first, until
        number = last + 1


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    breaks = [(start, start), *(found.span() for found in _BREAK.finditer(text, start, end)), (end, end)]
    yield from ((left[1], right[0]) for left, right in pairwise(breaks) if right[0] > left[1])


def _continues(line: tuple[int, int], following: tuple[int, int], width: int) -> bool:
    """Whether two pieces are lines of one run: the first is full, the second no longer and only a line break away."""
    return line[1] - line[0] == width >= following[1] - following[0] and following[0] - line[1] <= 4


def _is_binary(run: str) -> bool:
    """Judged by 2,000 characters of the beginning and of the middle."""
    run = run if len(run) <= 4000 else run[:2000] + run[len(run) // 2 :][:2000]
    run = _BREAK.sub("", run).replace("\\", "")
    plain = run.translate(_KINDS).translate(_DIGITS)
    if not {"A", "a", "/", "+"} & set(plain):
        return False
    letter, times = Counter(run).most_common(1)[0]
    if times * 2 > len(run) and not letter.isdigit():
        return True
    if len(compress(run.encode())) < _REPETITIVE * len(run):
        return True
    kinds = _REPEATED.sub(r"\1", run).translate(_KINDS).translate(_DIGITS)
    changes = sum(kinds.count(change) for change in ("Aa", "aA", "A0", "0A", "a0", "0a"))
    # Words in camelCase change as often when they are short, but hold no digits.
    return changes > (_CHANGING if kinds.count("0") > 0.02 * len(kinds) else _CHANGING_WITHOUT_DIGITS) * len(kinds)
