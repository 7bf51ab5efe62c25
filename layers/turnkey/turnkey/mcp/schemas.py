"""Argument schemas that model endpoints accept. What cannot be made acceptable is set aside and reported."""

from typing import Any, cast

from turnkey.tools import JsonObject

COMBINATORS = ("anyOf", "oneOf", "allOf", "enum", "not")


def acceptable(schema: JsonObject) -> JsonObject | None:
    """The schema with what endpoints insist on, or None where it cannot describe an object's properties."""
    if schema.get("type", "object") != "object" or any(key in schema for key in COMBINATORS):
        return None
    if not isinstance(schema.get("properties", {}), dict):
        return None
    return {**schema, "type": "object", "properties": schema.get("properties", {})}


def properties(schema: JsonObject) -> dict[str, JsonObject]:
    """The schema of each property; properties that are no objects (`true`) count as unconstrained."""
    raw = cast(dict[str, Any], schema.get("properties", {}))
    return {name: cast(JsonObject, value) if isinstance(value, dict) else {} for name, value in raw.items()}


def present(schema: JsonObject) -> dict[str, JsonObject]:
    """The properties as they are for a value that is not null: what software fills arguments by."""
    return {name: _present(value) for name, value in properties(schema).items()}


def _present(schema: JsonObject) -> JsonObject:
    """What a value is when it is not null: optional arguments come as anyOf, oneOf or a list of types."""
    kinds = schema.get("type")
    if isinstance(kinds, list):
        real = [kind for kind in cast(list[Any], kinds) if kind != "null"]
        return {**schema, "type": real[0]} if len(real) == 1 else schema
    for key in ("anyOf", "oneOf"):
        options = cast(list[Any], schema.get(key) or [])
        real = [cast(JsonObject, option) for option in options if isinstance(option, dict)]
        real = [option for option in real if option.get("type") != "null"]
        if len(real) == 1:
            return {**{name: value for name, value in schema.items() if name != key}, **real[0]}
    return schema


def required(schema: JsonObject) -> tuple[str, ...]:
    return tuple(cast(list[str], schema.get("required", [])))
