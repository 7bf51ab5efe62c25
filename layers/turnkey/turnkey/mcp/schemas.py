"""Argument schemas that model endpoints accept. What cannot be made acceptable is set aside and reported."""

import json
from typing import Any, cast

from turnkey.mcp.closing import Unfillable, closed
from turnkey.mcp.merging import kinds
from turnkey.mcp.references import External
from turnkey.mcp.simplifying import MAX_DESCRIPTION, Simplifier, TooLarge
from turnkey.tools import JsonObject
from turnkey.tools.parameters import for_endpoints
from turnkey.values import Value

MAX_GIVEN = 250_000
"""Characters of a server's schema that is looked at."""
MAX_SENT = 16_000
"""Characters of what a model is sent of one tool's arguments."""
_TRIES = ((8, MAX_DESCRIPTION), (8, 160), (5, 160), (5, 0), (3, 0), (2, 0))
"""Levels, and characters of each description: what is too large is shown more and more roughly."""


class Accepted(Value):
    """`parameters` is what software and models work with (turnkey.tools.parameters makes what is sent of it)."""

    parameters: JsonObject
    warnings: tuple[str, ...] = ()


class SetAside(Value):
    """No model can be shown the tool."""

    reason: str


def acceptable(schema: JsonObject) -> Accepted | SetAside:
    """The arguments' schema in plain form, or why there is none. For any JSON object, in bounded time."""
    if problem := _unreadable(schema):
        return SetAside(reason=problem)
    try:
        made = next((found for depth, longest in _TRIES if (found := _made(schema, depth, longest))), None)
    except External as error:
        return SetAside(reason=f"its schema refers to {error.reference!r}: only what is within the schema is followed")
    except Unfillable as error:
        return SetAside(reason=f"nothing fits its argument {str(error)[:100]!r}, which it requires")
    return made or SetAside(reason=f"even in short its schema takes more than {MAX_SENT:,} characters")


def _unreadable(schema: JsonObject) -> str:
    try:
        size = len(json.dumps(schema, ensure_ascii=False))
    except RecursionError:
        return "its schema is nested too deep to be read"
    if size > MAX_GIVEN:
        return f"its schema has {size:,} characters, more than {MAX_GIVEN:,}"
    empty = next((key for key in ("anyOf", "oneOf") if schema.get(key) == []), "")
    return f"its {empty} has no alternative, so nothing fits" if empty else ""


def _made(schema: JsonObject, depth: int, longest: int) -> Accepted | SetAside | None:
    """None where it is too large with so many levels and such descriptions."""
    simplifier = Simplifier(schema, depth, longest)
    try:
        plain = simplifier.whole()
    except TooLarge:
        return None
    if plain is None or "object" not in kinds(plain):
        return SetAside(reason="its arguments are no object with named properties")
    about = {key: plain[key] for key in ("description", "properties", "required") if key in plain}
    parameters = closed({"type": "object", **about})
    sent = len(json.dumps(for_endpoints(parameters), ensure_ascii=False))
    return Accepted(parameters=parameters, warnings=tuple(simplifier.warnings)) if sent <= MAX_SENT else None


def properties(schema: JsonObject) -> dict[str, JsonObject]:
    """The schema of each property; properties that are no objects (`true`) count as unconstrained."""
    raw = cast(dict[str, Any], schema.get("properties", {}))
    return {name: cast(JsonObject, value) if isinstance(value, dict) else {} for name, value in raw.items()}


def present(schema: JsonObject) -> dict[str, JsonObject]:
    """The properties as they are for a value that is not null: what software fills arguments by."""
    return {name: _present(value) for name, value in properties(schema).items()}


def _present(schema: JsonObject) -> JsonObject:
    """What a value is when it is not null: optional arguments come as anyOf, oneOf or a list of types."""
    named = schema.get("type")
    if isinstance(named, list):
        real = [kind for kind in cast(list[Any], named) if kind != "null"]
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
