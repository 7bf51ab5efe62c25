"""`turnkey people TENANT`: the conversations that people have taken over, and whether they were told."""

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from local.cli import OK
from local.target import ask, find
from turnkey.mcp.differences import visible


def run(options: argparse.Namespace) -> int:
    """Returns 0."""
    request = {"action": "people", "tenant": options.tenant, "returned": options.returned}
    handovers = ask(find(options.stack, options.function), request)["handovers"]
    if not handovers:
        print(f"No conversation of tenant {options.tenant} is with a person.")
    for handover in handovers:
        for line in _lines(handover):
            print(line)
    return OK


def _lines(handover: Mapping[str, Any]) -> Iterator[str]:
    place = f"{handover['connection']} {visible(handover['conversation'])}"
    yield f"{handover['handover']}  {_moment(handover['since'])}  {handover['state']:<8}  {place}"
    if handover["told_at"]:
        yield f"    asked for by the {handover['by']}, told {_moment(handover['told_at'])}"
    else:
        yield f"    asked for by the {handover['by']}, NOT TOLD: look at their hook or mail"
    if handover["summary"]:
        yield f"    {visible(handover['summary'])}"
    if handover["returned_at"]:
        note = f": {visible(handover['note'])}" if handover["note"] else ""
        yield f"    given back {_moment(handover['returned_at'])}{note}"


def _moment(text: str) -> str:
    return text[:19].replace("T", " ")
