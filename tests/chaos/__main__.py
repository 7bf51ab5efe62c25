"""python -m tests.chaos [--every N] [--first N]: the chaos suite outside pytest, whole or sampled."""

import argparse
import sys

from tests.chaos import scenarios
from tests.chaos.bench import Bench
from tests.chaos.report import operations_of, table
from tests.chaos.survey import survey


def main() -> int:
    """Returns the exit status: 1 when anything did not hold."""
    parser = argparse.ArgumentParser(prog="chaos", description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="try only every n-th point")
    parser.add_argument("--scenarios", type=int, default=len(scenarios.ALL), help="how many, from the first")
    parser.add_argument("--list", action="store_true", help="print every operation")
    options = parser.parse_args()
    failed = False
    with Bench() as bench:
        for scenario in scenarios.ALL[: options.scenarios]:
            done = survey(bench, scenario, every=options.every, tell=lambda fault: print(f"FAULT {fault}", flush=True))
            print(table(done), flush=True)
            if options.list:
                print(operations_of(done.operations))
            failed = failed or bool(done.faults)
        for denial in bench.denials:
            print(f"DENIED {denial}", flush=True)
        failed = failed or bool(bench.denials)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
