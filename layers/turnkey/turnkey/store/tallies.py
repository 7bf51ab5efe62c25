"""How often each tool's results were too large to be shown whole: one row a tool, counted up.

Row (TENANT#<id>#TOOLS, CUT#<server>#<tool>): cuts, full and shown (characters, summed), days (on which it happened).
"""

from datetime import datetime
from typing import Any

from turnkey import ids
from turnkey.store.table import Table
from turnkey.values import Value

TALLY_DAYS = 90
_DAY = 24 * 3600


class CutTally(Value):
    """Of one tool. `full` and `shown` are characters over all cuts together."""

    server: str
    tool: str
    cuts: int
    full: int
    shown: int
    days: tuple[str, ...]


class TallyStore:
    def __init__(self, table: str) -> None:
        self._table = Table(table)

    def add_write(self, tenant: str, server: str, tool: str, full: int, shown: int, now: datetime) -> dict[str, Any]:
        """The write that counts one cut up: part of the transaction that ends the call, so that none counts twice."""
        return self._table.update_write(
            (_partition(tenant), f"CUT#{server}#{tool}"),
            "ADD cuts :one, full_size :full, shown_size :shown, days :days SET expires_at = :expires",
            values={
                ":one": 1,
                ":full": full,
                ":shown": shown,
                ":days": {now.date().isoformat()},
                ":expires": int(now.timestamp()) + TALLY_DAYS * _DAY,
            },
        )

    def cuts(self, tenant: str) -> tuple[CutTally, ...]:
        """Most often cut first."""
        tallies = [_read(item["sk"], item) for item in self._table.query(_partition(tenant), "CUT#")]
        return tuple(sorted(tallies, key=lambda tally: -tally.cuts))


def _partition(tenant: str) -> str:
    return ids.partition(tenant, ids.TOOLS)


def _read(sort_key: str, item: dict[str, object]) -> CutTally:
    _, server, tool = sort_key.split("#", 2)
    return CutTally.model_validate(
        {
            "server": server,
            "tool": tool,
            "cuts": item["cuts"],
            "full": item["full_size"],
            "shown": item["shown_size"],
            "days": sorted(item["days"]),  # type: ignore[type-var]
        }
    )
