"""Giving one secret of a tenant a new value."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from turnkey.tenancy.manifest import Manifest, parse
from turnkey.tenancy.plan import SecretPart, desired
from turnkey.tenancy.problems import Problem, Refused, unknown
from turnkey.tools import JsonObject


def find(document: JsonObject, name: str, value: str, *, allow_private: bool) -> SecretPart:
    """The secret that a manifest has at `name`, such as connections.web.secret or connections[0].secret. Raises Refused
    where it has none there, and for a value that it would not take."""
    manifest = parse(document, allow_private=allow_private)
    if not isinstance(manifest, Manifest):
        problem = "the manifest that was applied is no longer valid: correct it and apply it with the new secret"
        raise Refused(Problem(path="name", problem=problem), *manifest)
    parts = desired(manifest).secrets
    part = next((part for part in parts if name in (part.alias, part.path)), None)
    if part is None:
        raise Refused(unknown("name", name, (part.alias for part in parts), "a secret of the manifest"))
    checked = parse(_with(document, part, value), allow_private=allow_private)
    if not isinstance(checked, Manifest):
        raise Refused(*(Problem(path="value", problem=problem.problem) for problem in checked))
    return part


def text(part: SecretPart, value: str, stored: Callable[[str], str | None]) -> str:
    """What is to be stored: the value, or all of a secret's fields with the new one."""
    if not part.field:
        return value
    fields: JsonObject = json.loads(stored(part.name) or "{}")
    return json.dumps({**fields, part.field: value}, sort_keys=True)


def _with(document: JsonObject, part: SecretPart, value: str) -> JsonObject:
    changed = deepcopy(document)
    place: Any = changed
    for key in part.keys[:-1]:
        place = place[key]
    place[part.keys[-1]] = value
    return changed
