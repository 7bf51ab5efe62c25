"""`turnkey export TENANT`: its manifest as it was applied, every secret as {kept: true}."""

import argparse
from typing import Any, cast

import yaml

from local.cli import OK
from local.target import ask, find


class _Dumper(yaml.SafeDumper):
    """Writes text of several lines as such."""


def _text(dumper: Any, value: str) -> Any:
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


_Dumper.add_representer(str, _text)


def document(manifest: dict[str, Any]) -> str:
    """The manifest as YAML."""
    dump = cast(Any, yaml).dump
    return dump(manifest, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)


def run(options: argparse.Namespace) -> int:
    """Returns 0."""
    answer = ask(find(options.stack, options.function), {"action": "export", "tenant": options.tenant})
    print(f"# Tenant {answer['tenant']} as it was applied at {answer['applied_at']}.")
    text = document(answer["manifest"])
    # `turnkey apply` fills ${NAME} in; what was applied is to stay as it is.
    print(text.replace("${", "$${"), end="")
    return OK
