"""What a turn has read of the public web: kept with the conversation, for a day.

Rows of a conversation:
  PAGE#<turn>#<hash of the address>     a page's text, so that one turn fetches it once
  ROBOTS#<turn>#<hash of its address>   a site's robots.txt, for the turn
  LINKS#<turn>#<hash>                   addresses that a search or a page has shown: those that may be read
"""

import gzip
import hashlib
import json
from datetime import datetime
from typing import TypeVar

from turnkey.public.pages import PageText
from turnkey.public.robots import Robots
from turnkey.store.table import Item, Table
from turnkey.turn.reference import TurnReference
from turnkey.values import Value

KEPT_SECONDS = 24 * 3600
MOST_BYTES = 300_000
"""Of a row; a page that takes more is fetched again."""
MOST_SHOWN = 20
"""Searches and pages, the newest, whose addresses may still be read."""
_Kind = TypeVar("_Kind", bound=Value)


class PageStore:
    def __init__(self, table: str) -> None:
        self._table = Table(table)

    def page(self, reference: TurnReference, url: str, now: datetime) -> PageText | None:
        return self._find(PageText, reference, "PAGE", url, now)

    def keep_page(self, reference: TurnReference, url: str, page: PageText, now: datetime) -> None:
        self._put(reference, "PAGE", url, page, now)

    def robots(self, reference: TurnReference, place: str, now: datetime) -> Robots | None:
        return self._find(Robots, reference, "ROBOTS", place, now)

    def keep_robots(self, reference: TurnReference, place: str, robots: Robots, now: datetime) -> None:
        self._put(reference, "ROBOTS", place, robots, now)

    def show(self, reference: TurnReference, source: str, urls: tuple[str, ...], now: datetime) -> None:
        """The addresses that `source`, a search or a page, has shown."""
        if urls:
            row = _row(reference, "LINKS", source, now)
            self._table.put({**row, "gzip": gzip.compress(json.dumps(urls).encode(), mtime=0)})

    def shown(self, reference: TurnReference, now: datetime) -> tuple[str, ...]:
        """Those of the newest searches and pages of the conversation."""
        items = self._table.query(reference.key, "LINKS#", newest_first=True, limit=MOST_SHOWN)
        rows = (json.loads(gzip.decompress(bytes(item["gzip"]))) for item in items if _is_good(item, now))
        return tuple(dict.fromkeys(url for row in rows for url in row))

    def _find(self, kind: type[_Kind], reference: TurnReference, name: str, place: str, now: datetime) -> _Kind | None:
        item = self._table.get((reference.key, _sort_key(reference, name, place)))
        if item is None or not _is_good(item, now):
            return None
        return kind.model_validate_json(gzip.decompress(bytes(item["gzip"])))

    def _put(self, reference: TurnReference, name: str, place: str, value: Value, now: datetime) -> None:
        packed = gzip.compress(value.model_dump_json().encode("utf-8", "surrogatepass"), compresslevel=6, mtime=0)
        if len(packed) <= MOST_BYTES:
            self._table.put({**_row(reference, name, place, now), "gzip": packed})


def _row(reference: TurnReference, name: str, place: str, now: datetime) -> Item:
    expires = int(now.timestamp()) + KEPT_SECONDS
    return {"pk": reference.key, "sk": _sort_key(reference, name, place), "expires_at": expires}


def _sort_key(reference: TurnReference, name: str, place: str) -> str:
    return f"{name}#{reference.turn:010d}#{hashlib.sha256(place.encode('utf-8', 'replace')).hexdigest()[:32]}"


def _is_good(item: Item, now: datetime) -> bool:
    return int(item["expires_at"]) > now.timestamp()
