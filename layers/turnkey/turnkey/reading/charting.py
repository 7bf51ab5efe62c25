"""How a chart is to be drawn, from the customer's words and the rows there are."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from turnkey.deliverables import fields
from turnkey.deliverables.charts import ChartError, match_field
from turnkey.deliverables.charts.kinds import read_kind
from turnkey.deliverables.charts.measures import read_measure
from turnkey.deliverables.charts.words import words
from turnkey.reading.drawn import BY, NOUN
from turnkey.tools import JsonObject

Row = dict[str, Any]

_MEASURED = re.compile(
    r"(?i)\b(?:average|mean|avg|total|sum of|lowest|highest|durchschnitt\w*|mittlere\w*|gesamt\w*|summe|moyen\w*|somme|"
    r"promedio|medi[oa]|suma|média|soma|somma|средн\w+|сумм\w+|ortalama|toplam)\b|平均|总和|合計|합계|평균|متوسط|مجموع"
)
# Years come in ranges by themselves where there are many.
_DECADE = re.compile(r"(?i)decade|jahrzehnt|décennie|década|decenni|десятилети|年代|十年|연대|عقد|on yıl")
_FEW, _MANY = 2, 12
"""Different values between which a field is worth grouping by."""


def grouping(message: str, subject: str, rows: Sequence[Row]) -> JsonObject | None:
    """The arguments of draw_chart that the words give; where they name no field, one that parts the rows well. None
    where no field does."""
    aside = set(words(subject))
    spoken = " ".join(word for word in message.split() if not set(words(word)) <= aside) or message
    measure = _measure(message, rows)
    named = _named(spoken)
    by_year = match_field("year", rows) if _DECADE.search(message) else None
    group_by = by_year or match_field(named, rows) or match_field(spoken, rows) or _parting(rows)
    if not group_by:
        return None
    kind = _kind(message)
    return {"group_by": group_by, "measure": measure, **({"kind": kind} if kind else {})}


def _named(spoken: str) -> str:
    """What stands behind "by": most plainly what is grouped by."""
    match = BY.search(spoken)
    return (match[1] or match[2] or spoken) if match else spoken


def _measure(message: str, rows: Sequence[Row]) -> str:
    """count, or such as average:price_eur."""
    match = _MEASURED.search(message)
    if not match:
        return "count"
    before_by = BY.split(message)[0] or message
    try:
        found = read_measure(f"{match.group()} {match_field(before_by[match.start() :], rows) or ''}", rows)
    except ChartError:
        return "count"
    return f"{found.operation}:{found.field}" if found.field else "count"


def _kind(message: str) -> str | None:
    """bar, line or pie, where the word for the picture says it, or the word before."""
    spoken = message.split()
    for place, word in enumerate(spoken):
        if NOUN.fullmatch(word):
            kind = read_kind(word) or (read_kind(spoken[place - 1]) if place else None)
            return {"column": "bar", "donut": "pie"}.get(kind, kind) if kind else None
    return None


def _parting(rows: Sequence[Row]) -> str | None:
    """The first field with a few different values, ids and texts of their own left out."""
    for name in rows[0] if rows else ():
        values = Counter(str(row.get(name)) for row in rows if isinstance(row.get(name), str | int))
        if not fields.is_key(name) and _FEW <= len(values) <= _MANY and len(values) < len(rows):
            return name
    return None
