"""The last step to a plain schema: objects whose parts fit together, under names that endpoints accept."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import cast

from turnkey.mcp import naming
from turnkey.mcp.merging import Plain, kinds
from turnkey.tools import JsonObject
from turnkey.tools.parameters import SERVER_NAME

_ACCEPTED = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")
"""The strictest that an endpoint asks of a property's name."""
_FOR = {
    "array": ("items", "minItems", "maxItems"),
    "object": ("properties", "required"),
    "string": ("format", "pattern", "minLength", "maxLength"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
}


class Unfillable(Exception):
    """A property is required that nothing fits."""


def closed(schema: JsonObject) -> JsonObject:
    """With every required property described, every property named acceptably, and nothing that is about other types.
    Raises Unfillable."""
    allowed = kinds(schema)
    own = {key: value for key, value in schema.items() if _belongs(key, allowed)}
    if "anyOf" in own:
        own["anyOf"] = [made for branch in own["anyOf"] if (made := _closed(branch)) is not None]
        if not own["anyOf"]:
            raise Unfillable("")
    if "items" in own:
        own["items"] = _closed(own["items"]) or {}
    if "object" in allowed:
        return {**own, **_object(cast(dict[str, Plain], own.get("properties", {})), own.get("required", ()))}
    return own


def _belongs(key: str, allowed: tuple[str, ...]) -> bool:
    """Whether a keyword is about one of the types; where none is named, all keywords but an object's are."""
    about = next((kind for kind, keys in _FOR.items() if key in keys), None)
    if about is None or not allowed:
        return about != "object"
    return about in allowed or (about == "number" and "integer" in allowed)


def _closed(schema: Plain) -> Plain:
    """None where nothing fits."""
    try:
        return closed(schema) if schema is not None else None
    except Unfillable:
        return None


def _object(properties: dict[str, Plain], required: Iterable[str]) -> JsonObject:
    needed = list(dict.fromkeys(required))
    described = {**properties, **{name: {} for name in needed if name not in properties}}
    made = {name: schema for name, one in described.items() if (schema := _closed(one)) is not None}
    if missing := [name for name in needed if name not in made]:
        raise Unfillable(missing[0])
    names = _names(made)
    shown = {names[name]: _named(schema, name, names[name]) for name, schema in made.items()}
    return {"properties": shown, **({"required": [names[name] for name in needed]} if needed else {})}


def _named(schema: JsonObject, name: str, shown: str) -> JsonObject:
    return schema if name == shown else {**schema, SERVER_NAME: name}


def _names(properties: Iterable[str]) -> dict[str, str]:
    """The shown name of each property. Two never get the same."""
    names = list(properties)
    readable = {name: name if _ACCEPTED.fullmatch(name) else _readable(name) for name in names}
    times = Counter(readable.values())
    return {
        name: shown if name == shown or (times[shown] == 1 and _says_much(name, shown)) else naming.hashed(shown, name)
        for name, shown in readable.items()
    }


def _readable(name: str) -> str:
    safe = re.sub(r"[^a-zA-Z0-9_]+", "_", name).strip("_")
    return (safe if safe[:1].isalpha() else f"p_{safe}".rstrip("_"))[: naming.MAX_LENGTH]


def _says_much(name: str, shown: str) -> bool:
    """Whether the shown form still tells this name from others like it: nearly all of it is there."""
    return (
        len(name) <= naming.MAX_LENGTH
        and sum(character.isascii() for character in name) == len(name)
        and len(shown) > 1
    )
