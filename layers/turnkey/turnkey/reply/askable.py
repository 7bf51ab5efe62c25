"""Whether a customer can be asked to agree to a call: what they have not read they cannot agree to."""

import json
from collections.abc import Iterator
from typing import Any, cast

from turnkey import hidden
from turnkey.tools import JsonObject

MOST_CHARACTERS = 2_000
"""Of all values of a call together: more than that nobody reads before saying yes."""


def problem(arguments: JsonObject) -> str:
    """Why the customer cannot be asked about a call with these arguments and what to do, or nothing."""
    written = json.dumps(arguments, ensure_ascii=False)
    values = "\n".join(_texts(arguments))
    if next(hidden.find(values), None):
        return "The arguments hold characters that do not show, so nobody can agree to them: write them without."
    if len(written) > MOST_CHARACTERS:
        return (
            f"The arguments have {len(written):,} characters, more than the {MOST_CHARACTERS:,} that a customer can be "
            "asked to agree to: make them shorter."
        )
    return ""


def _texts(value: Any) -> Iterator[str]:
    """Every text in the arguments, names of fields too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, one in cast(JsonObject, value).items():
            yield name
            yield from _texts(one)
    elif isinstance(value, list):
        for one in cast(list[Any], value):
            yield from _texts(one)
