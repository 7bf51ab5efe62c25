"""The question that a turn ends with whose calls wait for the customer's word."""

from typing import Any

from turnkey.deliverables.cards import card_of
from turnkey.deliverables.rows import find_rows
from turnkey.deliverables.single import find_object
from turnkey.reply import confirm_text
from turnkey.tools import CardFields
from turnkey.turn.journal import Journal, results, unconfirmed
from turnkey.turn.record import TurnRecord


def question(record: TurnRecord, journal: Journal) -> str:
    """What the customer is asked at the end of this turn, or nothing."""
    waiting = unconfirmed(journal)
    if not waiting:
        return ""
    calls = [(call.title, call.arguments) for call in waiting]
    return confirm_text.question(calls, names(record, journal), record.language)


def names(record: TurnRecord, journal: Journal) -> dict[str, str]:
    """What ids stand for, by the results that the customer's tools gave: B001 is Moby-Dick."""
    shown = ((item.title, item.keys) for one in record.history if one.handed for item in one.handed.items)
    rows = (row for result in results(journal) if result.status == "ok" for row in _rows(result.text))
    cards = (card_of(row, CardFields()) for row in rows)
    found = [*shown, *((card.title, card.keys) for card in cards)]
    return {key: title for title, keys in found for key in keys.values() if title and title != key}


def _rows(text: str) -> list[dict[str, Any]]:
    rows, whole = find_rows(text), find_object(text)
    return [*(rows.rows if rows else ()), *([whole] if whole else [])]
