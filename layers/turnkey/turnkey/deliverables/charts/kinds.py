"""Kinds of charts, as models and customers call them."""

from typing import Literal

from turnkey.deliverables.charts.aggregates import Aggregate
from turnkey.deliverables.charts.words import fold

Kind = Literal["bar", "column", "line", "pie", "donut"]
_NAMES: tuple[tuple[Kind, str], ...] = (
    ("donut", "donut doughnut ring anneau beignet кольцев 环形 ドーナツ 도넛 حلقي halka"),
    (
        "pie",
        "pie kuchen torte kreis camembert circulaire secteur circular pastel tarta pizza setores torta кругов "
        "饼 餅 円グラフ パイ 원형 파이 دائري pasta daire",
    ),
    (
        "line",
        "line linie trend verlauf zeitreihe courbe ligne linea линейн линия 折线 折線 折れ線 ライン 꺾은선 선형 라인 "
        "خطي خط cizgi",
    ),
    ("column", "column saule histogram vertical colonne columna coluna colonna столбч 柱 縦棒 세로 عمودي sutun"),
    ("bar", "bar balken horizontal barra barre полос 条形 棒 막대 شريطي cubuk"),
)
MOST_SLICES = 8


def read_kind(text: str) -> Kind | None:
    """The kind that a name means; None for none or an unknown one."""
    folded = fold(text)
    return next((kind for kind, names in _NAMES if any(fold(name) in folded for name in names.split())), None)


def suited(kind: Kind | None, found: Aggregate) -> Kind:
    """The kind asked for, where it can show the groups at all; else the one that does."""
    ordered = found.unit is not None or found.groups[0].kind in ("range", "number")
    usual: Kind = "line" if found.unit else "column" if ordered else "bar"
    if kind in ("pie", "donut") and not _are_parts(found):
        return "column" if ordered else "bar"
    if (kind or usual) == "line" and len(found.groups) == 1:
        return "column"
    if kind == "bar" and ordered:
        return "column"
    return kind or usual


def _are_parts(found: Aggregate) -> bool:
    """Whether the groups are parts of a whole, few enough to be told apart."""
    amounts = [group.value or 0 for group in found.groups]
    adds_up = found.measure.operation in ("count", "sum") and not found.repeated
    return adds_up and len(amounts) <= MOST_SLICES and min(amounts) >= 0 and sum(amounts) > 0
