"""From a tool's whole result to cards. Plain; the values are the tool's own, none is made up."""

from collections.abc import Collection
from typing import Any, cast
from urllib.parse import urlsplit

from turnkey import chat_tokens, hidden
from turnkey.deliverables import fields
from turnkey.deliverables.deliverable import MAX_CARDS, Card, Cards
from turnkey.deliverables.rows import Rows, find_rows
from turnkey.tools import CardFields, Tool

TITLE_CHARACTERS = 160
SUBTITLE_CHARACTERS = 240
LINK_CHARACTERS = 2000
"""Longer ones are cut where rows are read: half a link is none."""


def cards_from(text: str, tool: Tool, limit: int = MAX_CARDS, without: Collection[str] = ()) -> Cards | None:
    """Cards of a result, at most `limit`, leaving out those whose ids are in `without`. None where there is no item
    to show: an empty list, or no list at all."""
    rows = find_rows(text, tool.fields.items)
    return cards_of(rows, tool.fields, limit, without) if rows else None


def cards_of(rows: Rows, mapping: CardFields, limit: int, without: Collection[str]) -> Cards | None:
    made = (card_of(row, mapping) for row in rows.rows)
    kept = [card for card in made if card.title and not set(card.keys.values()) & set(without)]
    shown = tuple(kept[: min(limit, MAX_CARDS)])
    return Cards(cards=shown, total=max(rows.total - (len(rows.rows) - len(kept)), len(shown))) if shown else None


def card_of(row: dict[str, Any], mapping: CardFields) -> Card:
    title = mapping.title or fields.title_field(row)
    return Card(
        title=_text(row.get(title), TITLE_CHARACTERS),
        subtitle=_text(row.get(mapping.subtitle or fields.subtitle_field(row, title)), SUBTITLE_CHARACTERS),
        price=_price(row, mapping.price or fields.price_field(row)),
        image=_address(row.get(mapping.image or fields.image_field(row))),
        link=_address(row.get(mapping.link or fields.link_field(row))),
        keys={name: str(value) for name, value in row.items() if fields.is_key(name) and _is_plain(value)},
    )


def _text(value: Any, most: int) -> str:
    if isinstance(value, list):
        return ", ".join(_line(entry) for entry in cast(list[Any], value) if _is_plain(entry))[:most]
    return _line(value)[:most] if _is_plain(value) else ""


def _line(value: str | int | float) -> str:
    """What was escaped in the result may hide in it only now; later turns tell a model what was shown."""
    return " ".join(chat_tokens.broken(hidden.clean(str(value))).split())


def _price(row: dict[str, Any], name: str) -> str:
    """Such as 12.90 EUR."""
    value = row.get(name)
    if isinstance(value, bool) or not _is_plain(value):
        return ""
    number = f"{value:.2f}" if isinstance(value, float) else str(value)
    return f"{number} {fields.currency_of(name, row)}".strip()


def _address(value: Any) -> str:
    """An http(s) address, or nothing: a channel would run whatever else stands there."""
    if not isinstance(value, str) or len(value) >= LINK_CHARACTERS:
        return ""
    try:
        parts = urlsplit(value)
    except ValueError:
        return ""
    return value if parts.scheme in ("http", "https") and parts.hostname else ""


def _is_plain(value: Any) -> bool:
    return isinstance(value, str | int | float) and value != ""
