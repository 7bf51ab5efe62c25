"""Counting and aggregating rows by a field: what a chart shows, in no language yet."""

from collections.abc import Iterable, Sequence
from math import inf
from typing import NamedTuple

from turnkey.deliverables.charts.fields import ChartError, Row, resolve, values
from turnkey.deliverables.charts.grouping import MISSING, Grouping, GroupKind, Key, group
from turnkey.deliverables.charts.matching import asked_unit, concepts
from turnkey.deliverables.charts.measures import Measure, read_measure
from turnkey.deliverables.charts.numbers import read_numbers
from turnkey.deliverables.charts.order import scale_of
from turnkey.deliverables.charts.periods import Unit
from turnkey.deliverables.rows import Rows
from turnkey.values import Value

MOST_GROUPS = 20
_OTHER = Key("other")
_MOST_PERIODS = 400
_PRICED = frozenset({"price", "amount"})


class Group(Value):
    """`value` is None in a period of which there is nothing to average. `start` and `end` are a range's edges, or
    `start` is a period's number or the number itself."""

    kind: GroupKind
    text: str = ""
    start: float = 0
    end: float = 0
    value: float | None
    rows: int


class Aggregate(Value):
    """Groups in the order they are shown in. `rows` were counted; `total` is how many there are in all."""

    field: str
    measure: Measure
    groups: tuple[Group, ...]
    rows: int
    total: int
    unit: Unit | None = None
    whole: bool = False
    group_unit: str = ""
    value_unit: str = ""
    money: bool = False
    repeated: bool = False
    """A row may be in several groups: shares of the whole say nothing."""
    undated: int = 0
    """Rows without a date, which a chart over time leaves out."""


class _Tally(NamedTuple):
    rows: int = 0
    numbers: int = 0
    sum: float = 0
    low: float = inf
    high: float = -inf


def aggregate(found: Rows, group_by: str, measure: str = "count", most: int = MOST_GROUPS) -> Aggregate:
    """The rows counted or aggregated by a field, both as models write them; at most `most` groups, the smaller ones in
    one together, unless they are periods. Raises ChartError, whose message names the fields that there are."""
    rows = found.rows
    if not rows:
        raise ChartError("The result has no rows to draw.")
    path = resolve(group_by, rows)
    measured = read_measure(measure, rows)
    grouping = group(rows, path, asked_unit(group_by))
    columns, unit, money = _numbers(rows, measured)
    tallies = _tallied(grouping.keys, columns)
    if not grouping.unit and len(tallies) > most:
        kept = _largest(tallies, measured, most - 1)
        keys = [tuple(dict.fromkeys(key if key in kept else _OTHER for key in row)) for row in grouping.keys]
        tallies = _tallied(keys, columns)
    every = [_group(key, tally, grouping, measured) for key, tally in _ordered(tallies, grouping, measured)]
    groups = tuple(one for one in every if one.value is not None or one.kind == "period")
    if all(one.value is None for one in groups):
        raise ChartError(f"No row has both {path!r} and a number in {measured.field!r}: choose other fields.")
    return Aggregate(
        field=path,
        measure=measured,
        groups=groups,
        rows=len(rows),
        total=max(found.total, len(rows)),
        unit=grouping.unit,
        whole=grouping.whole,
        group_unit=grouping.number_unit,
        value_unit=unit,
        money=money,
        repeated=any(len(row) > 1 for row in grouping.keys),
        undated=sum(MISSING in row for row in grouping.keys) if grouping.unit else 0,
    )


