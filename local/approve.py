"""`turnkey approve TENANT SERVER TOOL…`: lets turns show tools that a server added or changed."""

import argparse
import re
from typing import Any

from local.cli import OK, REFUSED, USAGE, CommandError
from local.servers import held_lines, statuses
from local.target import Target, find, invoke
from turnkey.mcp.differences import visible

_WITH_DIGEST = re.compile(r"(.*)@([0-9a-fA-F]{8,64})", re.DOTALL)


def run(options: argparse.Namespace) -> int:
    """Returns 0 once the tools are approved, or none waits; 1 when they were refused, 2 when none was named."""
    target = find(options.stack, options.function)
    held = _held(target, options.tenant, options.server)
    chosen = _chosen(options.tools, held) if options.tools else {name: one["digest"] for name, one in held.items()}
    for name in chosen:
        if name in held:
            print("\n".join([visible(name), *held_lines(held[name])]))
    if not held and not options.tools:
        print(f"{options.server}: no tool waits for approval.")
        return OK
    if not options.tools and not options.all:
        print("Nothing was approved: name the tools, or give --all.")
        return USAGE
    return _approve(target, options.tenant, options.server, chosen)


def _held(target: Target, tenant: str, server: str) -> dict[str, dict[str, Any]]:
    """By the tool's name. Raises `CommandError`."""
    found = {status["server"]: status for status in statuses(target, tenant)}
    if server not in found:
        known = ", ".join(found) or "none there"
        raise CommandError(f"{tenant} has no server {server}: use one of {known}.")
    return {held["tool"]: held for held in found[server]["held"]}


def _chosen(named: list[str], held: dict[str, dict[str, Any]]) -> dict[str, str]:
    """The digest of each tool named: the given one, else the one that is shown now. A digest alone names its tool."""
    chosen: dict[str, str] = {}
    for text in named:
        found = None if text in held else _WITH_DIGEST.fullmatch(text)
        if found is None:
            chosen[text] = held.get(text, {}).get("digest", "")
        else:
            chosen[found[1] or _of_digest(found[2], held) or text] = found[2]
    return chosen


def _of_digest(digest: str, held: dict[str, dict[str, Any]]) -> str:
    return next((name for name, one in held.items() if one["digest"].startswith(digest.lower())), "")


def _approve(target: Target, tenant: str, server: str, chosen: dict[str, str]) -> int:
    digests = {name: digest for name, digest in chosen.items() if digest}
    request = {"action": "approve", "tenant": tenant, "server": server, "tools": list(chosen), "digests": digests}
    report = invoke(target, request)
    problems = [*report.get("problems", []), *(error["problem"] for error in report.get("errors", []))]
    for problem in problems:
        print(f"refused: {visible(problem)}")
    if problems:
        return REFUSED
    approved = ", ".join(visible(name) for name in report["approved"]) or "nothing that was not approved already"
    print(f"{tenant} {server}: approved {approved} {target.place}.")
    return OK
