"""Names of skills, and the tools that they name in allowed-tools.

A tool is named as its server calls it, alone or behind its server: refund_order, orders:refund_order,
orders/refund_order, orders_refund_order, mcp__orders__refund_order. * stands for any letters; a server alone, as in
orders:*, for all its tools.
"""

import re
from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase
from typing import Any, cast

NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_ENTRY = re.compile(r"(?:[^\s,()]|\([^()]*\))+")
_ANY = "*"

Pair = tuple[str, str]
"""A server's name, and its own name for one of its tools."""


def entries(value: Any) -> tuple[str, ...]:
    """What allowed-tools lists: a text with names between blanks or commas, or a list of names."""
    texts = [value] if isinstance(value, str) else cast(list[str], value or [])
    found = (match.group() for text in texts for match in _ENTRY.finditer(text))
    return tuple(dict.fromkeys(found))


def pattern(entry: str) -> Pair:
    """The entry as patterns of server and tool; a server that is not named may be any."""
    if entry.startswith("mcp__"):
        server, _, tool = entry.removeprefix("mcp__").partition("__")
        return server, tool or _ANY
    parts = re.split("[:/]", entry, maxsplit=1)
    return (parts[0], parts[1] or _ANY) if len(parts) == 2 else (_ANY, entry)


def matching(entry: str, tools: Iterable[Pair]) -> tuple[Pair, ...]:
    """Those of the tools that the entry means. A name that is some tool's own, signs and all, means that tool."""
    among = list(tools)
    exact = tuple(pair for pair in among if entry in (pair[1], "_".join(pair)))
    if exact:
        return exact
    server, tool = pattern(entry)
    return tuple(pair for pair in among if fnmatchcase(pair[0], server) and fnmatchcase(pair[1], tool))


def own(patterns: Iterable[str], tools: Collection[Pair]) -> frozenset[Pair]:
    """The tools that any of the entries means."""
    return frozenset(pair for entry in patterns for pair in matching(entry, tools))
