"""Erasing what a tenant has: rows by partition, conversations by their index, objects by prefix.

The index by-tenant of the conversations table has one entry a conversation, that of its STATE row: STATE goes last, so
that an erasure that was cut off is found again. The index follows its table with a delay, below a second as a rule.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import datetime
from typing import Any, cast

from turnkey import ids
from turnkey.errors import Transient
from turnkey.store import clients
from turnkey.store.objects import passing
from turnkey.store.table import Table, from_wire, pause, to_wire

INDEX = "by-tenant"
PAGE = 25
"""Conversations looked at together."""
_AT_ONCE = 8
_BATCH = 25
"""Rows in one BatchWriteItem."""
_ATTEMPTS = 8

TimeLeft = Callable[[], bool]
"""Whether to go on; asked before each batch."""


class Eraser:
    """`tenants` and `conversations` are the tables' names."""

    def __init__(self, tenants: str, conversations: str, bucket: str) -> None:
        self.tenants = tenants
        self.conversations = conversations
        self._bucket = bucket

    def conversation_keys(self, tenant: str) -> Iterator[list[str]]:
        """Partition keys of the tenant's conversations, by pages. One that was just erased may still be among them."""
        request: dict[str, Any] = {
            "TableName": self.conversations,
            "IndexName": INDEX,
            "KeyConditionExpression": "tenant = :tenant",
            "ExpressionAttributeValues": to_wire({":tenant": ids.tenant_key(tenant)}),
            "Limit": PAGE,
        }
        for answer in _pages(request):
            yield [from_wire(item)["pk"] for item in answer["Items"]]

    def running(self, keys: list[str], now: datetime) -> set[str]:
        """Those of the conversations that a turn holds."""
        rows = Table(self.conversations).get_many((key, "STATE") for key in keys)
        seconds = int(now.timestamp())
        return {key for (key, _), row in rows.items() if "lease_turn" in row and row.get("lease_until", 0) >= seconds}

    def erase_conversations(self, keys: list[str], go_on: TimeLeft) -> tuple[int, int]:
        """How many conversations went whole, and how many rows. What is left when the time is over is found again."""
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            # Each thread acts for the tenant that this one acts for.
            runs = [pool.submit(copy_context().run, self._erase_conversation, key, go_on) for key in keys]
            counts = [run.result() for run in runs]
        return sum(whole for whole, _ in counts), sum(rows for _, rows in counts)

    def _erase_conversation(self, key: str, go_on: TimeLeft) -> tuple[bool, int]:
        rows = self.erase(self.conversations, key, go_on, but=("STATE",))
        last = self.erase(self.conversations, key, go_on)
        return last > 0, rows + last

    def erase(self, table: str, partition: str, go_on: TimeLeft, *, but: tuple[str, ...] = ()) -> int:
        """Erases a partition's rows, except those under the sort keys `but`. Returns how many went."""
        erased = 0
        for found in self._sort_keys(table, partition):
            keys = [key for key in found if key not in but]
            for start in range(0, len(keys), _BATCH):
                if not go_on():
                    return erased
                batch = keys[start : start + _BATCH]
                _delete(table, [to_wire({"pk": partition, "sk": key}) for key in batch])
                erased += len(batch)
        return erased

    def count(self, table: str, partition: str, *, but: tuple[str, ...] = ()) -> int:
        """How many rows a partition has, beside those under the sort keys `but`."""
        return sum(key not in but for found in self._sort_keys(table, partition) for key in found)

    def _sort_keys(self, table: str, partition: str) -> Iterator[list[str]]:
        request: dict[str, Any] = {
            "TableName": table,
            "KeyConditionExpression": "pk = :pk",
            "ExpressionAttributeValues": to_wire({":pk": partition}),
            "ProjectionExpression": "sk",
            "ConsistentRead": True,
        }
        for answer in _pages(request):
            yield [from_wire(item)["sk"] for item in answer["Items"]]

    def erase_objects(self, tenant: str, go_on: TimeLeft) -> int:
        """Returns how many objects went."""
        erased = 0
        for keys in self._object_keys(tenant):
            if not go_on():
                return erased
            if not keys:
                continue
            wanted: Any = {"Objects": [{"Key": key} for key in keys], "Quiet": True}
            answer = clients.s3().delete_objects(Bucket=self._bucket, Delete=wanted)
            erased += len(keys) - len(answer.get("Errors", []))
        return erased

    def count_objects(self, tenant: str) -> int:
        return sum(len(keys) for keys in self._object_keys(tenant))

    def _object_keys(self, tenant: str) -> Iterator[list[str]]:
        for prefix in (f"tenants/{tenant}/", passing(tenant, "")):
            for page in clients.s3().get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=prefix):
                yield [entry.get("Key", "") for entry in page.get("Contents", [])]


def _pages(request: dict[str, Any]) -> Iterator[Any]:
    while True:
        answer: Any = clients.dynamodb().query(**request)
        yield answer
        if "LastEvaluatedKey" not in answer:
            return
        request = {**request, "ExclusiveStartKey": answer["LastEvaluatedKey"]}


def _delete(table: str, keys: list[Any]) -> None:
    waiting: list[Any] = [{"DeleteRequest": {"Key": key}} for key in keys]
    for attempt in range(_ATTEMPTS):
        answer = clients.dynamodb().batch_write_item(RequestItems={table: waiting})
        waiting = cast(list[Any], answer.get("UnprocessedItems", {}).get(table, []))
        if not waiting:
            return
        pause(attempt)
    raise Transient(f"DynamoDB left {len(waiting)} rows of {table} undeleted: call again")
