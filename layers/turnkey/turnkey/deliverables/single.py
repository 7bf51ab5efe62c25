"""A result that is one thing, not a list: a book's details, an appointment."""

import json
from typing import Any, cast

MOST = 20_000
"""Characters of a result that may be one thing."""


def find_object(text: str) -> dict[str, Any] | None:
    """The fields of the result, or None where it is no JSON object."""
    if len(text) > MOST or not text.lstrip().startswith("{"):
        return None
    try:
        value, _ = json.JSONDecoder().raw_decode(text.lstrip())
    except ValueError:
        return None
    return cast(dict[str, Any], value) if isinstance(value, dict) else None
