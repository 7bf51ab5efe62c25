"""The fields of rows: those inside objects by a path such as author.name, lists giving each of their values."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, cast

from turnkey.deliverables.charts.matching import Candidate, best, strong
from turnkey.deliverables.charts.words import words

Row = Mapping[str, Any]

_SAMPLE = 500
_DEPTH = 4
_NAMED = 20
"""Fields that an error names."""
_ABSENT = frozenset({"", "null", "nan", "n/a", "-", "–", "—", "undefined"})
_LABELS = ("name", "title", "label", "full_name", "fullName", "display_name", "displayName", "value", "text", "code")
_ENVELOPES = frozenset({"node", "attributes", "fields", "properties", "_source"})
"""Objects that only wrap a row's own fields."""


class ChartError(ValueError):
    """No chart can be drawn so. The message is for the model: what was wrong, and what there is instead."""


def paths(rows: Sequence[Row]) -> tuple[str, ...]:
    """Every field that holds values, in the order of their first row; rows are sampled evenly."""
    step = max(1, len(rows) // _SAMPLE)
    found: dict[str, None] = {}
    for row in rows[::step]:
        found.update(dict.fromkeys(_leaves(row, "", _DEPTH)))
    return tuple(found)


def values(row: Row, path: str) -> list[Any]:
    """The row's values at `path` that are no containers; empty where it has none."""
    return [value for value in _at(row, path) if not _is_absent(value)]


def resolve(name: str, rows: Sequence[Row]) -> str:
    """The path that `name` stands for, as a model writes it: exact, loosely spelt, a word for it in any language, or
    the object around it. Raises ChartError."""
    known = paths(rows)
    if name in known:
        return name
    found = _spelt(name, known) or match_field(name, rows)
    if not found:
        raise ChartError(_unknown(name, known))
    return found


def match_field(sentence: str, rows: Sequence[Row]) -> str | None:
    """The field that a customer's words ask for: "by language", "nach Sprache", "по авторам"; None where none fits."""
    known = paths(rows)
    return best(sentence, [Candidate(path, tuple(_examples(rows, path))) for path in known])


def named(known: Sequence[str]) -> str:
    """The fields, as an error names them."""
    more = f" and {len(known) - _NAMED} more" if len(known) > _NAMED else ""
    return f"{', '.join(known[:_NAMED])}{more}"


def _spelt(name: str, known: Sequence[str]) -> str | None:
    sought = words(name)
    if not sought:
        return None
    same = [path for path in known if words(path) == sought or _ends_with(path, sought)]
    inside = [path for path in known if _begins_with(path, sought)]
    return min(same, key=lambda path: path.count(".")) if same else _labelled(inside)


def _ends_with(path: str, sought: tuple[str, ...]) -> bool:
    steps = path.split(".")
    return any(words(".".join(steps[place:])) == sought for place in range(1, len(steps)))


def _begins_with(path: str, sought: tuple[str, ...]) -> bool:
    steps = [step for step in path.split(".") if step not in _ENVELOPES]
    return any(words(".".join(steps[:place])) == sought for place in range(1, len(steps)))


def _labelled(inside: Sequence[str]) -> str | None:
    """The field by which an object is known, of those in it."""
    ranked = [path for label in _LABELS for path in inside if path.rsplit(".", 1)[-1] == label]
    plain = [path for path in inside if strong(path)]
    return next(iter([*ranked, *plain, *inside]), None)


def _unknown(name: str, known: Sequence[str]) -> str:
    close = get_close_matches(name.casefold(), [path.casefold() for path in known], n=1)
    hint = next((f" Did you mean {path!r}?" for path in known if close and path.casefold() == close[0]), "")
    return f"The rows have no field {name!r}.{hint} Fields: {named(known)}."


def _examples(rows: Sequence[Row], path: str) -> Iterator[Any]:
    for row in rows[:5]:
        yield from values(row, path)[:1]


def _leaves(value: Any, path: str, depth: int) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in cast(Mapping[str, Any], value).items() if depth else ():
            yield from _leaves(inner, f"{path}.{key}" if path else key, depth - 1)
    elif isinstance(value, list):
        for inner in cast(list[Any], value)[:5]:
            yield from _leaves(inner, path, depth)
    elif path:
        yield path


def _at(value: Any, path: str) -> Iterator[Any]:
    if isinstance(value, list):
        for inner in cast(list[Any], value):
            yield from _at(inner, path)
    elif isinstance(value, Mapping):
        yield from _inside(cast(Mapping[str, Any], value), path)
    elif not path:
        yield value


def _inside(row: Row, path: str) -> Iterator[Any]:
    if path in row:
        yield from _at(row[path], "")
        return
    # A key may have dots of its own: the longest that is there.
    for place in sorted((place for place, mark in enumerate(path) if mark == "."), reverse=True):
        if path[:place] in row:
            yield from _at(row[path[:place]], path[place + 1 :])
            return


def _is_absent(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value.strip().casefold() in _ABSENT)
