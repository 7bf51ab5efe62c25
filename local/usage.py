"""`turnkey usage TENANT`: turns, tokens and tool calls by day, beside what the tenant may use."""

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from local.cli import OK
from local.target import ask, find


def run(options: argparse.Namespace) -> int:
    """Returns 0."""
    request = {"action": "usage", "tenant": options.tenant, "days": options.days}
    for line in _lines(ask(find(options.stack, options.function), request)):
        print(line)
    return OK


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    quotas = report["quotas"]
    suspended = ", suspended" if report["suspended"] else ""
    yield f"Tenant {report['tenant']}: {report['running']} of {quotas['concurrent_turns']} turns run now{suspended}."
    yield f"{'day (UTC)':<12}{'turns':>12}{'tokens':>16}{'tool calls':>14}"
    for day in report["days"]:
        yield f"{day['day']:<12}{day['turns']:>12,}{day['tokens']:>16,}{day['calls']:>14,}"
    yield f"{'quota':<12}{quotas['turns']:>12,}{quotas['tokens']:>16,}{quotas['calls']:>14,}"
