"""What applying a manifest changes, by names alone."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, cast

from turnkey.mcp.health import Health
from turnkey.mcp.trust import Remembered
from turnkey.store.tenants import Row
from turnkey.values import Value

MOST_FIELDS = 20
"""Told of one row."""

How = Literal["created", "updated", "unchanged", "removed"]


class Change(Value):
    """`fields` names what differs in an updated row, such as limits.seconds."""

    what: str
    change: How
    fields: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.change} {self.what}" + (f": {', '.join(self.fields)}" if self.fields else "")


def is_observed(row: Row | None) -> bool:
    """Whether the row tells what was seen of a server: no manifest says that."""
    return isinstance(row, Health | Remembered)


def row_changes(before: Mapping[str, Row], wanted: Mapping[str, Row], tenant: str) -> Iterator[Change]:
    """By sort key; removed ones last."""
    for key, row in wanted.items():
        if not is_observed(row):
            old = before.get(key)
            yield Change(what=readable(key, tenant), change=_how(old, row), fields=_fields(old, row) if old else ())
    for key, row in before.items():
        if key not in wanted and not is_observed(row):
            yield Change(what=readable(key, tenant), change="removed")


def secret_changes(
    before: Mapping[str, str | None], wanted: Mapping[str, str], labels: Mapping[str, str]
) -> Iterator[Change]:
    """By full name, told by label; of those in `before` that are no longer wanted, the ones that exist."""
    for name, value in wanted.items():
        yield Change(what=f"secret {labels.get(name, name)}", change=_how(before.get(name), value))
    for name, value in before.items():
        if name not in wanted and value is not None:
            yield Change(what=f"secret {labels.get(name, name)}", change="removed")


def readable(key: str, tenant: str) -> str:
    """AGENT#clerk as "agent clerk"."""
    kind, _, name = key.partition("#")
    return f"{kind.lower()} {name or tenant}"


def _how(before: Any, wanted: Any) -> How:
    if before is None:
        return "created"
    return "unchanged" if before == wanted else "updated"


def _fields(before: Row, after: Row) -> tuple[str, ...]:
    return tuple(_differences(before.model_dump(mode="json"), after.model_dump(mode="json")))[:MOST_FIELDS]


def _differences(before: dict[str, Any], after: dict[str, Any], within: str = "") -> Iterator[str]:
    for name in dict.fromkeys((*before, *after)):
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict) and not within:
            yield from _differences(cast(dict[str, Any], old), cast(dict[str, Any], new), f"{name}.")
        else:
            yield f"{within}{name}"
