"""What is measured in each group, read from what models write: "count", "sum:price", "avg price", "mean(price_eur)"."""

import re
from collections.abc import Sequence
from typing import Literal

from turnkey.deliverables.charts.fields import ChartError, Row, named, paths, resolve, values
from turnkey.deliverables.charts.matching import concepts
from turnkey.deliverables.charts.numbers import read_numbers
from turnkey.deliverables.charts.words import alike, words
from turnkey.values import Value

Operation = Literal["count", "sum", "average", "min", "max"]

_NAMES: dict[Operation, tuple[str, ...]] = {
    "count": words(
        "count number frequency rows anzahl zahl nombre cantidad numero quantidade quantita количество число "
        "数量 件数 個数 個數 개수 건수 갯수 عدد sayısı sayı adet"
    ),
    "sum": words(
        "sum total summe gesamt somme suma soma somma totale сумма итого 总和 合计 总计 總和 合計 합계 مجموع "
        "إجمالي toplam"
    ),
    "average": words(
        "average avg mean durchschnitt durchschnittlich mittel mittelwert moyenne moyen promedio medio media "
        "médio média средний среднее средняя 平均 평균 متوسط معدل ortalama"
    ),
    "min": words(
        "min minimum lowest smallest cheapest least niedrigste kleinste günstigste minimo mínimo minimale минимум "
        "минимальный 最小 最低 최소 최저 أدنى أقل düşük"
    ),
    "max": words(
        "max maximum highest largest biggest most greatest höchste größte teuerste maximo máximo massimo maximale "
        "максимум максимальный 最大 最高 최대 최고 أعلى أقصى yüksek"
    ),
}  # fmt: skip
_GLUE = frozenset(words("of the a an in en der die das des de du la le les do da di del von per by for 的 の"))
_UNKNOWN = frozenset(words("median mode stddev std variance percentile distinct unique nunique"))
_LEVELS = frozenset({"price", "rating", "age", "temperature", "level", "duration", "year", "weight", "size"})
"""Fields whose total says nothing: named without an operation, their average is meant."""
_EXAMPLES = 200
_MOST_NUMBERS = 0.5


class Measure(Value):
    """`field` is a path; empty for a count of rows."""

    operation: Operation = "count"
    field: str = ""


def read_measure(text: str, rows: Sequence[Row]) -> Measure:
    """The measure that `text` means; empty text counts. Raises ChartError."""
    known = paths(rows)
    bare = next((path for path in known if text.strip() and words(path) == words(text)), "")
    operation, rest = ("", "") if bare else _split(text)
    if operation == "count" or not text.strip():
        return Measure()
    if operation and not rest:
        return Measure(operation=operation, field=_only_numeric(operation, rows))
    path = bare or resolve(rest or text.strip(), rows)
    if _is_numeric(path, rows):
        return Measure(operation=operation or _usual(path), field=path)
    if operation:
        raise ChartError(f"The field {path!r} holds no numbers, so it has no {operation}. {_choices(rows)}")
    # Named alone, a field that holds no numbers can only be counted.
    return Measure()


def _split(text: str) -> tuple[Operation | Literal[""], str]:
    """The operation named, and what is left of the text for the field's name."""
    spoken = re.findall(r"[^\s:()\[\]*,=]+", text)
    if any(word in _UNKNOWN for word in words(text)):
        raise ChartError(f"The measure {text!r} is unknown: it can be count, or sum, average, min or max of a field.")
    for place in sorted(range(len(spoken)), key=lambda place: len(words(spoken[place])) > 1):
        part = spoken[place]
        operation = _operation(part)
        if operation:
            rest = [word for word in spoken[:place] + spoken[place + 1 :] if word.casefold() not in _GLUE]
            hung = _hung(part, operation)
            return operation, " ".join([hung, *rest] if hung else rest)
    return "", ""


def _operation(part: str) -> Operation | Literal[""]:
    own = words(part)
    for operation, known in _NAMES.items():
        if any(alike(word, name) for word in own for name in known):
            return operation
    return ""


def _hung(part: str, operation: Operation) -> str:
    """What hangs together with the operation's name: price of sum_price, 价格 of 平均价格."""
    left = [word for word in words(part) if not any(alike(word, name) for name in _NAMES[operation])]
    if left:
        return " ".join(left)
    together = next((name for name in _NAMES[operation] if not name.isascii() and name in part and name != part), "")
    return part.replace(together, "") if together else ""


def _only_numeric(operation: str, rows: Sequence[Row]) -> str:
    numeric = _numeric(rows)
    if len(numeric) != 1:
        raise ChartError(f"Say which field the {operation} is of, such as {operation}:FIELD. {_choices(rows)}")
    return numeric[0]


def _choices(rows: Sequence[Row]) -> str:
    numeric = _numeric(rows)
    return (
        f"Fields with numbers: {named(numeric)}." if numeric else "No field holds numbers: measure can only be count."
    )


def _numeric(rows: Sequence[Row]) -> list[str]:
    return [path for path in paths(rows) if _is_numeric(path, rows)]


def _is_numeric(path: str, rows: Sequence[Row]) -> bool:
    step = max(1, len(rows) // _EXAMPLES)
    column = [value for row in rows[::step] for value in values(row, path)[:3]]
    numbers = [number for number in read_numbers(column) if number]
    return bool(column) and len(numbers) > len(column) * _MOST_NUMBERS


def _usual(path: str) -> Operation:
    return "average" if _LEVELS & concepts(path).keys() and "total" not in words(path) else "sum"
