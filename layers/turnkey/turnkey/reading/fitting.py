"""Which row of a list is meant by what the customer said."""

import re
from collections.abc import Sequence
from typing import Any

from turnkey.deliverables import fields
from turnkey.reading.dates import clock_times
from turnkey.reading.words import ids, ordinals, words

Row = dict[str, Any]


def fit(rows: Sequence[Row], message: str, subject: str, *, exactly: bool) -> Row | None:
    """The row meant: by an id, a clock time, its title, its place in the list, or because there is only one. With
    `exactly`, several that fit alike give none; otherwise the first of them."""
    for found in (
        [row for row in rows if _values(row) & set(ids(message))],
        _timed(rows, message),
        _titled(rows, f"{message} {subject}"),
        _placed(rows, message),
        list(rows) if len(rows) == 1 else [],
    ):
        if found:
            return found[0] if len(found) == 1 or not exactly else None
    return None


def _timed(rows: Sequence[Row], message: str) -> list[Row]:
    """Rows of a clock time that is named; of several days, the nearest."""
    times = [moment.strftime("%H:%M") for moment in clock_times(message)]
    fitting = [row for row in rows if any(_has_time(row, moment) for moment in times)]
    return fitting[:1]


def _has_time(row: Row, moment: str) -> bool:
    return any(re.search(rf"(?<!\d){moment}(?!\d)", value) for value in _values(row))


def _titled(rows: Sequence[Row], said: str) -> list[Row]:
    """Rows whose whole title is said; of those, the ones with the longest title."""
    spoken = set(words(said))
    sizes = [(len(title), row) for row in rows if (title := _title(row)) and title <= spoken]
    most = max((size for size, _ in sizes), default=0)
    return [row for size, row in sizes if size == most]


def _title(row: Row) -> set[str]:
    text = str(row.get(fields.title_field(row), ""))
    whole = set(words(text))
    return {word for word in whole if len(word) > 2} or whole


def _placed(rows: Sequence[Row], message: str) -> list[Row]:
    places = ordinals(message)
    if len(places) != 1:
        return []
    place = places[0] - 1 if places[0] > 0 else places[0]
    return [rows[place]] if -len(rows) <= place < len(rows) else []


def _values(row: Row) -> set[str]:
    return {str(value) for value in row.values() if isinstance(value, str | int)}
