"""`turnkey audit TENANT`: who changed what, and when; also of a tenant that was deleted."""

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from local.cli import OK
from local.target import ask, find
from turnkey.mcp.differences import visible


def run(options: argparse.Namespace) -> int:
    """Returns 0."""
    request = {"action": "audit", "tenant": options.tenant, "limit": options.limit}
    entries = ask(find(options.stack, options.function), request)["entries"]
    if not entries:
        print(f"Nothing was changed of tenant {options.tenant}.")
    for entry in entries:
        for line in _lines(entry):
            print(line)
    return OK


def _lines(entry: Mapping[str, Any]) -> Iterator[str]:
    unknown = "" if entry["ended"] else "  (begun, and not known to have ended)"
    at = entry["at"][:19].replace("T", " ")
    yield f"{at}  {entry['action']:<14} {visible(entry['actor']) or 'unknown'}  request {entry['request']}{unknown}"
    if entry["reason"]:
        yield f"    because: {visible(entry['reason'])}"
    for change in entry["changes"]:
        yield f"    {visible(change)}"
