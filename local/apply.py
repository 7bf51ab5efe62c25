"""`turnkey apply`: sends a tenant's manifest to the provision function and prints its report."""

import argparse
import os
from collections.abc import Iterator, Mapping
from typing import Any

from local.cli import OK, REFUSED, CommandError
from local.manifest import UnusableManifest, read
from local.target import Target, find, invoke


def run(options: argparse.Namespace) -> int:
    """Returns 0 when the manifest is in force, 1 when it was refused."""
    try:
        manifest = read(options.file, os.environ)
    except UnusableManifest as error:
        raise CommandError(str(error)) from error
    target = find(options.stack, options.function)
    report = apply(target, manifest)
    for line in report_lines(report, target.place):
        print(line)
    return REFUSED if report.get("errors") else OK


def apply(target: Target, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Sends the manifest and returns the function's report.

    Raises `CommandError` when the function cannot be called or fails.
    """
    return invoke(target, {"action": "apply", "manifest": manifest})


def report_lines(report: Mapping[str, Any], place: str) -> Iterator[str]:
    """The report in words, line by line."""
    errors: list[dict[str, Any]] = report.get("errors") or []
    tenant = f"Tenant {report['tenant']}" if report.get("tenant") else "The manifest"
    if errors:
        yield f"{tenant}: refused {place}, nothing changed."
        for error in errors:
            yield f"  {error['path']}: {error['problem']}"
            if error.get("fix"):
                yield f"    {error['fix']}"
        return
    yield f"{tenant}: {'changed' if report.get('changed') else 'already so'} {place}."
    changes: list[dict[str, Any]] = report.get("changes") or []
    for change in changes:
        yield f"  {change['change']:<10}{change['what']}"
    servers: list[dict[str, Any]] = report.get("servers") or []
    for server in servers:
        tools: list[str] = server["tools"]
        yield f"  server {server['name']} at {server['url']}: MCP {server['protocol']}, {server['milliseconds']:.0f} ms"
        kinds: dict[str, str] = server.get("kinds") or {}
        told = [f"{tool} ({kinds[tool]})" if tool in kinds else tool for tool in tools]
        yield f"    {len(tools)} tools: {', '.join(told)}"
        if server.get("set_aside"):
            yield f"    set aside: {', '.join(server['set_aside'])}"
