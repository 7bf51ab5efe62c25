"""One DynamoDB table: items as plain dicts, conditions as text, and the errors the platform tells apart."""

import random
import time
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any, cast

from boto3.dynamodb.types import TypeDeserializer, TypeSerializer
from botocore.exceptions import ClientError

from turnkey.errors import Transient
from turnkey.store import clients, platform

Item = dict[str, Any]
Key = tuple[str, str]
"""Partition key and sort key."""

_CONFLICT_ATTEMPTS = 6
_BATCH = 100
_serialise: Callable[[Any], Any] = TypeSerializer().serialize  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
_deserialise: Callable[[Any], Any] = TypeDeserializer().deserialize


class ConditionFailed(Exception):
    """A write's condition did not hold. `failed` has the positions of the failed writes; `item` the row as it was,
    where it was asked for."""

    def __init__(self, failed: tuple[int, ...] = (0,), item: Item | None = None) -> None:
        super().__init__(f"condition failed for {failed}")
        self.failed = failed
        self.item = item


def to_wire(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _serialise(value) for name, value in values.items()}


def from_wire(item: Mapping[str, Any]) -> Item:
    """Whole numbers come back as int; there are no others in our rows."""
    return {name: _plain(_deserialise(value)) for name, value in item.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return int(value)
    if isinstance(value, list):
        return [_plain(entry) for entry in cast(list[Any], value)]
    return value


class Table:
    """Reads are strongly consistent throughout: every decision here is about what was just written."""

    def __init__(self, name: str) -> None:
        self.name = name

    def get(self, key: Key) -> Item | None:
        answer = clients.dynamodb().get_item(TableName=self.name, Key=_key(key), ConsistentRead=True)
        return from_wire(answer["Item"]) if "Item" in answer else None

    def get_many(self, keys: Iterable[Key]) -> dict[Key, Item]:
        """Those of the rows that exist."""
        found: dict[Key, Item] = {}
        waiting = [_key(key) for key in dict.fromkeys(keys)]
        for attempt in range(_CONFLICT_ATTEMPTS):
            if not waiting:
                return found
            batch, rest = waiting[:_BATCH], waiting[_BATCH:]
            answer = clients.dynamodb().batch_get_item(
                RequestItems={self.name: {"Keys": batch, "ConsistentRead": True}}
            )
            for raw in answer["Responses"].get(self.name, []):
                item = from_wire(raw)
                found[item["pk"], item["sk"]] = item
            unread = cast(list[Any], answer.get("UnprocessedKeys", {}).get(self.name, {}).get("Keys", []))
            if unread:
                pause(attempt)
            waiting = unread + rest
        raise Transient(f"DynamoDB left {len(waiting)} rows of {self.name} unread")

    def query(
        self, partition: str, prefix: str, *, newest_first: bool = False, limit: int = 0, after: str = ""
    ) -> list[Item]:
        """Rows of a partition whose sort key begins with `prefix` (empty: all), in order; `limit` 0 is no limit. With
        `after`, in place of a prefix, those behind that sort key."""
        sort = after or prefix
        chosen = " AND sk > :sk" if after else " AND begins_with(sk, :sk)" if prefix else ""
        request: dict[str, Any] = {
            "TableName": self.name,
            "KeyConditionExpression": f"pk = :pk{chosen}",
            "ExpressionAttributeValues": to_wire({":pk": partition, **({":sk": sort} if sort else {})}),
            "ConsistentRead": True,
            "ScanIndexForward": not newest_first,
            **({"Limit": limit} if limit else {}),
        }
        items: list[Item] = []
        while True:
            answer = clients.dynamodb().query(**request)
            items += [from_wire(item) for item in answer["Items"]]
            last = answer.get("LastEvaluatedKey")
            if not last or (limit and len(items) >= limit):
                return items
            request["ExclusiveStartKey"] = last

    def scan(self, prefix: str) -> list[Item]:
        """Rows of every partition whose sort key begins with `prefix`. Reads the whole table, with the platform's
        own credentials: for operators alone."""
        request: dict[str, Any] = {
            "TableName": self.name,
            "FilterExpression": "begins_with(sk, :sk)",
            "ExpressionAttributeValues": to_wire({":sk": prefix}),
        }
        items: list[Item] = []
        while True:
            answer = platform.dynamodb().scan(**request)
            items += [from_wire(item) for item in answer["Items"]]
            last = answer.get("LastEvaluatedKey")
            if not last:
                return items
            request["ExclusiveStartKey"] = last

    def put(self, item: Item, *, condition: str = "", values: Mapping[str, Any] | None = None) -> None:
        """Raises ConditionFailed, with the row as it was."""
        self._write("put_item", {"Item": to_wire(item), **_conditions(condition, values)})

    def delete(self, key: Key, *, condition: str = "", values: Mapping[str, Any] | None = None) -> None:
        """Raises ConditionFailed, with the row as it was."""
        self._write("delete_item", {"Key": _key(key), **_conditions(condition, values)})

    def update(
        self, key: Key, expression: str, *, condition: str = "", values: Mapping[str, Any] | None = None
    ) -> Item:
        """The row after the update. Raises ConditionFailed, with the row as it was."""
        request = {"Key": _key(key), "UpdateExpression": expression, **_conditions(condition, values)}
        answer = self._write("update_item", {**request, "ReturnValues": "ALL_NEW"})
        return from_wire(answer["Attributes"])

    def put_write(self, item: Item, *, condition: str = "", values: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """A put as one part of `transact`."""
        return {"Put": {"TableName": self.name, "Item": to_wire(item), **_conditions(condition, values)}}

    def update_write(
        self, key: Key, expression: str, *, condition: str = "", values: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """An update as one part of `transact`."""
        request = {"TableName": self.name, "Key": _key(key), "UpdateExpression": expression}
        return {"Update": {**request, **_conditions(condition, values)}}

    def delete_write(self, key: Key, *, condition: str = "", values: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """A deletion as one part of `transact`."""
        return {"Delete": {"TableName": self.name, "Key": _key(key), **_conditions(condition, values)}}

    def transact(self, *writes: dict[str, Any]) -> None:
        """All writes or none. Raises ConditionFailed with the positions whose condition did not hold."""
        for attempt in range(_CONFLICT_ATTEMPTS):
            try:
                clients.dynamodb().transact_write_items(TransactItems=cast(Any, list(writes)))
                return
            except ClientError as error:
                codes = _cancellation_codes(error)
                failed = tuple(place for place, code in enumerate(codes) if code == "ConditionalCheckFailed")
                if failed:
                    raise ConditionFailed(failed) from error
                if "TransactionConflict" not in codes:
                    raise
            pause(attempt)
        raise Transient("DynamoDB kept reporting a transaction conflict")

    def _write(self, operation: str, request: dict[str, Any]) -> Any:
        call: Callable[..., Any] = getattr(clients.dynamodb(), operation)
        try:
            return call(TableName=self.name, ReturnValuesOnConditionCheckFailure="ALL_OLD", **request)
        except ClientError as error:
            if error.response.get("Error", {}).get("Code") != "ConditionalCheckFailedException":
                raise
            item = cast(dict[str, Any], error.response.get("Item") or {})
            raise ConditionFailed(item=from_wire(item) if item else None) from error


def _key(key: Key) -> Any:
    return to_wire({"pk": key[0], "sk": key[1]})


def _conditions(condition: str, values: Mapping[str, Any] | None) -> dict[str, Any]:
    return {
        **({"ConditionExpression": condition} if condition else {}),
        **({"ExpressionAttributeValues": to_wire(values)} if values else {}),
    }


def _cancellation_codes(error: ClientError) -> list[str]:
    reasons = cast(list[dict[str, str]], error.response.get("CancellationReasons", []))
    if error.response.get("Error", {}).get("Code") == "TransactionInProgressException":
        return ["TransactionConflict"]
    return [reason.get("Code", "") for reason in reasons]


def pause(attempt: int) -> None:
    """Exponential with full jitter: 0 to 50, 100, 200 … milliseconds."""
    time.sleep(random.uniform(0, 0.05 * 2**attempt))  # noqa: S311 - not for secrecy
