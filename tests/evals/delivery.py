"""Rates of the delivery check on a file of replies: python -m tests.evals.delivery FILE [LANGUAGE]

A case is one line of JSON: `id`, `language`, `due`, `ledger` (a name in cases/delivery_ledgers.json), `text`, `expect`
(the kinds of which one must be found; none for a good reply), and where it matters `said`. Prints the rates by
language, then each failure.
"""

import argparse
import json
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from turnkey.reply.delivery import Finding, check
from turnkey.reply.ledger import Ledger
from turnkey.tools import JsonObject

LEDGERS = Path("tests/cases/delivery_ledgers.json")


class Rates(NamedTuple):
    """`found` bad replies of `bad` with the kind they were written for, `stopped` with any; `flagged` good ones."""

    bad: int
    found: int
    stopped: int
    good: int
    flagged: int


def cases(path: Path) -> list[JsonObject]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def findings(case: JsonObject) -> tuple[Finding, ...]:
    """What the check says of a case."""
    ledger = _ledgers()[case["ledger"]]
    ledger = {**ledger, "said": "\n".join(filter(None, [ledger.get("said", ""), case.get("said", "")]))}
    return check(case["text"], case["due"], Ledger.model_validate(ledger), case["language"])


@cache
def _ledgers() -> dict[str, JsonObject]:
    return json.loads(LEDGERS.read_text(encoding="utf-8"))


def failures(found: Iterable[JsonObject]) -> list[tuple[JsonObject, tuple[Finding, ...]]]:
    """Good replies with a finding, and bad ones without one of the kinds they were written for."""
    judged = [(case, _judged(json.dumps(case))) for case in found]
    return [
        (case, given)
        for case, given in judged
        if (given if not case["expect"] else not {one.kind for one in given} & set(case["expect"]))
    ]


@cache
def _judged(case: str) -> tuple[Finding, ...]:
    """The findings of a case, worked out once."""
    return findings(json.loads(case))


def rates(found: list[JsonObject]) -> Rates:
    bad = [case for case in found if case["expect"]]
    good = [case for case in found if not case["expect"]]
    missed = failures(bad)
    unseen = [case for case, given in missed if not given]
    return Rates(len(bad), len(bad) - len(missed), len(bad) - len(unseen), len(good), len(failures(good)))


def main() -> int:
    """The command line. Returns the exit status."""
    parser = argparse.ArgumentParser(description="Rates of the delivery check.")
    parser.add_argument("file", type=Path)
    parser.add_argument("language", nargs="?", default="")
    options = parser.parse_args()
    found = [case for case in cases(options.file) if options.language in ("", case["language"])]
    for language in dict.fromkeys(case["language"] for case in found):
        print(language, rates([case for case in found if case["language"] == language]))
    print("all", rates(found))
    for case, given in failures(found):
        print(f"{case['id']} {case['due']} {case['ledger']} expected {case['expect'] or 'nothing'}: {case['text']!r}")
        for one in given:
            print(f"    {one.kind}: {one.evidence}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
