"""Reads a tenant's manifest and fills `${NAME}` in from the environment, so that no secret need be in the file."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import yaml

from local.documents import UnusableDocument, with_texts
from local.skills import UnusableSkill, with_files

# `$${` stands for `${` itself.
_VARIABLE = re.compile(r"(\$\$\{)|\$\{([A-Za-z_]\w*)\}")


class UnusableManifest(ValueError):
    """The file cannot be sent; the message says why."""


def read(path: Path, environ: Mapping[str, str]) -> dict[str, Any]:
    """Returns the manifest at `path` (YAML or JSON) as JSON values, each `${NAME}` in a string filled in.
    The files of its skills come from their folders, as they are.

    Raises `UnusableManifest` for a file that cannot be read, and for variables that are not set: all of them at once.
    """
    try:
        document: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UnusableManifest(f"{path} cannot be read: {error}") from error
    if not isinstance(document, dict):
        raise UnusableManifest(f"{path} is not a manifest: it must be a mapping of names to values.")
    missing: set[str] = set()
    # YAML knows dates; JSON, which the function gets, does not.
    filled = _filled(json.loads(json.dumps(document, default=str)), environ, missing)
    if missing:
        raise UnusableManifest(f"{path} names variables that are not set: {', '.join(sorted(missing))}.")
    try:
        return with_texts(with_files(cast(dict[str, Any], filled), path.parent), path.parent)
    except (UnusableSkill, UnusableDocument) as error:
        raise UnusableManifest(str(error)) from error


def _filled(value: Any, environ: Mapping[str, str], missing: set[str]) -> Any:
    if isinstance(value, dict):
        fields = cast(dict[str, Any], value)
        return {name: _filled(item, environ, missing) for name, item in fields.items()}
    if isinstance(value, list):
        return [_filled(item, environ, missing) for item in cast(list[Any], value)]
    if not isinstance(value, str):
        return value
    missing.update(name for escaped, name in _VARIABLE.findall(value) if not escaped and name not in environ)
    return _VARIABLE.sub(lambda match: "${" if match[1] else environ.get(match[2], ""), value)
