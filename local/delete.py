"""`turnkey delete TENANT --yes-delete TENANT`: removes everything that a tenant has, and counts it."""

import argparse
import time
from collections.abc import Mapping
from typing import Any

from local.cli import OK
from local.target import ask, find

_PAUSE_SECONDS = 2.0


def run(options: argparse.Namespace) -> int:
    """Returns 0 when nothing is left. Ended early, it goes on when it is called again."""
    target = find(options.stack, options.function)
    confirmed = {"confirm": options.yes_delete, "quiet_seconds": options.quiet_seconds}
    request = {"action": "delete", "tenant": options.tenant, **confirmed}
    answer = ask(target, request)
    while not answer["done"]:
        removed = _counts(answer["removed"])
        print(f"Tenant {options.tenant}: removed {removed} so far; waiting for {answer['waiting_for']}.")
        time.sleep(_PAUSE_SECONDS)
        answer = ask(target, request)
    print(f"Tenant {options.tenant}: deleted {target.place}.")
    print(f"  removed  {_counts(answer['removed'])}")
    print(f"  left     {_counts(answer['left'], all_kinds=True)}")
    print(f"  kept     {_counts(answer['kept'])}")
    return OK


def _counts(counts: Mapping[str, Any], *, all_kinds: bool = False) -> str:
    told = [f"{count:,} {kind}" for kind, count in counts.items() if count or all_kinds]
    return ", ".join(told) or "nothing"
