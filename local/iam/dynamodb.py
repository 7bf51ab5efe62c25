"""What a request to DynamoDB touches: actions on tables, each with the partition keys it names (LeadingKeys).

https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from local.account import ACCOUNT_ID, REGION
from local.deployment import Table
from local.iam.values import Access, UnreadableRequest

_Parameters = Mapping[str, Any]
_ONE_ITEM = {"GetItem": "Key", "PutItem": "Item", "UpdateItem": "Key", "DeleteItem": "Key"}
_TRANSACTED = {
    "Put": ("PutItem", "Item"),
    "Update": ("UpdateItem", "Key"),
    "Delete": ("DeleteItem", "Key"),
    "ConditionCheck": ("ConditionCheckItem", "Key"),
    "Get": ("GetItem", "Key"),
}
"""Each part of a transaction needs the right to do that alone."""
_NAME = re.compile(r"(?<![\w:#.])[#\w]+")
_NOT_NAMES = re.compile(r"AND|OR|NOT|IN|BETWEEN|begins_with|contains|size|attribute_(not_)?exists|attribute_type")
_EQUALITY = re.compile(r"([\w.#-]+)\s*=\s*(:\w+)")


class Tables:
    """The deployment's tables and indexes, by name, with the attribute that is their partition key."""

    def __init__(self, tables: Iterable[Table]) -> None:
        self._hashes: dict[tuple[str, str], str] = {}
        for table in tables:
            self._hashes[table.name, ""] = _hash(table.schema)
            for kind in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes"):
                for index in table.schema.get(kind, []):
                    self._hashes[table.name, index["IndexName"]] = _hash(index)

    def partition_key(self, table: str, index: str = "") -> str:
        """Raises UnreadableRequest."""
        if (table, index) not in self._hashes:
            raise UnreadableRequest(f"there is no table {table} {index}".rstrip())
        return self._hashes[table, index]


def _hash(schema: Mapping[str, Any]) -> str:
    return next(key["AttributeName"] for key in schema["KeySchema"] if key["KeyType"] == "HASH")


def accesses(operation: str, parameters: _Parameters, tables: Tables) -> Iterator[Access]:
    """Parameters as boto3 takes them and JSON carries them. Raises UnreadableRequest."""
    if operation in _ONE_ITEM:
        yield _access(operation, parameters["TableName"], [parameters[_ONE_ITEM[operation]]], tables)
    elif operation in ("BatchGetItem", "BatchWriteItem"):
        for table, request in parameters["RequestItems"].items():
            yield _access(operation, table, _batched(request), tables)
    elif operation in ("TransactWriteItems", "TransactGetItems"):
        for entry in parameters["TransactItems"]:
            [(kind, part)] = entry.items()
            action, field = _TRANSACTED[kind]
            yield _access(action, part["TableName"], [part[field]], tables)
    elif operation == "Query":
        yield _query(parameters, tables)
    elif operation == "Scan":
        yield _scan(parameters)
    else:
        # Whatever else there is names no partition: PartiQL, what is about the table itself.
        resource = _arn(str(parameters["TableName"])) if "TableName" in parameters else "*"
        yield Access(f"dynamodb:{operation}", resource)


def _scan(parameters: _Parameters) -> Access:
    """A scan names no partition, but it may name the attributes that it is about."""
    names: dict[str, str] = parameters.get("ExpressionAttributeNames", {})
    given = ("ProjectionExpression", "FilterExpression")
    words: list[str] = [word for part in given for word in _NAME.findall(parameters.get(part, ""))]
    context: dict[str, tuple[str, ...]] = {
        "dynamodb:attributes": tuple(
            dict.fromkeys(names.get(word, word) for word in words if not _NOT_NAMES.fullmatch(word))
        ),
        "dynamodb:select": (str(parameters["Select"]),) if "Select" in parameters else (),
    }
    return Access("dynamodb:Scan", _arn(parameters["TableName"]), context)


def _access(action: str, table: str, items: Iterable[Mapping[str, Any]], tables: Tables) -> Access:
    key = tables.partition_key(_name(table))
    leading = tuple(_text(item[key]) for item in items)
    return Access(f"dynamodb:{action}", _arn(table), {"dynamodb:leadingkeys": leading})


def _batched(request: Any) -> Iterator[Mapping[str, Any]]:
    """Keys of a batch that reads, keys and items of one that writes."""
    if isinstance(request, dict):
        yield from request["Keys"]
        return
    for entry in request:
        [part] = entry.values()
        yield part.get("Item") or part["Key"]


def _query(parameters: _Parameters, tables: Tables) -> Access:
    table, index = str(parameters["TableName"]), str(parameters.get("IndexName", ""))
    key = tables.partition_key(_name(table), index)
    leading = _text(_queried(parameters, key))
    resource = f"{_arn(table)}/index/{index}" if index else _arn(table)
    return Access("dynamodb:Query", resource, {"dynamodb:leadingkeys": (leading,)})


def _queried(parameters: _Parameters, key: str) -> Mapping[str, Any]:
    """The value that the partition key must have. Raises UnreadableRequest."""
    if "KeyConditions" in parameters:
        return parameters["KeyConditions"][key]["AttributeValueList"][0]
    names = parameters.get("ExpressionAttributeNames", {})
    found = [
        value for name, value in _EQUALITY.findall(parameters["KeyConditionExpression"]) if names.get(name, name) == key
    ]
    if len(found) != 1:
        raise UnreadableRequest(f"the query names its partition {len(found)} times")
    return parameters["ExpressionAttributeValues"][found[0]]


def _text(value: Mapping[str, Any]) -> str:
    [text] = value.values()
    return str(text)


def _name(table: str) -> str:
    """Of a table that is named by its ARN or by its name."""
    return table.rpartition("/")[2]


def _arn(table: str) -> str:
    return table if table.startswith("arn:") else f"arn:aws:dynamodb:{REGION}:{ACCOUNT_ID}:table/{table}"
