"""Everything a chart says in words and figures, in the customer's language."""

from turnkey.deliverables.charts import periods
from turnkey.deliverables.charts.aggregates import Aggregate, Group
from turnkey.deliverables.charts.matching import concepts, strong, units
from turnkey.deliverables.charts.vocabulary import phrase, title
from turnkey.deliverables.charts.words import split

_NEARLY = 0.999
_LARGE = 1000
_MOST_DECIMALS = 2
_ALT_GROUPS = 12
_ALT_LENGTH = 500
_ENVELOPES = ("node", "attributes", "_source", "properties", "fields")
_LABELS = ("name", "title", "label", "value", "display_name", "displayName", "full_name", "fullName")


def number(value: float, language: str, decimals: int = 0, money: bool = False) -> str:
    """The number as the language writes it, with at most `decimals` places; none of them idle, except for money."""
    text = f"{abs(value):,.{decimals}f}"
    whole, _, fraction = text.partition(".")
    fraction = fraction if money else fraction.rstrip("0")
    whole = whole.replace(",", phrase("thousands", language))
    mark = phrase("decimal", language) if fraction else ""
    sign = "−" if value < 0 and (whole.strip("0") or fraction) else ""
    return f"{sign}{whole}{mark}{fraction}"


def decimals(values: list[float]) -> int:
    """How many places the values of one chart need: none where they are whole or large."""
    if all(value.is_integer() for value in values) or max(map(abs, values), default=0) >= _LARGE:
        return 0
    smallest = min((abs(value) for value in values if value), default=1)
    places = _MOST_DECIMALS
    while smallest * 10**places < 1 and places < _MOST_DECIMALS * 3:
        places += 1
    return places


def amounts(found: Aggregate, language: str) -> list[str]:
    """Each group's value, empty where it has none."""
    places = decimals([group.value for group in found.groups if group.value is not None])
    money = places == _MOST_DECIMALS and found.money
    return ["" if group.value is None else number(group.value, language, places, money) for group in found.groups]


def percent(share: float, language: str) -> str:
    return phrase("percent", language, number=number(share * 100, language))


def labels(found: Aggregate, language: str) -> list[str]:
    """Each group's name, no two the same."""
    named = [_label(group, found, language) for group in found.groups]
    return [name if named.index(name) == place else f"{name} ({named[: place + 1].count(name)})"
            for place, name in enumerate(named)]  # fmt: skip


def _label(group: Group, found: Aggregate, language: str) -> str:
    if group.kind == "text":
        return group.text
    if group.kind == "period" and found.unit:
        return periods.label(int(group.start), found.unit, language)
    if group.kind == "number":
        return number(group.start, language, _places(group.start))
    if group.kind == "range":
        return _range(group, found.whole, language)
    return phrase(group.kind, language)


def _range(group: Group, whole: bool, language: str) -> str:
    start, end = group.start, group.end - 1 if whole else group.end
    if start == end:
        return number(start, language)
    return f"{number(start, language, _places(start))}–{number(end, language, _places(end))}"


def _places(value: float) -> int:
    return next((places for places in range(7) if round(value, places) == value), 6)


def field_title(path: str, language: str, unit: str = "") -> str:
    """What an axis calls a field: the usual word where one is known, else its own name made readable."""
    plain = _plain(path)
    about = concepts(plain)
    known = next((concept for concept, share in about.items() if share >= _NEARLY), "")
    own = [word for word in split(plain) if word.casefold() in strong(plain)] or split(plain)
    name = title(known, language) if known else _capital(" ".join(own))
    told = unit or " ".join(units(plain)).upper()
    return f"{name} ({told})" if told and told.casefold() != name.casefold() else name


def _plain(path: str) -> str:
    """The path without what only wraps or labels: author of node.author.name."""
    steps = [step for step in path.split(".") if step not in _ENVELOPES]
    if len(steps) > 1 and steps[-1] in _LABELS:
        steps.pop()
    return ".".join(steps)


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]


def group_title(found: Aggregate, language: str) -> str:
    return field_title(found.field, language, found.group_unit)


def measure_title(found: Aggregate, language: str) -> str:
    """What the values are: "Count", "Average price (EUR)"."""
    measure = found.measure
    if not measure.field:
        return phrase("count", language)
    name = field_title(measure.field, language, found.value_unit)
    return _capital(phrase(measure.operation, language, field=name, lower=_lower(name)))


def chart_title(found: Aggregate, language: str, given: str = "") -> str:
    """`given`, else what is measured by what; and of how many rows, where they are only a part of all."""
    group, measure = group_title(found, language), measure_title(found, language)
    parts = {"measure": measure, "field": group, "lower": _lower(group), "lower_measure": _lower(measure)}
    name = given.strip() or phrase("by", language, **parts)
    if found.total <= found.rows:
        return name
    part = phrase("part", language, rows=number(found.rows, language), total=number(found.total, language))
    return f"{name} ({part})"


def _lower(name: str) -> str:
    """The name within a sentence: abbreviations stay as they are."""
    return name if name[1:2].isupper() else name[:1].lower() + name[1:]


def left_out(found: Aggregate, shown: Aggregate, language: str) -> list[str]:
    """What the picture cannot show and says under its title: rows without a date, the rest of the groups."""
    told = [(phrase("missing", language), number(found.undated, language))] if found.undated else []
    pairs = zip(labels(found, language), amounts(found, language), found.groups, strict=True)
    told += [(label, amount) for label, amount, group in pairs if group not in shown.groups]
    return [f"{label}: {amount}" for label, amount in told]


def alt(found: Aggregate, language: str = "en") -> str:
    """The picture in words: each group and its value, at most a few hundred characters."""
    unit = f" {found.value_unit}" if found.value_unit else ""
    pairs = zip(labels(found, language), amounts(found, language), strict=True)
    told = [f"{label}: {amount}{unit}" for label, amount in pairs if amount]
    shown = told[:_ALT_GROUPS]
    while len(", ".join(shown)) > _ALT_LENGTH and len(shown) > 1:
        shown.pop()
    rest = len(told) - len(shown)
    more = f", {phrase('more', language, number=str(rest))}" if rest else ""
    return f"{', '.join(shown)}{more}"
