"""`turnkey suspend TENANT` and `turnkey resume TENANT`: have its webhooks refused, and taken again."""

import argparse

from local.cli import OK
from local.target import ask, find


def run(options: argparse.Namespace) -> int:
    """Returns 0 when it is so."""
    target = find(options.stack, options.function)
    answer = ask(target, {"action": options.command, "tenant": options.tenant, "reason": options.reason})
    print(f"Tenant {options.tenant}: {answer['what']} {target.place}{'' if answer['changed'] else ', as it was'}.")
    return OK
