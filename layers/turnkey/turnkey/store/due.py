"""Which servers of all tenants are due to be looked at, and how far the round through them has come.

The platform's own work, so with its own credentials: IAM lets them read keys and times of the tenants table, nothing
that a tenant wrote. The round's place is in a partition of its own, PLATFORM#REFRESH: it is no tenant's, no tenant's
session may reach it, and deleting a tenant leaves it.
"""

from datetime import datetime
from typing import Any

from turnkey.mcp.registration import Registration
from turnkey.store import platform
from turnkey.store.table import Key, from_wire, to_wire
from turnkey.store.tenants import prefix
from turnkey.values import Value

PARTITION = "PLATFORM#REFRESH"
_CURSOR: Key = (PARTITION, "CURSOR")


class Due(Value):
    """A server that is to be looked at. `since` is when it became due, in seconds; 0: it was never looked at."""

    tenant: str
    server: str
    since: int


class Page(Value):
    """`following` is where the next page begins; None: this was the last."""

    due: tuple[Due, ...]
    following: Key | None


class DueStore:
    def __init__(self, table: str) -> None:
        self._table = table

    def page(self, start: Key | None, now: datetime) -> Page:
        """One page of the scan, at most 1 MB of the table. Eventually consistent: whoever looks at a server asks again
        whether it is due."""
        request: dict[str, Any] = {
            "TableName": self._table,
            "Select": "SPECIFIC_ATTRIBUTES",
            "ProjectionExpression": "pk, sk, due_at",
            "FilterExpression": "begins_with(sk, :server) AND (attribute_not_exists(due_at) OR due_at < :now)",
            "ExpressionAttributeValues": to_wire({":server": prefix(Registration), ":now": int(now.timestamp())}),
            **({"ExclusiveStartKey": _wire(start)} if start else {}),
        }
        answer = platform.dynamodb().scan(**request)
        last = answer.get("LastEvaluatedKey")
        following = from_wire(last) if last else None
        return Page(
            due=tuple(_due(from_wire(item)) for item in answer["Items"]),
            following=(following["pk"], following["sk"]) if following else None,
        )

    def place(self) -> Key | None:
        """Where the round goes on; None: at the beginning."""
        answer = platform.dynamodb().get_item(TableName=self._table, Key=_wire(_CURSOR), ConsistentRead=True)
        item = from_wire(answer.get("Item", {}))
        return (item["next_pk"], item["next_sk"]) if "next_pk" in item else None

    def keep_place(self, place: Key | None) -> None:
        pk, sk = _CURSOR
        where = {"next_pk": place[0], "next_sk": place[1]} if place else {}
        platform.dynamodb().put_item(TableName=self._table, Item=to_wire({"pk": pk, "sk": sk, **where}))


def _wire(key: Key) -> Any:
    return to_wire({"pk": key[0], "sk": key[1]})


def _due(item: dict[str, Any]) -> Due:
    tenant, server = item["pk"].partition("#")[2], item["sk"].partition("#")[2]
    return Due(tenant=tenant, server=server, since=item.get("due_at", 0))
