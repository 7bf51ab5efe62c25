"""`turnkey servers [TENANT]`: how tenants' servers are; --check asks them now, --held shows what waits for approval."""

import argparse
import json
import shlex
from collections.abc import Iterator
from typing import Any

from local.cli import OK, CommandError
from local.target import Target, find, invoke
from turnkey.mcp.differences import visible

DIGEST = 12
"""Characters of a digest that are shown, and enough to approve by."""
_LONGEST = 2000


def run(options: argparse.Namespace) -> int:
    """Returns 0."""
    if options.check and not options.tenant:
        raise CommandError("--check asks the servers of one tenant: name it.")
    found = statuses(find(options.stack, options.function), options.tenant, check=options.check)
    for line in _held(found) if options.held else _health(found):
        print(line)
    return OK


def statuses(target: Target, tenant: str | None, *, check: bool = False) -> list[dict[str, Any]]:
    """Of the tenant's servers, or of all tenants'. Raises `CommandError`."""
    answer = invoke(target, {"action": "servers", "tenant": tenant, "check": check})
    if answer.get("errors"):
        raise CommandError("; ".join(f"{error['path']}: {error['problem']}" for error in answer["errors"]))
    return answer["servers"]


def _health(found: list[dict[str, Any]]) -> Iterator[str]:
    if not found:
        yield "There are no servers."
    for status in found:
        yield _line(status)
        health = status["health"]
        if health and health["problem"]:
            yield f"    {visible(health['problem'])}"
        if status["gone"]:
            yield f"    approved, but no longer listed: {visible(', '.join(status['gone']))}"


def _line(status: dict[str, Any]) -> str:
    health: dict[str, Any] = status["health"] or {"status": "not looked at", "milliseconds": 0, "checked_at": ""}
    error = health.get("error") or ""
    http_status = f" HTTP {health['http_status']}" if health.get("http_status") else ""
    at = str(health["checked_at"])[:16].replace("T", " ")
    name = f"{status['tenant']}  {status['server']}"
    told = f"{health['status']:<14}{len(status['usable']):>4} tools {health['milliseconds']:>6} ms  {at}"
    return f"{name:<32}{told}  {error}{http_status}".rstrip()


def _held(found: list[dict[str, Any]]) -> Iterator[str]:
    waiting = [(status, held) for status in found for held in status["held"]]
    if not waiting:
        yield "No tool waits for approval."
    for status, held in waiting:
        yield f"{status['tenant']}  {status['server']}/{visible(held['tool'])}"
        yield from held_lines(held)
        digest = f"@{held['digest'][:DIGEST]}"
        # A name that cannot be typed is left out: the digest alone says which tool is meant.
        name = shlex.quote(held["tool"] + digest) if visible(held["tool"]) == held["tool"] else digest
        yield f"  to approve it: turnkey approve {status['tenant']} {status['server']} {name}"


def held_lines(held: dict[str, Any]) -> Iterator[str]:
    """What a tool is that waits for approval: of a new one everything, of a changed one what changed."""
    yield f"  {held['change']}, {held['digest'][:DIGEST]}"
    for flag in held["flags"]:
        yield f"  ! {flag['kind'].replace('_', ' ')} in {visible(flag['where'])}: {visible(flag['what'])}"
    if not held["differences"]:
        yield from _whole(held)
    for difference in held["differences"]:
        yield f"  {difference['part']}: {difference['change']}"
        if difference["change"] != "added":
            yield f"    - {difference['before']}"
        if difference["change"] != "removed":
            yield f"    + {difference['after']}"


def _whole(held: dict[str, Any]) -> Iterator[str]:
    if held["change"] == "changed":
        yield "  what was approved is not kept any more; this is what it is now"
    hints = ", ".join(f"{name} {'yes' if value else 'no'}" for name, value in held["hints"].items())
    parts = {"title": held["title"], "description": held["description"], "hints": hints}
    for name, text in {**parts, "arguments": json.dumps(held["parameters"], ensure_ascii=False)}.items():
        yield f"  {name}: {_shortened(text) or '(none)'}"


def _shortened(text: str) -> str:
    more = f"… ({len(text) - _LONGEST:,} more characters)" if len(text) > _LONGEST else ""
    return visible(text[:_LONGEST]) + more
