"""A tool's parameters on their two ways: as model endpoints take them, and the arguments back as its server wants them.

Endpoints differ in what they refuse, and one schema that is refused costs the whole request; so each is sent what all
of them take (docs/decisions/0018-plain-schemas.md has the reports). What is left out is said in the description.
"""

import json
from collections.abc import Sequence
from typing import Any, cast

from turnkey import hidden
from turnkey.chat_tokens import broken

JsonObject = dict[str, Any]

SERVER_NAME = "x-server-name"
"""In a property's schema: what the server calls it, where endpoints would refuse that name."""
MAX_DEPTH = 9
"""Steps below the root, by properties, items and anyOf: some endpoints take ten levels."""
_FORMATS = frozenset(["date-time"])
_ANY = ("string", "number", "boolean", "object", "array")
_LISTED = 12
"""Values that are named in a description."""


def for_endpoints(schema: JsonObject) -> JsonObject:
    """The parameters as every endpoint takes them: one type or an anyOf in each place, string enums, no references."""
    return _sent(schema, 0)


def _sent(schema: JsonObject, depth: int) -> JsonObject:
    branches = [branch for branch in _branches(schema) if _types(branch) != ["null"]]
    if not branches:
        return _single({**schema, "type": "string"}, depth)
    if len(branches) == 1:
        return _single(branches[0], depth)
    if depth >= MAX_DEPTH:
        return _single({**branches[0], "description": _told(schema)}, depth)
    # Where there is an anyOf, some endpoints take nothing beside it.
    about = _told(schema)
    first = {**branches[0], "description": f"{about} {branches[0].get('description', '')}".strip()}
    made = [_single(branch, depth + 1) for branch in (first, *branches[1:])]
    different = [one for place, one in enumerate(made) if one not in made[:place]]
    return {"anyOf": different} if len(different) > 1 else different[0]


def _branches(schema: JsonObject) -> list[JsonObject]:
    """One schema for each type that it allows."""
    if "anyOf" in schema:
        inner = [branch for one in cast(list[JsonObject], schema["anyOf"]) for branch in _branches(one)]
        about = {key: schema[key] for key in ("default",) if key in schema}
        return [{**branch, **about} for branch in inner]
    kinds = _types(schema) or list(_ANY)
    return [{**schema, "type": kind} if len(kinds) == 1 else _of_kind(schema, kind) for kind in kinds]


def _of_kind(schema: JsonObject, kind: str) -> JsonObject:
    """The part of a schema of several types that is about one; the description stays with the whole."""
    values = [value for value in schema.get("enum", ()) if _kind(value) == kind]
    kept = {key: schema[key] for key in _KEPT.get(kind, ()) if key in schema}
    return {"type": kind, **kept, **({"enum": values} if values else {})}


def _single(schema: JsonObject, depth: int) -> JsonObject:
    kind = str(schema.get("type"))
    if kind == "array" and depth >= MAX_DEPTH:
        kind = "string"
    sent: JsonObject = {"type": kind}
    told = " ".join([*([_told(schema)] if _told(schema) else []), *_hints(schema, kind)])
    if told:
        sent["description"] = told
    if kind == "string":
        sent |= _sent_string(schema)
    if kind in ("integer", "number"):
        sent |= _bounds(schema, kind)
    if kind == "array":
        sent["items"] = _sent(schema.get("items") or {"type": "string"}, depth + 1)
    if kind == "object":
        sent |= _sent_object(schema, depth)
    return sent


def _sent_string(schema: JsonObject) -> JsonObject:
    values = [value for value in schema.get("enum", ()) if isinstance(value, str) and value]
    if values:
        return {"enum": values}
    return {"format": schema["format"]} if schema.get("format") in _FORMATS else {}


def _bounds(schema: JsonObject, kind: str) -> JsonObject:
    """With bounds that are excluded turned into ones that are not, where there are only whole numbers."""
    found = {key: schema[key] for key in ("minimum", "maximum") if key in schema}
    for key, side, step in (("minimum", "exclusiveMinimum", 1), ("maximum", "exclusiveMaximum", -1)):
        bound = schema.get(side)
        if kind == "integer" and isinstance(bound, int) and key not in found:
            found[key] = bound + step
    return found


