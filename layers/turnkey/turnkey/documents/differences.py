"""What changed between two versions, as a unified diff of bounded size and bounded work."""

from collections.abc import Iterator, Sequence
from difflib import unified_diff

from turnkey.documents import cleaning

MOST = 4_000
"""Characters of a diff."""
_LINES = 2_000
"""Changed lines that are compared one by one. Beyond that one block stands for another."""
_LONG = 400
"""Characters of a line from which on only the changed part of it is shown."""
_AROUND = 60
_CONTEXT = 3
_NO_NEWLINE = "\\ No newline at end of file"


def diff(before: str, after: str, named: tuple[str, str], most: int = MOST) -> str:
    """A unified diff, lines of context included; empty where nothing changed that shows. Cut at a line, which it then
    says."""
    old, new = _lines(before), _lines(after)
    if old == new:
        return ""
    return _bounded(list(_unified(*_shortened(old, new), named)), most)


def _lines(text: str) -> list[str]:
    """Each with its newline, so that the lack of one shows."""
    lines = [f"{line}\n" for line in cleaning.unified(text).split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _unified(old: list[str], new: list[str], named: tuple[str, str]) -> Iterator[str]:
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    changed = max(len(old), len(new)) - start - end
    if changed <= _LINES:
        yield from _plain(unified_diff(old, new, *named, n=_CONTEXT))
        return
    yield from (f"--- {named[0]}", f"+++ {named[1]}")
    yield f"@@ -{start + 1},{len(old) - start - end} +{start + 1},{len(new) - start - end} @@"
    yield from _plain(f"-{line}" for line in old[start : len(old) - end])
    yield from _plain(f"+{line}" for line in new[start : len(new) - end])


def _plain(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        ended = line.endswith("\n")
        yield line.rstrip("\n").rstrip("\r")
        if not ended and line[:1] in ("-", "+", " "):
            yield _NO_NEWLINE


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    count = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        count += 1
    return count


def _shortened(old: list[str], new: list[str]) -> tuple[list[str], list[str]]:
    """Where single long lines became others, a paragraph without a line end, say, only what changed in each."""
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    olds, news = old[start : len(old) - end], new[start : len(new) - end]
    if len(olds) != len(news) or len(olds) > _LINES:
        return old, new
    pairs = [_shorter(one, other) for one, other in zip(olds, news, strict=True)]
    return (
        [*old[:start], *(one for one, _ in pairs), *old[len(old) - end :]],
        [*new[:start], *(other for _, other in pairs), *new[len(new) - end :]],
    )


def _shorter(one: str, other: str) -> tuple[str, str]:
    if one == other or max(len(one), len(other)) <= _LONG:
        return one, other
    start = _common(one, other)
    end = _common(one[start:][::-1], other[start:][::-1])
    return _part(one, start, end), _part(other, start, end)


def _part(line: str, start: int, end: int) -> str:
    left, right = max(0, start - _AROUND), min(len(line), len(line) - end + _AROUND)
    newline = "\n" if line.endswith("\n") and right < len(line) else ""
    return f"{'…' if left else ''}{line[left:right]}{'…' if right < len(line) else ''}{newline}"


def _bounded(lines: list[str], most: int) -> str:
    size = 0
    for number, line in enumerate(lines):
        size += len(line) + 1
        if size > most:
            room = most - (size - len(line) - 1)
            head = [*lines[:number], *([f"{line[: room - 1]}…"] if number <= _CONTEXT and room > 1 else [])]
            return "\n".join([*head, f"… {len(lines) - len(head):,} more lines"])
    return "\n".join(lines)
