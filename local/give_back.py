"""`turnkey give-back TENANT HANDOVER [--note TEXT]`: has the agent answer a conversation again."""

import argparse

from local.cli import OK
from local.target import ask, find


def run(options: argparse.Namespace) -> int:
    """Returns 0 when it is so."""
    target = find(options.stack, options.function)
    request = {"action": "give_back", "tenant": options.tenant, "handover": options.handover, "note": options.note}
    answer = ask(target, request)
    how = "is the agent's again" if answer["changed"] else "was given back before"
    print(f"{options.tenant}: {answer['what']} {how} {target.place}.")
    return OK
