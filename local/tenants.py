"""`turnkey list`: every tenant there is."""

import argparse

from local.cli import OK
from local.target import ask, find
from turnkey.mcp.differences import visible


def run(options: argparse.Namespace) -> int:
    """Returns 0."""
    tenants = ask(find(options.stack, options.function), {"action": "list"})["tenants"]
    if not tenants:
        print("There are no tenants.")
    for tenant in tenants:
        state = "suspended" if tenant["suspended"] else ""
        print(f"{tenant['id']:<40}  {tenant['time_zone']:<20} {state:<10} {visible(tenant['name'])}".rstrip())
    return OK
