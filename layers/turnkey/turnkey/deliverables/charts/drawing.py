"""From a call of draw_chart and a stored result to the chart that is to be drawn."""

from turnkey.deliverables.charts.aggregates import aggregate
from turnkey.deliverables.charts.fields import ChartError
from turnkey.deliverables.charts.labels import alt, chart_title
from turnkey.deliverables.charts.specs import spec
from turnkey.deliverables.rows import find_rows
from turnkey.tools import JsonObject
from turnkey.values import Value


class Planned(Value):
    """A chart to be drawn: a Vega-Lite specification, and what deliverables.Chart says of it."""

    spec: JsonObject
    title: str
    alt: str
    rows: int
    total: int


def plan(arguments: JsonObject, text: str, language: str, title: str = "") -> Planned | str:
    """The chart of the rows in a result's whole `text`; or, for the model, why there can be none.

    `language` is the customer's (BCP 47; English where it is none of the twelve); `title` may be empty."""
    found = find_rows(text)
    if found is None:
        return f"The result {arguments['handle']} holds no list of rows, so there is nothing to draw."
    try:
        counted = aggregate(found, _text(arguments, "group_by"), _text(arguments, "measure"))
    except ChartError as error:
        return str(error)
    return Planned(
        spec=spec(counted, _text(arguments, "kind"), title, language),
        title=chart_title(counted, language, title),
        alt=alt(counted, language),
        rows=counted.rows,
        total=counted.total,
    )


def _text(arguments: JsonObject, name: str) -> str:
    return str(arguments.get(name) or "")