def _sent_object(schema: JsonObject, depth: int) -> JsonObject:
    properties = cast(dict[str, JsonObject], schema.get("properties") or {})
    if depth >= MAX_DEPTH:
        return {"properties": {}}
    sent = {name: _sent(one, depth + 1) for name, one in properties.items()}
    # What may be null may be left out: no type says null to every endpoint, and `for_server` fills it in.
    needed = [name for name in schema.get("required", ()) if not _may_be_null(properties[name])]
    return {"properties": sent, **({"required": needed} if needed else {})}


def _told(schema: JsonObject) -> str:
    name = broken(hidden.clean(str(schema.get(SERVER_NAME, ""))))[:64].encode("utf-8", "replace").decode()
    return f"{schema.get('description', '')}{f' (named {name})' if name else ''}".strip()


def _hints(schema: JsonObject, kind: str) -> list[str]:
    """What is left out of the schema, in words."""
    values = schema.get("enum", ())
    hints = [
        f"One of {_list(values)}." if values and kind != "string" else "",
        f"Format: {schema['format']}."
        if kind == "string" and schema.get("format", "date-time") not in _FORMATS
        else "",
        f"Pattern: {schema['pattern']}" if kind == "string" and len(schema.get("pattern", "")) in range(1, 80) else "",
        f"At most {schema['maxLength']} characters." if kind == "string" and "maxLength" in schema else "",
        f"At least {schema['minItems']}." if kind == "array" and schema.get("minItems", 0) > 1 else "",
        f"At most {schema['maxItems']}." if kind == "array" and "maxItems" in schema else "",
        f"More than {schema['exclusiveMinimum']}." if kind == "number" and "exclusiveMinimum" in schema else "",
        f"Less than {schema['exclusiveMaximum']}." if kind == "number" and "exclusiveMaximum" in schema else "",
        f"Default: {_list([schema['default']])}." if _is_worth_it(schema.get("default")) else "",
    ]
    return [hint for hint in hints if hint]


def _is_worth_it(default: Any) -> bool:
    return default not in (None, "", [], {})


def _list(values: Sequence[Any]) -> str:
    told = ", ".join(json.dumps(value, ensure_ascii=False) for value in values[:_LISTED])
    return f"{told} …" if len(values) > _LISTED else told


def _types(schema: JsonObject) -> list[str]:
    named: Any = schema.get("type", ())
    return [named] if isinstance(named, str) else list(named)


def _kind(value: Any) -> str:
    names = ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"))
    return next((name for kind, name in names if isinstance(value, kind)), "null")


_KEPT = {
    "string": ("format", "pattern", "maxLength"),
    "integer": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    "array": ("items", "minItems", "maxItems"),
    "object": ("properties", "required"),
}


def _may_be_null(schema: JsonObject) -> bool:
    if "null" in _types(schema):
        return True
    return any(_may_be_null(branch) for branch in cast(list[JsonObject], schema.get("anyOf") or []))


def for_server(arguments: JsonObject, schema: JsonObject) -> JsonObject:
    """The arguments under the server's own names, with null where it insists on a value that may be null."""
    properties = _all_properties(schema)
    given = {_own_name(name, properties): _restored(value, properties.get(name)) for name, value in arguments.items()}
    needed = (name for name in schema.get("required", ()) if _may_be_null(properties.get(name, {})))
    nulls = (_own_name(name, properties) for name in needed if name not in arguments)
    return {**given, **{name: None for name in nulls if name not in given}}


def _restored(value: Any, schema: JsonObject | None) -> Any:
    if schema is None:
        return value
    if isinstance(value, dict):
        return for_server(cast(JsonObject, value), schema)
    if isinstance(value, list):
        items = next((one["items"] for one in (schema, *_inner(schema)) if "items" in one), None)
        return [_restored(entry, items) for entry in cast(list[Any], value)]
    return value


def _all_properties(schema: JsonObject) -> dict[str, JsonObject]:
    """Its properties, and those of its alternatives."""
    found: dict[str, JsonObject] = {}
    for one in (*reversed(_inner(schema)), schema):
        found |= cast(dict[str, JsonObject], one.get("properties") or {})
    return found


def _inner(schema: JsonObject) -> list[JsonObject]:
    branches = cast(list[JsonObject], schema.get("anyOf") or [])
    return [inner for branch in branches for inner in (branch, *_inner(branch))]


def _own_name(name: str, properties: dict[str, JsonObject]) -> str:
    return str(properties.get(name, {}).get(SERVER_NAME, name))
