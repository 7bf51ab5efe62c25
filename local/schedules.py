"""`turnkey schedules TENANT`: reminders and follow-ups that are to come, and those that could not be said."""

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from local.cli import OK
from local.target import ask, find
from turnkey.mcp.differences import visible


def run(options: argparse.Namespace) -> int:
    """Returns 0."""
    request = {"action": "schedules", "tenant": options.tenant, "held": options.held, "all": options.all}
    found = ask(find(options.stack, options.function), request)["schedules"]
    if not found:
        print(f"Tenant {options.tenant} has no {'held ' if options.held else ''}reminders or follow-ups.")
    for schedule in found:
        for line in _lines(schedule):
            print(line)
    return OK


def _lines(schedule: Mapping[str, Any]) -> Iterator[str]:
    at = f"{schedule['at'][:16].replace('T', ' ')} UTC"
    place = f"{schedule['connection']} {visible(schedule['conversation'])}"
    yield f"{at}  {schedule['state']:<9}  {schedule['kind']:<9}  {schedule['id']}  {place}"
    yield f"    {visible(schedule['text'])}"
    if schedule["overdue"]:
        yield "    OVERDUE: look at the logs of the function wake"
    if schedule["held"]:
        yield f"    HELD: {visible(schedule['held'])}"
