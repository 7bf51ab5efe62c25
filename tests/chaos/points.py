"""What a function's process writes and sends, by readable names that are the same in every run."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast
from urllib.parse import urlsplit

When = Literal["before", "after"]
WHEN: tuple[When, ...] = ("before", "after")

_READS = ("Get", "BatchGet", "Query", "Scan")


@dataclass(frozen=True)
class Operation:
    """The n-th time (from 1) that a function does this in a run."""

    function: str
    name: str
    occurrence: int

    def __str__(self) -> str:
        again = f" ({self.occurrence})" if self.occurrence > 1 else ""
        return f"{self.function}: {self.name}{again}"

    @property
    def writes(self) -> bool:
        """Whether it changes a row or an object."""
        return is_write(self.name)


@dataclass(frozen=True)
class Point:
    """Where a process dies: before the operation begins, or after it took effect and before anyone heard of it."""

    operation: Operation
    when: When

    def __str__(self) -> str:
        return f"{self.when} {self.operation}"


def is_write(name: str) -> bool:
    """Whether an operation of this name changes a row or an object."""
    service, _, rest = name.partition(".")
    return service in ("dynamodb", "s3") and not rest.startswith(_READS)


def name_of_call(service: str, operation: str, parameters: Mapping[str, Any]) -> str:
    """Such as: dynamodb.PutItem STEP#1#0#1."""
    what = {
        "dynamodb": lambda: _rows(operation, parameters),
        "secretsmanager": lambda: str(parameters.get("SecretId", "")).rpartition("/")[2],
        "s3": lambda: str(parameters.get("Key", "")).rpartition("/")[2],
    }.get(service, lambda: "")()
    return f"{service}.{operation} {what}".strip()


def name_of_request(method: str, url: str, body: bytes) -> str:
    """Such as: POST /mcp tools/call book_slot."""
    try:
        content: Any = json.loads(body) if body else {}
    except ValueError:
        content = {}
    asked = cast(dict[str, Any], content) if isinstance(content, dict) else {}
    rpc = [str(asked["method"]), str((asked.get("params") or {}).get("name", ""))] if "jsonrpc" in asked else []
    return " ".join([method, urlsplit(url).path, *filter(None, rpc)])


def _rows(operation: str, parameters: Mapping[str, Any]) -> str:
    if operation == "TransactWriteItems":
        return " + ".join(_write(next(iter(part.values()))) for part in parameters["TransactItems"])
    if operation == "BatchGetItem":
        keys = [key for request in parameters["RequestItems"].values() for key in request["Keys"]]
        return " + ".join(dict.fromkeys(_sort_key(key["sk"]["S"]) for key in keys))
    if operation == "Query":
        return _sort_key(parameters["ExpressionAttributeValues"].get(":sk", {"S": ""})["S"])
    return _write(parameters)


def _write(part: Mapping[str, Any]) -> str:
    """The row, and what an update sets first."""
    row: Mapping[str, Any] = part.get("Item") or part["Key"]
    change = re.match(r"(?:SET|REMOVE|ADD) (\w+)", str(part.get("UpdateExpression", "")))
    return f"{_sort_key(row['sk']['S'])} {change[1] if change else ''}".strip()


def _sort_key(key: str) -> str:
    """Without leading zeros, and without what differs from run to run: a message's id, a turn's place, a day's shard."""
    kind = key.partition("#")[0]
    return kind if kind in ("MESSAGE", "RUNNING", "DAY") else re.sub(r"\b0+(?=\d)", "", key)
