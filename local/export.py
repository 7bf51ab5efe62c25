"""`turnkey export TENANT`: its manifest as it was applied, every secret as {kept: true}."""

import argparse

import yaml

from local.cli import OK
from local.target import ask, find


class _Dumper(yaml.SafeDumper):
    """Writes text of several lines as such."""


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    style = "|" if "\n" in value else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)


def run(options: argparse.Namespace) -> int:
    """Returns 0."""
    answer = ask(find(options.stack, options.function), {"action": "export", "tenant": options.tenant})
    print(f"# Tenant {answer['tenant']} as it was applied at {answer['applied_at']}.")
    text = yaml.dump(answer["manifest"], Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)
    # `turnkey apply` fills ${NAME} in; what was applied is to stay as it is.
    print(text.replace("${", "$${"), end="")
    return OK
