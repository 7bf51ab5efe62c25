"""Which group each row falls into: by text, truth, number, range of numbers or period of time, as the values suit."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from turnkey.deliverables.charts import bins
from turnkey.deliverables.charts.dates import Moment, read_moments
from turnkey.deliverables.charts.fields import ChartError, Row, values
from turnkey.deliverables.charts.matching import is_timely
from turnkey.deliverables.charts.numbers import Number, read_numbers
from turnkey.deliverables.charts.periods import Unit, choose_unit, period
from turnkey.deliverables.charts.words import words

GroupKind = Literal["text", "yes", "no", "number", "range", "period", "other", "missing"]
_MOST_NUMBERS = 12
"""Different numbers up to which each is a group of its own."""
_NEARLY_ALL = 0.9
_CODES = frozenset(words("id ids uuid zip postcode postal plz phone isbn code sku"))
_LONGEST = 200


class Key(NamedTuple):
    """A group's identity. `value`: folded text, the number, the range's or the period's number; else empty."""

    kind: GroupKind
    value: str | float = ""


MISSING = Key("missing")


class Grouping(NamedTuple):
    """keys: for each row the groups it falls into, at least one."""

    keys: list[tuple[Key, ...]]
    texts: dict[Key, str] = {}
    edges: tuple[float, ...] = ()
    whole: bool = False
    unit: Unit | None = None
    number_unit: str = ""


def group(rows: Sequence[Row], path: str, asked: Unit | None = None) -> Grouping:
    """The groups of `rows` by the field at `path`; `asked` is the period wanted, if any. Raises ChartError."""
    column = [values(row, path) for row in rows]
    flat = [value for cell in column for value in cell]
    if not flat:
        raise ChartError(f"The field {path!r} is empty in all rows: choose another one to group by.")
    return _by_time(column, flat, path, asked) or _by_truth(column, flat) or _by_number(column, flat, path) or _by_text(
        column, flat
    )  # fmt: skip


def _by_time(column: list[list[Any]], flat: list[Any], path: str, asked: Unit | None) -> Grouping | None:
    moments = read_moments(flat, is_timely(path))
    known = [moment for moment in moments if moment]
    if len(known) < _NEARLY_ALL * len(flat):
        return None
    unit = choose_unit(known, asked)

    def key(moment: Moment | None) -> Key:
        return Key("period", period(moment, unit)) if moment else MISSING

    return Grouping(_spread(column, moments, key), unit=unit)


def _by_truth(column: list[list[Any]], flat: list[Any]) -> Grouping | None:
    texts = [str(value).strip().casefold() for value in flat]
    if not set(texts) <= {"true", "false"}:
        return None
    return Grouping(_spread(column, texts, lambda text: Key("yes" if text == "true" else "no")))


def _by_number(column: list[list[Any]], flat: list[Any], path: str) -> Grouping | None:
    numbers = read_numbers(flat)
    known = [number for number in numbers if number]
    units = {number.unit for number in known}
    if len(known) < _NEARLY_ALL * len(flat) or len(units) > 1 or _are_codes(flat, path):
        return None
    amounts = [number.value for number in known]
    whole = all(amount.is_integer() for amount in amounts)
    unit = units.pop()
    if len(set(amounts)) <= _MOST_NUMBERS:
        return Grouping(_spread(column, numbers, _number_key), whole=whole, number_unit=unit)
    limits = bins.edges(amounts, whole)

    def key(number: Number | None) -> Key:
        return Key("range", bins.place(number.value, limits)) if number else MISSING

    return Grouping(_spread(column, numbers, key), edges=limits, whole=whole, number_unit=unit)


def _by_text(column: list[list[Any]], flat: list[Any]) -> Grouping:
    """Spellings that differ in case or spaces alone are one group, named as most rows have it."""
    spelt: dict[Key, Counter[str]] = defaultdict(Counter)
    for value in flat:
        text = _text(value)
        spelt[_text_key(text)][text] += 1
    texts = {key: spellings.most_common(1)[0][0] for key, spellings in spelt.items()}
    return Grouping(_spread(column, [_text(value) for value in flat], _text_key), texts=texts)


def _spread(column: list[list[Any]], flat: Sequence[Any], key: Callable[[Any], Key]) -> list[tuple[Key, ...]]:
    """The keys of `flat`, row by row again; a row counts once in each of its groups."""
    left = iter(flat)
    return [tuple(dict.fromkeys(key(next(left)) for _ in cell)) or (MISSING,) for cell in column]


def _number_key(number: Number | None) -> Key:
    return Key("number", number.value) if number else MISSING


def _text_key(text: str) -> Key:
    return Key("text", text.casefold())


def _text(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return " ".join(str(value).split())[:_LONGEST]


def _are_codes(flat: list[Any], path: str) -> bool:
    """Whether the numbers only name things: by the field's name, or since they begin with a nought."""
    leading = any(isinstance(value, str) and value[:1] == "0" and value[1:].isdigit() for value in flat)
    return leading or bool(_CODES & set(words(path.rsplit(".", 1)[-1])))
