"""`turnkey rotate-secret TENANT NAME`: gives a secret a new value, from standard input or the environment."""

import argparse
import getpass
import os
import sys

from local.cli import OK, CommandError
from local.target import ask, find


def run(options: argparse.Namespace) -> int:
    """Returns 0 once the new value is in force."""
    value = _value(options.from_env)
    target = find(options.stack, options.function)
    request = {"action": "rotate_secret", "tenant": options.tenant, "name": options.name, "value": value}
    answer = ask(target, {**request, "at_once": options.at_once})
    old = "is refused within minutes" if options.at_once else "is still accepted for a day where senders sign with it"
    print(f"{options.tenant}: {answer['what']} has a new value {target.place}. The old one {old}.")
    return OK


def _value(variable: str | None) -> str:
    """Never from an argument: those stand in the list of processes and in the shell's history."""
    if variable:
        if variable not in os.environ:
            raise CommandError(f"The environment variable {variable} is not set.")
        return os.environ[variable]
    value = getpass.getpass("New value: ") if sys.stdin.isatty() else sys.stdin.read().removesuffix("\n")
    if not value:
        raise CommandError("No value: give it on standard input, or name a variable with --from-env.")
    return value
