"""`turnkey schema`: the manifest's JSON Schema, with which editors complete it."""

import argparse
import json

from local.cli import OK
from turnkey.tenancy.schema import manifest_schema


def text() -> str:
    """As docs/manifest.schema.json has it."""
    return json.dumps(manifest_schema(), indent=2, ensure_ascii=False) + "\n"


def run(_: argparse.Namespace) -> int:
    """Returns 0."""
    print(text(), end="")
    return OK
