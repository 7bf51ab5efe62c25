"""Vega-Lite specifications. All data is inline and under fixed names: a spec fetches nothing and computes nothing."""

from math import ceil, floor
from typing import Any

from turnkey.deliverables.charts import labels as says
from turnkey.deliverables.charts import layout
from turnkey.deliverables.charts.aggregates import Aggregate
from turnkey.deliverables.charts.bins import nice, rounded
from turnkey.deliverables.charts.kinds import Kind, read_kind, suited
from turnkey.deliverables.charts.layout import Labels
from turnkey.deliverables.charts.vocabulary import phrase
from turnkey.deliverables.charts.wrapping import directed, is_right_to_left

Spec = dict[str, Any]

_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
_MOST_POINTS = 40
_LINES = "split(datum.label, '\\n')"
_PLACES = 6
_TICKS = 6
_GIANT = 5


def spec(found: Aggregate, kind: str = "", title: str = "", language: str = "en") -> Spec:
    """A Vega-Lite specification of the chart. `kind` and `title` may be empty: then the groups decide, and the title
    tells what is measured by what. `usermeta.language` tells the renderer whose glyphs to use."""
    chosen = suited(read_kind(kind), found)
    shown = found if chosen in ("pie", "donut") else _without_giant_rest(found)
    heading: Spec = {"text": layout.title_lines(says.chart_title(found, language, title))}
    if beside := says.left_out(found, shown, language):
        heading["subtitle"] = [directed(line) for line in beside]
    drawn = {"bar": _bars, "pie": _pie, "donut": _pie}.get(chosen, _columns)(shown, chosen, language)
    return {
        "$schema": _SCHEMA,
        "description": says.alt(found, language),
        "usermeta": {"language": language},
        "title": heading,
        "width": layout.WIDTH,
        **drawn,
        "config": _config(language),
    }


def _without_giant_rest(found: Aggregate) -> Aggregate:
    """Without all the smaller groups together, where next to their bar no other could be read."""
    named = [group for group in found.groups if group.kind != "other"]
    rest = sum(abs(group.value or 0) for group in found.groups if group.kind == "other")
    largest = max((abs(group.value or 0) for group in named), default=0)
    return found.model_copy(update={"groups": tuple(named)}) if rest > largest * _GIANT else found


def _bars(found: Aggregate, kind: Kind, language: str) -> Spec:
    """Horizontal bars: labels of any length stay readable."""
    placed = layout.beside(says.labels(found, language))
    figures = says.amounts(found, language)
    back = is_right_to_left(language)
    scale = {**_scale(found, layout.headroom(figures, placed.room)), "reverse": back}
    across = {"field": "value", "type": "quantitative", "scale": scale, "axis": _values_axis(found, scale, language)}
    names = _names_axis(placed, says.group_title(found, language)) | {"orient": "right" if back else "left"}
    outside = "datum.value < 0" if not back else "datum.value >= 0"
    text = {"align": {"expr": f"{outside} ? 'right' : 'left'"}, "dx": {"expr": f"{outside} ? -6 : 6"}}
    return {
        "data": {"values": _values(found, placed, figures)},
        "height": {"step": placed.step},
        "autosize": {"type": "fit-x", "contains": "padding"},
        "encoding": {"y": {"field": "label", "type": "nominal", "sort": None, "axis": names}, "x": across},
        "layer": [
            {"mark": {"type": "bar", "cornerRadiusEnd": 2}, "encoding": {"color": _muted()}},
            {"mark": {"type": "text", **text}, "encoding": {"text": {"field": "figure"}}},
        ],
    }


def _columns(found: Aggregate, kind: Kind, language: str) -> Spec:
    """Columns or a line: groups in an order of their own, from left to right as the language reads."""
    numbers = [int(group.start) for group in found.groups] if found.unit else None
    placed = layout.below(says.labels(found, language), numbers, months=found.unit == "month")
    figures = says.amounts(found, language)
    back = is_right_to_left(language)
    told = layout.fits_above(figures, line=kind == "line")
    scale = _scale(found, 1.12 if told else 1.05, kind)
    up = _values_axis(found, scale, language) | {"orient": "right" if back else "left"}
    names = _names_axis(placed, says.group_title(found, language)) | {
        "values": placed.shown,
        "labelAngle": placed.angle,
    }
    x = {"field": "label", "type": "ordinal", "sort": None, "axis": names, "scale": {"reverse": back}}
    y = {"field": "value", "type": "quantitative", "scale": scale, "axis": up}
    text = {"mark": {"type": "text", "dy": -11, "baseline": "bottom" if kind == "line" else "middle"},
            "encoding": {"text": {"field": "figure"}}}  # fmt: skip
    return {
        "data": {"values": _values(found, placed, figures)},
        "height": layout.HEIGHT,
        "autosize": {"type": "fit", "contains": "padding"},
        "encoding": {"x": x, "y": y},
        "layer": [_mark(kind, len(figures)), *([text] if told else [])],
    }


