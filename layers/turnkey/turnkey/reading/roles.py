"""What an argument is for, by its name, its type and its description: what software can fill it with."""

import re
from typing import Literal

from turnkey.tools import JsonObject

Role = Literal[
    "query",
    "limit",
    "offset",
    "quantity",
    "max_price",
    "day",
    "clock",
    "moment",
    "email",
    "phone",
    "person",
    "language",
    "id",
    "choice",
    "entity",
    "other",
]

_QUERY = frozenset(
    ["query", "q", "search", "keywords", "keyword", "terms", "term", "topic", "subject", "text", "words"]
)
_LIMIT = frozenset(
    ["limit", "max_results", "page_size", "top", "top_k", "per_page", "maximum", "max_items", "n", "size"]
)
_OFFSET = frozenset(["offset", "skip", "start_index", "from"])
_QUANTITY = frozenset(
    [
        "quantity",
        "copies",
        "amount",
        "count",
        "number",
        "people",
        "persons",
        "guests",
        "party_size",
        "seats",
        "nights",
        "qty",
        "tickets",
        "units",
        "pieces",
    ]
)
_PERSON = re.compile(
    r"(customer|patient|guest|client|contact|full|your|person|holder|user|buyer|attendee)_?name$|^name$"
)
_OF_A_PERSON = re.compile(r"\b(?:customer|patient|guest|client|person|caller|who)\b", re.I)


def role(name: str, schema: JsonObject) -> Role:
    """The role of one argument."""
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().replace("-", "_")
    kind = schema.get("type")
    if kind in ("integer", "number"):
        return _number(plain)
    if kind not in ("string", None):
        return "other"
    if schema.get("enum"):
        return "choice"
    return _text(plain, str(schema.get("format", "")), str(schema.get("description", "")))


def _number(name: str) -> Role:
    if name in _LIMIT:
        return "limit"
    if name in _OFFSET:
        return "offset"
    if re.search(r"price|cost|budget", name):
        return "max_price" if re.search(r"max|limit|upto|up_to|budget|under|most", name) else "other"
    return "quantity" if name in _QUANTITY or name.split("_")[0] in ("copies", "guests") else "other"


def _text(name: str, form: str, description: str) -> Role:
    signs: tuple[tuple[Role, bool], ...] = (
        ("query", name in _QUERY),
        ("moment", form == "date-time"),
        ("clock", form == "time" or name in ("time", "hour", "at_time")),
        ("day", form == "date" or name.split("_")[-1] in ("date", "day") or "YYYY-MM-DD" in description.upper()),
        ("email", "email" in name or form == "email"),
        ("phone", "phone" in name or name in ("mobile", "telephone")),
        ("person", _is_person(name, description)),
        ("language", name in ("language", "lang", "locale")),
        ("id", re.search(r"(^|_)(id|number|no|code|ref|reference|sku|isbn)$", name) is not None),
    )
    for found, is_it in signs:
        if is_it:
            return found
    return "entity"


def _is_person(name: str, description: str) -> bool:
    if name == "name":
        return _OF_A_PERSON.search(description) is not None
    return _PERSON.search(name) is not None
