"""Reads a state machine's definition as Step Functions would get it."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from local.transform import InvalidTemplate

_PLACEHOLDER = re.compile(r"\$\{(\w+)\}")


def definition_json(path: Path, substitutions: Mapping[str, str]) -> str:
    """Returns the definition at `path` (YAML or JSON) as JSON, each `${Name}` replaced with its substitution.

    YAML anchors are written out, because Step Functions knows only JSON.

    Raises `InvalidTemplate` for what cannot be read and for a placeholder without a substitution.
    """
    try:
        definition: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise InvalidTemplate(f"{path}: {error}") from error
    text = json.dumps(definition)
    missing = sorted(set(_PLACEHOLDER.findall(text)) - set(substitutions))
    if missing:
        raise InvalidTemplate(f"{path}: nothing replaces {', '.join(missing)}. Add it to DefinitionSubstitutions.")
    # The value lands inside a JSON string.
    return _PLACEHOLDER.sub(lambda match: json.dumps(substitutions[match[1]])[1:-1], text)
