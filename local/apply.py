"""`turnkey apply` and `turnkey plan`: send a tenant's manifest to the provision function and print its report."""

import argparse
import os
from collections.abc import Mapping
from typing import Any

from local.cli import OK, REFUSED, CommandError
from local.manifest import UnusableManifest, read
from local.preview import report_lines
from local.target import Target, find, invoke


def run(options: argparse.Namespace) -> int:
    """Returns 0 when the manifest is in force, or could be; 1 when it was refused."""
    try:
        manifest = read(options.file, os.environ)
    except UnusableManifest as error:
        raise CommandError(str(error)) from error
    target, planned = find(options.stack, options.function), options.command == "plan"
    report = invoke(target, {"action": "plan", "manifest": manifest}) if planned else apply(target, manifest)
    for line in report_lines(report, target.place, planned=planned):
        print(line)
    return REFUSED if report.get("errors") else OK


def apply(target: Target, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Sends the manifest and returns the function's report.

    Raises `CommandError` when the function cannot be called or fails.
    """
    return invoke(target, {"action": "apply", "manifest": manifest})
