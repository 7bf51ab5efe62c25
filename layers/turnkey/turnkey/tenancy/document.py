"""A manifest's text, YAML or JSON, as plain values."""

from typing import Any

import yaml

from turnkey.errors import Permanent


class ManifestUnreadable(Permanent):
    """The text is no YAML and no JSON."""


def read(document: Any) -> Any:
    """The document itself when it is one already. Raises ManifestUnreadable, with the line, for broken text."""
    if not isinstance(document, str):
        return document
    try:
        return yaml.safe_load(document)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise ManifestUnreadable(f"the manifest is no YAML{where}: {getattr(error, 'problem', error)}") from error
