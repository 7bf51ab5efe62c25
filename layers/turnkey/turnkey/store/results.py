"""Tool results that the model saw only in part, kept whole: in a row, or in an object where they are larger.

Row RESULT#<turn>#<handle>, compressed; above ROW_BYTES the row names an object instead.
"""

import gzip
import hashlib
from datetime import datetime

from turnkey.store.conversations import MESSAGE_DAYS
from turnkey.store.objects import ObjectStore, passing
from turnkey.store.table import Item, Table
from turnkey.turn.reference import TurnReference

ROW_BYTES = 300_000
_DAY = 24 * 3600


class ResultStore:
    """Results of a turn by handle. Writing one again leaves it as it is."""

    def __init__(self, table: str, objects: ObjectStore) -> None:
        self._table = Table(table)
        self._objects = objects

    def put(self, reference: TurnReference, handle: str, text: str, now: datetime) -> None:
        packed = gzip.compress(text.encode("utf-8", "surrogatepass"), compresslevel=3, mtime=0)
        expires = int(now.timestamp()) + MESSAGE_DAYS * _DAY
        row: Item = {"pk": reference.key, "sk": _sort_key(reference, handle), "expires_at": expires}
        if len(packed) <= ROW_BYTES:
            self._table.put({**row, "gzip": packed})
            return
        key = _object_key(reference, handle)
        self._objects.put(key, packed)
        self._table.put({**row, "object": key})

    def find(self, reference: TurnReference, handle: str) -> str | None:
        """The whole result, or None when the turn has none of that handle."""
        row = self._table.get((reference.key, _sort_key(reference, handle)))
        if row is None:
            return None
        packed = bytes(row["gzip"]) if "gzip" in row else self._objects.find(row["object"])
        return gzip.decompress(packed).decode("utf-8", "surrogatepass") if packed is not None else None


def _sort_key(reference: TurnReference, handle: str) -> str:
    return f"RESULT#{reference.turn:010d}#{handle}"


def _object_key(reference: TurnReference, handle: str) -> str:
    """By a hash of the conversation: its id may hold anything."""
    conversation = hashlib.sha256(reference.key.encode()).hexdigest()[:32]
    return passing(reference.tenant, f"results/{conversation}/{reference.turn}/{handle}")
