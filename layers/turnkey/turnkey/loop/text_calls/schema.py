"""Arguments typed by the tool's schema, in one place for all grammars. What the schema cannot settle stays as it is."""

import re
from collections.abc import Mapping
from typing import Any, cast

from turnkey.loop.text_calls import literals
from turnkey.loop.text_calls.strings import encodable
from turnkey.loop.text_calls.values import Digits, Raw
from turnkey.mcp import schemas
from turnkey.tools import JsonObject

_INTEGER = re.compile(r"-?\d{1,400}")
_NUMBER = re.compile(r"-?(?:\d{1,400}(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?")
_WORDS = {"true": True, "false": False}
_NULLS = ("null", "None")
_TYPES: tuple[tuple[type, str], ...] = (
    (bool, "boolean"),
    (int, "integer"),
    (float, "number"),
    (str, "string"),
    (list, "array"),
    (dict, "object"),
    (type(None), "null"),
)


def typed(arguments: Mapping[str, Any], schema: JsonObject) -> JsonObject:
    """Arguments as their schema wants them; unknown ones as text."""
    known = schemas.properties(schema)
    return {name: _typed(value, known.get(name)) for name, value in arguments.items()}


def fits(arguments: Mapping[str, Any], schema: JsonObject) -> bool:
    """Whether these are exactly what the tool takes: known keys only, all required ones, right types."""
    known = schemas.properties(schema)
    if not all(name in arguments for name in schemas.required(schema)):
        return False
    return all(name in known and _right(value, known[name]) for name, value in typed(arguments, schema).items())


def keys_fit(arguments: Mapping[str, Any], schema: JsonObject) -> bool:
    known = schemas.properties(schema)
    return all(name in known for name in arguments) and all(name in arguments for name in schemas.required(schema))


def types(schema: JsonObject) -> set[str]:
    """The JSON types a schema allows; none named: all."""
    named = schema.get("type")
    if isinstance(named, str):
        return {named}
    if isinstance(named, list):
        return {str(one) for one in cast(list[Any], named)}
    allowed: set[str] = set()
    for branch in _branches(schema):
        allowed |= types(branch)
    for value in schema.get("enum", ()):
        allowed.add(_type(value))
    return allowed


def _branches(schema: JsonObject) -> list[JsonObject]:
    both = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    return [cast(JsonObject, one) for one in both if isinstance(one, dict)]


def _type(value: Any) -> str:
    return next((name for kind, name in _TYPES if isinstance(value, kind)), "")


def _right(value: Any, schema: JsonObject) -> bool:
    allowed = types(schema)
    if schema.get("enum") and value not in schema["enum"]:
        return False
    return not allowed or _type(value) in allowed or (_type(value) == "integer" and "number" in allowed)


def _typed(value: Any, schema: JsonObject | None) -> Any:
    allowed: set[str] = types(schema) if schema else set()
    if isinstance(value, Raw):
        return str(value) if schema is None else _from_text(str(value), schema, allowed)
    if isinstance(value, Digits):
        return _from_text(str(value), schema or {}, allowed) if allowed else str(value)
    if isinstance(value, dict):
        return _object(cast(JsonObject, value), schema or {})
    if isinstance(value, list):
        item = _part(schema or {}, "items")
        return [_typed(one, item) for one in cast(list[Any], value)]
    return _scalar(value, schema or {}, allowed)


def _scalar(value: Any, schema: JsonObject, allowed: set[str]) -> Any:
    if isinstance(value, str):
        value = encodable(value)
    if not allowed or _type(value) in allowed:
        return value
    if isinstance(value, str):
        return _from_text(value, schema, allowed)
    if isinstance(value, int) and not isinstance(value, bool) and allowed <= {"string", "null"}:
        return str(value)
    if isinstance(value, float) and "integer" in allowed and value.is_integer() and "number" not in allowed:
        return int(value)
    return value


def _object(value: JsonObject, schema: JsonObject) -> JsonObject:
    known = _part(schema, "properties") or {}
    return {name: _typed(one, cast(JsonObject | None, known.get(name, {}))) for name, one in value.items()}


def _part(schema: JsonObject, key: str) -> JsonObject | None:
    """`items` or `properties`, also of the branch that has them."""
    for one in (schema, *_branches(schema)):
        if isinstance(one.get(key), dict):
            return cast(JsonObject, one[key])
    return None


def _from_text(text: str, schema: JsonObject, allowed: set[str]) -> Any:
    bare = text.strip()
    if "null" in allowed and bare in _NULLS:
        return None
    if "string" in allowed:
        return text
    if "boolean" in allowed and bare.lower() in _WORDS:
        return _WORDS[bare.lower()]
    if "integer" in allowed and _INTEGER.fullmatch(bare):
        return int(bare)
    if allowed & {"number", "integer"} and _NUMBER.fullmatch(bare):
        return _number(bare, whole="number" not in allowed)
    if not allowed or allowed & {"array", "object"}:
        return _structure(text, schema, allowed)
    return text


def _number(text: str, *, whole: bool) -> Any:
    if _INTEGER.fullmatch(text):
        return int(text)
    value = float(text)
    return int(value) if whole and value.is_integer() else value


def _structure(text: str, schema: JsonObject, allowed: set[str]) -> Any:
    """A list or an object, as JSON or as Python writes it; with no type named, any JSON."""
    value = literals.whole(text, python=True) if allowed else literals.strict(text)
    if value is literals.NOTHING or (allowed and _type(value) not in allowed):
        return text
    return _typed(value, schema)