def _mark(kind: Kind, groups: int) -> Spec:
    if kind == "line":
        point = {"filled": True, "size": 60, "color": layout.COLOR} if groups <= _MOST_POINTS else False
        return {
            "mark": {"type": "line", "strokeWidth": 3, "strokeJoin": "round", "color": layout.COLOR, "point": point}
        }
    return {"mark": {"type": "bar", "cornerRadiusEnd": 2}, "encoding": {"color": _muted()}}


def _pie(found: Aggregate, kind: Kind, language: str) -> Spec:
    """Slices, the figures in the legend: there they fit, however small the slice."""
    whole = sum(group.value or 0 for group in found.groups)
    names = says.labels(found, language)
    figures = says.amounts(found, language)
    shares = [says.percent((group.value or 0) / whole, language) for group in found.groups]
    texts = [f"{name}: {figure} ({share})" for name, figure, share in zip(names, figures, shares, strict=True)]
    placed = layout.beside(texts)
    legend = {"title": layout.axis_lines(says.group_title(found, language)), "labelExpr": _LINES,
              "orient": "left" if is_right_to_left(language) else "right", "labelLimit": layout.WIDTH}  # fmt: skip
    color = {"field": "label", "type": "nominal", "sort": None, "legend": legend,
             "scale": {"domain": placed.texts, "range": list(layout.PALETTE[: len(texts)])}}  # fmt: skip
    return {
        "data": {"values": _values(found, placed, figures)},
        "height": layout.HEIGHT,
        "autosize": {"type": "fit", "contains": "padding"},
        "mark": {"type": "arc", "stroke": "white", "strokeWidth": 2, "innerRadius": 70 if kind == "donut" else 0},
        "encoding": {
            "theta": {"field": "value", "type": "quantitative"},
            "order": {"field": "order", "type": "quantitative"},
            "color": color,
        },
    }


def _values(found: Aggregate, placed: Labels, figures: list[str]) -> list[Spec]:
    return [
        {
            "label": label,
            "value": None if group.value is None else round(group.value, _PLACES),
            "figure": figure,
            "muted": group.kind in ("other", "missing"),
            "order": order,
        }
        for order, (group, label, figure) in enumerate(zip(found.groups, placed.texts, figures, strict=True))
    ]


def _muted() -> Spec:
    """What is no group of its own is grey."""
    return {"condition": {"test": "datum.muted", "value": layout.MUTED}, "value": layout.COLOR}


def _scale(found: Aggregate, headroom: float, kind: Kind = "bar") -> Spec:
    """From nought, since a bar's length is its value; a line of averages may begin higher."""
    known = [group.value for group in found.groups if group.value is not None] or [0.0]
    low, high = min(known), max(known)
    first = min(low, 0.0)
    if kind == "line" and found.measure.operation not in ("count", "sum") and low > high / 2:
        first = low - (high - low) * 0.2
    last = max(high, 0.0)
    span = (last - first) or 1.0
    top = last + span * (headroom - 1) if last else 0.0
    return {"domain": [first - (span * (headroom - 1) if first < 0 else 0.0), top or 1.0], "nice": False, "zero": False}


def _values_axis(found: Aggregate, scale: Spec, language: str) -> Spec:
    first, last = scale["domain"]
    whole = all(group.value.is_integer() for group in found.groups if group.value is not None)
    step = max(nice((last - first) / _TICKS), 1.0 if whole else 0.0)
    return {
        "title": layout.axis_lines(says.measure_title(found, language)),
        "values": [rounded(step * place) for place in range(ceil(first / step), floor(last / step) + 1)],
        "format": ",.6~f",
        "grid": True,
        "ticks": False,
        "labelFlush": False,
    }


def _names_axis(placed: Labels, title: str) -> Spec:
    return {
        "title": layout.axis_lines(title),
        "labelExpr": _LINES,
        "labelLimit": 0,
        "labelOverlap": False,
        "maxExtent": layout.WIDTH,
        "ticks": False,
        "grid": False,
        "labelPadding": 8,
    }


def _config(language: str) -> Spec:
    back = is_right_to_left(language)
    decimal, thousands = phrase("decimal", language), phrase("thousands", language)
    number = {"decimal": decimal, "thousands": thousands, "grouping": [3], "currency": ["", ""]}
    plain = {
        "labelFontSize": layout.FONT,
        "titleFontSize": layout.FONT,
        "labelColor": "#222222",
        "titleColor": "#555555",
    }
    return {
        "font": "Noto Sans, sans-serif",
        "background": "white",
        "padding": 18,
        "locale": {"number": number},
        "view": {"stroke": None},
        "title": {"fontSize": layout.TITLE_FONT, "subtitleFontSize": layout.FONT, "fontWeight": "normal", "offset": 16,
                  "anchor": "end" if back else "start", "frame": "bounds", "color": "#111111",
                  "align": "right" if back else "left"},
        "axis": {**plain, "titleFontWeight": "normal", "titlePadding": 12, "gridColor": "#E3E3E3",
                 "domainColor": "#999999"},
        "legend": {**plain, "titleFontWeight": "normal", "symbolSize": 220, "rowPadding": 10},
        "text": {"fontSize": 15, "color": "#222222"},
    }  # fmt: skip