def _numbers(rows: Sequence[Row], measure: Measure) -> tuple[list[list[float]] | None, str, bool]:
    """Each row's numbers in the measured field, their unit, and whether it is money; None where rows are counted."""
    if not measure.field:
        return None, "", False
    column = [values(row, measure.field) for row in rows]
    numbers = read_numbers(value for cell in column for value in cell)
    currencies = sorted({number.unit for number in numbers if number and number.money})
    if len(currencies) > 1:
        raise ChartError(f"The field {measure.field!r} has several currencies: {', '.join(currencies)}. Count instead.")
    units = {number.unit for number in numbers if number} - {""}
    left = iter(numbers)
    amounts = [[number.value for _ in cell if (number := next(left))] for cell in column]
    unit = units.pop() if len(units) == 1 else ""
    return amounts, unit, bool(currencies) or bool(_PRICED & concepts(measure.field).keys())


def _tallied(keys: Sequence[tuple[Key, ...]], columns: list[list[float]] | None) -> dict[Key, _Tally]:
    tallies: dict[Key, _Tally] = {}
    for place, row in enumerate(keys):
        amounts = columns[place] if columns is not None else ()
        for key in row:
            tallies[key] = _added(tallies.get(key, _Tally()), amounts)
    return tallies


def _added(tally: _Tally, amounts: Iterable[float]) -> _Tally:
    tally = tally._replace(rows=tally.rows + 1)
    for amount in amounts:
        low, high = min(tally.low, amount), max(tally.high, amount)
        tally = _Tally(tally.rows, tally.numbers + 1, tally.sum + amount, low, high)
    return tally


def _value(tally: _Tally, measure: Measure) -> float | None:
    if measure.operation == "count":
        return float(tally.rows)
    if not tally.numbers:
        return None
    return {
        "sum": tally.sum,
        "average": tally.sum / tally.numbers,
        "min": tally.low,
        "max": tally.high,
    }[measure.operation]


def _largest(tallies: dict[Key, _Tally], measure: Measure, count: int) -> set[Key]:
    """The groups to keep: the largest by what adds up, else those of most rows, since one row's average says little."""
    adds_up = measure.operation in ("count", "sum")

    def size(key: Key) -> float:
        return abs(_value(tallies[key], measure) or 0) if adds_up else tallies[key].rows

    ranked = sorted((key for key in tallies if key != MISSING), key=size, reverse=True)
    return {*ranked[: count - (MISSING in tallies)], *({MISSING} & tallies.keys())}


def _ordered(tallies: dict[Key, _Tally], grouping: Grouping, measure: Measure) -> Iterable[tuple[Key, _Tally]]:
    """Time, numbers and known scales in their own order, all else the largest first; the rest and the missing last."""
    if grouping.unit:
        return _every_period(tallies)
    last = [key for key in (_OTHER, MISSING) if key in tallies]
    first = [key for key in tallies if key not in last]
    scale = scale_of([grouping.texts.get(key, "") for key in first]) if _OTHER not in tallies else None
    if first and first[0].kind in ("number", "range"):
        first.sort(key=lambda key: float(key.value))
    elif scale:
        first.sort(key=lambda key: scale(grouping.texts[key]))
    else:
        first.sort(key=lambda key: -(_value(tallies[key], measure) or 0))
    return [(key, tallies[key]) for key in [*first, *last]]


def _every_period(tallies: dict[Key, _Tally]) -> list[tuple[Key, _Tally]]:
    """All periods from the first to the last, those without rows too: a line must not leap over them."""
    numbers = sorted(int(key.value) for key in tallies if key.kind == "period")
    every = range(numbers[0], numbers[-1] + 1)
    shown = every if len(every) <= _MOST_PERIODS else numbers
    return [(Key("period", number), tallies.get(Key("period", number), _Tally())) for number in shown]


def _group(key: Key, tally: _Tally, grouping: Grouping, measure: Measure) -> Group:
    value = _value(tally, measure)
    if key.kind == "period" and value is None and measure.operation == "sum":
        value = 0.0
    start = float(key.value) if isinstance(key.value, int | float) else 0.0
    end = start
    if key.kind == "range":
        start, end = grouping.edges[int(key.value)], grouping.edges[int(key.value) + 1]
    return Group(kind=key.kind, text=grouping.texts.get(key, ""), start=start, end=end, value=value, rows=tally.rows)
