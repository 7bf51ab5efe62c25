"""Which fields of an item make its card: the tenant's own mapping first, then names and formats."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

_TITLES = ("title", "name", "label", "headline", "display_name", "full_name", "product_name", "subject_line", "heading")
_SUBTITLES = (
    "subtitle",
    "author",
    "authors",
    "artist",
    "brand",
    "doctor",
    "specialty",
    "speciality",
    "kind",
    "type",
    "category",
    "start",
    "starts_at",
    "date",
    "when",
    "location",
    "address",
    "summary",
    "description",
)
_PRICES = ("price", "cost", "amount", "fee", "rate", "total_price", "unit_price")
_IMAGES = ("image", "image_url", "picture", "photo", "thumbnail", "cover", "cover_url", "img", "icon")
_LINKS = ("link", "url", "href", "web_url", "page", "permalink", "product_url")
_TIMES = ("start", "starts_at", "start_time", "time", "date", "when", "datetime", "begin")
_KEY = re.compile(r"(^|_)(id|ids|key|code|sku|isbn|number|no|uuid|slug|reference|ref)$")
_CURRENCY = re.compile(r"(?:^|_)(eur|usd|gbp|chf|jpy|cny|krw|try|rub|brl|pln|sek|nok|dkk|czk|huf|aud|cad|inr|mxn)$")

Row = Mapping[str, Any]


def is_key(name: str) -> bool:
    """Whether a field holds an id: what calls need, and customers do not."""
    return _KEY.search(plain(name)) is not None


def title_field(row: Row) -> str:
    """The field that names the item; a time where nothing else does, as with free appointments."""
    found = first(row, _TITLES) or _ending(row, "title") or _ending(row, "name") or first(row, _TIMES)
    return found or next((name for name, value in row.items() if isinstance(value, str) and not is_key(name)), "")


def subtitle_field(row: Row, title: str) -> str:
    return first({name: value for name, value in row.items() if name != title}, _SUBTITLES)


def price_field(row: Row) -> str:
    return first(row, _PRICES) or next((n for n in row if plain(n).startswith(("price_", "cost_", "fee_"))), "")


def image_field(row: Row) -> str:
    return first(row, _IMAGES)


def link_field(row: Row) -> str:
    return first(row, _LINKS)


def currency_of(name: str, row: Row) -> str:
    """Such as EUR, from the field's own name or from a field beside it; nothing where neither tells."""
    match = _CURRENCY.search(plain(name))
    if match:
        return match[1].upper()
    beside = row.get(first(row, ("currency", "currency_code")) or "", "")
    return beside if isinstance(beside, str) else ""


def first(row: Row, names: Iterable[str]) -> str:
    """The first of the names that the row has, whatever style it is written in, with a value in it."""
    have = {plain(name): name for name, value in row.items() if value not in (None, "", [], {})}
    return next((have[name] for name in names if name in have), "")


def plain(name: str) -> str:
    """snake_case of any style."""
    return re.sub(r"[\W_]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)).strip("_").lower()


def _ending(row: Row, end: str) -> str:
    return next((name for name, value in row.items() if plain(name).endswith(f"_{end}") and value), "")
