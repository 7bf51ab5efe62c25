"""Contacts as CSV, for whatever program opens it."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from typing import Any

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet takes for the beginning of a formula."""
_COMMON = ("name", "phone", "email")


def safe(value: str) -> str:
    """The value with an apostrophe before it where a spreadsheet would run it as a formula."""
    return f"'{value}" if value.lstrip(" ").startswith(_FORMULA) else value


def table(contacts: Iterable[Mapping[str, Any]], shown: Callable[[str], str] = str) -> str:
    """One line a customer below the columns' names. `shown` is applied to each value."""
    rows = list(contacts)
    own = sorted({field for one in rows for field in one["values"]} - set(_COMMON))
    columns = ["id", "connection", "conversation", "sender", "name", "phone", "phone_as_written", "email", *own]
    columns += ["changed_at", "told_at"]
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    for one in rows:
        writer.writerow({column: safe(shown(value)) for column, value in _cells(one).items()})
    return out.getvalue()


def _cells(contact: Mapping[str, Any]) -> dict[str, str]:
    values: Mapping[str, Any] = contact["values"]
    return {
        "id": contact["id"],
        **{name: contact["customer"][name] for name in ("connection", "conversation", "sender")},
        **{field: one["value"] for field, one in values.items()},
        "phone_as_written": values.get("phone", {}).get("written", ""),
        "changed_at": max((one["at"] for one in values.values()), default=""),
        "told_at": contact["told_at"] or "",
    }
