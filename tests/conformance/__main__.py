"""python -m tests.conformance [SCENARIO …]: runs the suite's client scenarios one by one, and writes docs/conformance.md.

One by one, since the suite gives each 30 seconds and starting a client takes two of them. With scenarios named it runs
those and writes nothing. Ends with status 1 when a scenario fails that is not in EXPECTED, or passes that is.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from tests.conformance.client import is_turnkey
from tests.support import node

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "docs" / "conformance.md"
PACKAGE = "@modelcontextprotocol/conformance"
SECONDS = 45
EXPECTED = {
    "auth/2025-03-26-oauth-metadata-backcompat": "the document at the server's root names an issuer with a path; the SDK "
    "wants the issuer that was asked (RFC 8414, section 3.3) and stops"
}
"""Scenarios that fail, and why."""

_LISTED = re.compile(r"^  - (\S+) \[(.*)\]$")
_COUNTS = re.compile(r"Passed: (\d+)/(\d+), (\d+) failed, (\d+) warnings")


@dataclass(frozen=True)
class Scenario:
    name: str
    versions: str


@dataclass(frozen=True)
class Result:
    scenario: Scenario
    passed: bool
    checks: str
    seconds: float
    output: str


def main(wanted: list[str]) -> int:
    suite = node.script(PACKAGE, "dist/index.js")
    listed = [scenario for scenario in scenarios(suite) if not wanted or scenario.name in wanted]
    results: list[Result] = []
    for scenario in listed:
        results.append(run(suite, scenario))
        print(f"{'passed' if results[-1].passed else 'FAILED'}  {scenario.name}  {results[-1].checks}", flush=True)
    if not wanted:
        TABLE.write_text(table(results))
    surprises = [result for result in results if result.passed == (result.scenario.name in EXPECTED)]
    for result in surprises:
        print(f"\n--- {result.scenario.name}\n{result.output}")
    print(f"{sum(result.passed for result in results)} of {len(results)} passed, {len(surprises)} unexpectedly")
    return 1 if surprises or not results else 0


def scenarios(suite: list[str]) -> Iterator[Scenario]:
    """All the suite has for clients."""
    output = subprocess.run([*suite, "list"], capture_output=True, text=True, check=True).stdout
    for line in output.partition("Client scenarios")[2].splitlines():
        if found := _LISTED.match(line):
            yield Scenario(found[1], found[2].replace(",", ", "))


def run(suite: list[str], scenario: Scenario) -> Result:
    command = f"{sys.executable} -m tests.conformance.client"
    path = os.pathsep.join([str(ROOT), str(ROOT / "layers" / "turnkey")])
    started = time.monotonic()
    done = subprocess.run(
        [*suite, "client", "--command", command, "--scenario", scenario.name],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
    )
    output = done.stdout + done.stderr
    counts = _COUNTS.search(output)
    return Result(
        scenario=scenario,
        passed=done.returncode == 0 and counts is not None and counts[3] == counts[4] == "0",
        checks=f"{counts[1]} of {counts[2]}" if counts else "none",
        seconds=time.monotonic() - started,
        output=output,
    )


def table(results: list[Result]) -> str:
    rows = "\n".join(_row(result) for result in results)
    passed = sum(result.passed for result in results)
    reasons = "\n".join(f"- `{name}`: {why}." for name, why in EXPECTED.items())
    return f"""# Conformance

`make conformance` writes this file. It runs the client scenarios of `{PACKAGE}`
{_suite_version()} one by one against our client. **{passed} of {len(results)} pass.**

| scenario | specification | through | result | checks | seconds |
|---|---|---|---|---|---|
{rows}

Through *Turnkey*: its own transport (`turnkey.mcp.transport`), network guard and credentials (`turnkey.mcp.access`), as a
turn uses them. Through *SDK*: what Turnkey has no use for, such as a person who signs in in a browser, done by the SDK's
own client over Turnkey's network guard, so that the whole list is run. *Checks* counts those the suite makes of the
client; a warning counts as a failure here. *Seconds* includes starting the suite and a Python process.

Expected to fail:

{reasons}

Conditions: mcp {version("mcp")}, Python {platform.python_version()}, Node {_node_version()}, \
{platform.system()} {platform.machine()}, {os.cpu_count()} processors shared with other work, servers of the suite on the
same machine, no retries.
"""


def _suite_version() -> str:
    return json.loads((node.packages() / PACKAGE / "package.json").read_text())["version"]


def _node_version() -> str:
    return subprocess.run([node.node(), "--version"], capture_output=True, text=True, check=True).stdout.strip("v\n")


def _row(result: Result) -> str:
    scenario, through = result.scenario, "Turnkey" if is_turnkey(result.scenario.name) else "SDK"
    outcome = "passes" if result.passed else "fails"
    return (
        f"| `{scenario.name}` | {scenario.versions} | {through} | {outcome} | {result.checks} | {result.seconds:.1f} |"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
