"""What each secret is to be: the value that the manifest gives, or the stored one, where it may stay."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from turnkey.tenancy.plan import SecretPart
from turnkey.tenancy.problems import Problem

Find = Callable[[str], str | None]
"""The stored value of a secret by its full name, or None."""


def resolve(
    parts: Iterable[SecretPart], stored: Find, places: Mapping[str, str]
) -> tuple[dict[str, str], tuple[Problem, ...]]:
    """The value of each secret by its full name, and what is wrong with those that cannot stay as they are.

    `places` tells by alias where each stored one was sent so far. To whom it is sent is part of a secret: without that,
    whoever may apply manifests could read one, by keeping it and naming a server of his own.
    """
    by_name: dict[str, list[SecretPart]] = defaultdict(list)
    for part in parts:
        by_name[part.name].append(part)
    values: dict[str, str] = {}
    problems: list[Problem] = []
    for name, fields in by_name.items():
        found = {part.field: _value(part, stored(name), places) for part in fields}
        problems += [value for value in found.values() if isinstance(value, Problem)]
        texts = {field: value for field, value in found.items() if isinstance(value, str)}
        values[name] = texts[""] if "" in texts else json.dumps(texts, sort_keys=True)
    return values, tuple(problems)


def _value(part: SecretPart, stored: str | None, places: Mapping[str, str]) -> str | Problem:
    if part.value is not None:
        return part.value
    kept = _field(stored, part.field)
    if kept is None:
        return Problem(path=part.path, problem="nothing is stored that could be kept: give the secret itself")
    if places.get(part.alias) != part.place:
        return Problem(
            path=part.path, problem="was given for another place than where it would be sent now: give it again"
        )
    return kept


def _field(stored: str | None, field: str) -> str | None:
    if stored is None or not field:
        return stored
    return cast(dict[str, Any], json.loads(stored)).get(field)
