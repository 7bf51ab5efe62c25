"""`turnkey tools [TENANT]`: what the servers of a tenant, or of all, offer; --overflow: what is too large to show."""

import argparse
from collections.abc import Iterator
from typing import Any

from local.cli import OK
from local.target import ask, find


def run(options: argparse.Namespace) -> int:
    """Returns 0."""
    target = find(options.stack, options.function)
    result = ask(target, {"action": "tools", "tenant": options.tenant})
    for line in _overflowing(result["tools"]) if options.overflow else _all(result["tools"]):
        print(line)
    return OK


def _all(tools: list[dict[str, Any]]) -> Iterator[str]:
    for tool in tools:
        effect = "reads" if tool["read_only"] else "acts "
        yield f"{tool['tenant']}  {tool['server']}/{tool['tool']:<24} {effect}  {tool['description'][:80]}"


def _overflowing(tools: list[dict[str, Any]]) -> Iterator[str]:
    regular = [tool for tool in tools if tool["overflows"]]
    if not regular:
        yield "No tool regularly returns more than a turn can show."
    for tool in regular:
        yield (
            f"{tool['tenant']}  {tool['server']}/{tool['tool']}: cut {tool['cuts']} times on {tool['days']} days, "
            f"{tool['full']:,} characters on average, {tool['shown']:,} of them shown"
        )
