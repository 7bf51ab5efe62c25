"""Charts: rows counted or aggregated by a field, and the specification of the picture. Rules only; drawing it is
`deliverables.rendering`."""

from turnkey.deliverables.charts.aggregates import Aggregate, Group, aggregate
from turnkey.deliverables.charts.fields import ChartError, match_field
from turnkey.deliverables.charts.labels import alt, chart_title
from turnkey.deliverables.charts.specs import spec

__all__ = ["Aggregate", "ChartError", "Group", "aggregate", "alt", "chart_title", "match_field", "spec"]
