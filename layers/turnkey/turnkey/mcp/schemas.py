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


def required(schema: JsonObject) -> tuple[str, ...]:
    return tuple(cast(list[str], schema.get("required", [])))
