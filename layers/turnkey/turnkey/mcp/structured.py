"""Whether a structured result is what its tool promised. Plain, and bounded whatever the schema says."""

from typing import Any, cast

from turnkey.tools import JsonObject

DEEPEST = 4
"""Levels that are looked at; a result that is wrong further down is still the result."""
MOST_ITEMS = 20
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "integer": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def fits(value: Any, schema: Any, depth: int = DEEPEST) -> bool:
    """False where a type is wrong or something required is missing. Other keywords do not decide: patterns can take
    for ever, references can lead in circles."""
    if depth == 0 or not isinstance(schema, dict):
        return True
    rules = cast(JsonObject, schema)
    if not _has_type(value, rules.get("type")):
        return False
    if isinstance(value, dict):
        return _object_fits(cast(JsonObject, value), rules, depth)
    if isinstance(value, list):
        items = cast(list[Any], value)[:MOST_ITEMS]
        return all(fits(item, rules.get("items"), depth - 1) for item in items)
    return True


def _object_fits(value: JsonObject, rules: JsonObject, depth: int) -> bool:
    required: Any = rules.get("required")
    if isinstance(required, list) and any(name not in value for name in cast(list[Any], required)):
        return False
    properties: Any = rules.get("properties")
    known = cast(JsonObject, properties) if isinstance(properties, dict) else {}
    return all(fits(value[name], rule, depth - 1) for name, rule in known.items() if name in value)


def _has_type(value: Any, named: Any) -> bool:
    kinds = [kind for kind in cast(list[Any], named if isinstance(named, list) else [named]) if isinstance(kind, str)]
    if not kinds or any(kind not in _TYPES for kind in kinds):
        return True
    is_flag = isinstance(value, bool)
    return any(isinstance(value, _TYPES[kind]) and is_flag == (kind == "boolean") for kind in kinds)
