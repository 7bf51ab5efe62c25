"""A server's schema in plain form: references written out, alternatives merged where that keeps what can be said, only
keywords that software and models work with. A plain schema says no less than the server's own accepts, as far as it can
be told; the arguments are checked against the server's own (turnkey.loop.arguments).

References are written out since endpoints differ most there: some take none, some only those to the root, several
refuse any that comes back to itself (docs/decisions/0018-plain-schemas.md).
"""

import math
import re
from collections import Counter
from typing import Any, cast

from turnkey.mcp import merging
from turnkey.mcp.merging import Plain, both, described, distinct, kinds, typed
from turnkey.mcp.references import References
from turnkey.tools import JsonObject

MAX_NODES = 1000
"""Schemas within one, as written out."""
MAX_BRANCHES = 50
MAX_DESCRIPTION = 1000
_SAME_REFERENCE = 2
"""How often one reference is written out inside itself."""
_MAX_INSIDE = 60
"""Schemas inside one another, those that are no level of the arguments counted: references and allOf."""
_HALVES = re.compile("[\ud800-\udfff]")
_SPELLED = {
    **{name: name for name in ("string", "integer", "number", "boolean", "array", "object", "null")},
    **{"str": "string", "text": "string", "int": "integer", "long": "integer", "float": "number", "double": "number"},
    **{"decimal": "number", "bool": "boolean", "list": "array", "dict": "object", "map": "object", "none": "null"},
}
_OF_KIND = (
    ("object", ("properties", "patternProperties", "additionalProperties", "required")),
    ("array", ("items", "prefixItems", "minItems", "maxItems")),
    ("string", ("pattern", "format", "minLength", "maxLength")),
    ("number", ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")),
)
_VALUE_KINDS = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_COUNTS = ("minLength", "maxLength", "minItems", "maxItems")


class TooLarge(Exception):
    """More schemas than MAX_NODES."""


class Simplifier:
    """Makes one schema plain. `warnings` are for whoever registers it."""

    def __init__(self, root: JsonObject, max_depth: int, max_description: int = MAX_DESCRIPTION) -> None:
        self.warnings: dict[str, None] = {}
        self._root = root
        self._references = References(root)
        self._followed: Counter[str] = Counter()
        self._max_depth = max_depth
        self._max_description = max_description
        self._nodes = 0
        self._inside = 0

    def whole(self) -> Plain:
        """The root, which holds the arguments: an object. Raises TooLarge and External."""
        # Its title is the name of a class, as a rule.
        own = {key: value for key, value in self._root.items() if key != "title"}
        return self._node({"type": "object", **own}, 0, whole=True)

    def _node(self, schema: Any, depth: int, *, whole: bool = False) -> Plain:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise TooLarge
        if schema is False:
            return None
        if not isinstance(schema, dict):
            return {}
        fields = cast(JsonObject, schema)
        if depth > self._max_depth or self._inside > _MAX_INSIDE:
            self._warn(f"arguments nested deeper than {self._max_depth} levels are shown without their inside")
            return self._outline(fields)
        self._inside += 1
        try:
            with self._references.within(fields):
                return self._merged(fields, depth, whole)
        finally:
            self._inside -= 1

    def _merged(self, schema: JsonObject, depth: int, whole: bool) -> Plain:
        parts = [self._own(schema, depth), self._referred(schema, depth, whole)]
        parts += [self._node(part, depth, whole=whole) for part in _schemas(schema, "allOf")]
        base = merging.all_of([part for part in parts if part != {}] or [{}])
        conditional = [schema[key] for key in ("then", "else") if key in schema]
        for part in (*conditional, *_object(schema.get("dependentSchemas")).values()):
            base = both(base, merging.optional(self._node(part, depth)))
        for key in ("anyOf", "oneOf"):
            base = self._with_branches(base, key, schema, depth, whole)
        return base

    def _with_branches(self, base: Plain, key: str, schema: JsonObject, depth: int, whole: bool) -> Plain:
        branches = _schemas(schema, key)
        if base is None or not branches:
            return base
        if whole:
            self._warn(f"{key} at the top is merged: what belongs together is checked when a call is made")
        if len(branches) > MAX_BRANCHES:
            self._warn(f"of {len(branches)} alternatives in {key} the first {MAX_BRANCHES} are shown")
        inside = depth if whole or "properties" in base else depth + 1
        made = [self._branch(branch, inside, whole) for branch in branches[:MAX_BRANCHES]]
        real = [branch for branch in made if branch is not None]
        return merging.one_of(base, real, whole=whole) if real else None

    def _branch(self, branch: Any, depth: int, whole: bool) -> Plain:
        made = self._node(branch, depth, whole=whole)
        # Arguments are an object: what else a branch would take can never come.
        return None if made is not None and whole and kinds(made) and "object" not in kinds(made) else made

    def _referred(self, schema: JsonObject, depth: int, whole: bool) -> Plain:
        reference = next((schema[key] for key in _REFERENCES if isinstance(schema.get(key), str)), None)
        if reference is None:
            return {}
        target = self._references.find(reference)
        if target is None:
            self._warn(f"the reference {reference[:100]!r} leads nowhere: shown as any value")
            return {}
        if self._followed[reference] >= _SAME_REFERENCE:
            self._warn(f"{reference[:100]!r} refers to itself: shown to a depth of {_SAME_REFERENCE}")
            return self._outline(target)
        self._followed[reference] += 1
        try:
            return self._node(target, depth, whole=whole)
        finally:
            self._followed[reference] -= 1

    def _outline(self, schema: Any) -> JsonObject:
        """What a schema is for, without its inside."""
        fields = _object(schema)
        return typed(self._about(fields), _named_kinds(fields) or _guessed_kinds(fields))

    def _about(self, schema: JsonObject) -> JsonObject:
        texts = (schema.get(key) for key in ("description", "title"))
        text = next((text.strip() for text in texts if isinstance(text, str) and text.strip()), "")
        text = _HALVES.sub("?", text)
        if len(text) > self._max_description:
            self._warn("descriptions of arguments are shortened")
            text = f"{text[: self._max_description - 1].rstrip()}…" if self._max_description else ""
        return {"description": text} if text else {}

    def _own(self, schema: JsonObject, depth: int) -> JsonObject:
        """The schema's own keywords."""
        values = _values(schema)
        found = _named_kinds(schema) or tuple(dict.fromkeys(_kind(value) for value in values)) or _guessed_kinds(schema)
        self._check_spelling(schema)
        own = typed(self._about(schema), found)
        if "enum" in schema and len(_list(schema["enum"])) > merging.MOST_VALUES:
            self._warn(f"of {len(schema['enum'])} values to choose from the first {merging.MOST_VALUES} are shown")
        if real := [value for value in values if value is not None]:
            own["enum"] = real
        if _is_small(schema.get("default")):
            own["default"] = schema["default"]
        own |= self._limits(schema)
        if not found or "array" in found:
            own |= self._items(schema, depth)
        if not found or "object" in found:
            own |= self._properties(schema, depth)
        return own

    def _check_spelling(self, schema: JsonObject) -> None:
        named = schema.get("type", ())
        for name in _list(named) if isinstance(named, list) else [named] if named else []:
            if not isinstance(name, str) or name not in _JSON_TYPES:
                self._warn(f"{str(name)[:40]!r} is no JSON type: {_SPELLED.get(str(name), 'any value')} is shown")

    def _limits(self, schema: JsonObject) -> JsonObject:
        numbers = {key: schema[key] for key in _NUMBERS if _is_number(schema.get(key))}
        for key in ("minimum", "maximum"):
            # As draft 4 says it: a minimum, and whether the value itself is excluded.
            if schema.get(f"exclusive{key.capitalize()}") is True and key in numbers:
                numbers[f"exclusive{key.capitalize()}"] = numbers.pop(key)
        counts = {key: schema[key] for key in _COUNTS if _is_count(schema.get(key))}
        texts = {key: schema[key] for key in ("format", "pattern") if _is_short(schema.get(key))}
        if "pattern" in texts and not _is_pattern(texts["pattern"]):
            self._warn(f"the pattern {texts.pop('pattern')[:60]!r} is no regular expression: it is not checked here")
        return {**numbers, **counts, **texts}

    def _items(self, schema: JsonObject, depth: int) -> JsonObject:
        tuples = _schemas(schema, "prefixItems") or _schemas(schema, "items")
        if tuples:
            made = [self._node(entry, depth + 1) for entry in tuples[:MAX_BRANCHES]]
            real = [one for one in made if one is not None]
            return {"items": merging.one_of({}, real, whole=False)} if real else {}
        if "items" not in schema:
            return {}
        return {"items": self._node(schema["items"], depth + 1) or {}}

    def _properties(self, schema: JsonObject, depth: int) -> JsonObject:
        raw = schema.get("properties")
        if not isinstance(raw, dict) and "properties" in schema:
            self._warn("its properties are no object: left out")
        found = {name: self._node(one, depth + 1) for name, one in _object(raw).items()}
        needed = [name for name in _list(schema.get("required")) if isinstance(name, str)]
        made: JsonObject = {"properties": found} if found else {}
        if needed:
            made["required"] = list(dict.fromkeys(needed))
        values = schema.get("additionalProperties")
        if not found and isinstance(values, dict):
            inside = self._node(cast(JsonObject, values), depth + 1)
            named = " or ".join(kinds(inside)) if inside else ""
            return described({**self._about(schema), **made}, f"Its values: {named}.") if named else made
        return made

    def _warn(self, text: str) -> None:
        self.warnings[text] = None


_JSON_TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


def _named_kinds(schema: JsonObject) -> tuple[str, ...]:
    named = schema.get("type", ())
    names = _list(cast(Any, named)) if isinstance(named, list) else [named]
    found = (_SPELLED.get(name.lower()) for name in names if isinstance(name, str))
    return tuple(dict.fromkeys(name for name in found if name))


def _guessed_kinds(schema: JsonObject) -> tuple[str, ...]:
    """By what it limits: a schema with properties is about an object, though it would let a number through."""
    return next(((kind,) for kind, signs in _OF_KIND if any(sign in schema for sign in signs)), ())


def _values(schema: JsonObject) -> list[Any]:
    """The values to choose from, where there are any; those that no model could write left out."""
    named = [schema["const"]] if "const" in schema else _list(schema.get("enum"))
    return distinct(value for value in named if _is_value(value))


def _is_value(value: Any) -> bool:
    if isinstance(value, str):
        return not _HALVES.search(value) and len(value) <= MAX_DESCRIPTION
    return value is None or isinstance(value, bool) or _is_number(value)


def _kind(value: Any) -> str:
    return _VALUE_KINDS[type(value)]


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) < _MOST and not (isinstance(value, float) and math.isnan(value))


_MOST = 10**15


def _is_count(value: Any) -> bool:
    return _is_number(value) and value >= 0 and value == int(value)


def _is_short(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 200 and not _HALVES.search(value)


def _is_pattern(text: str) -> bool:
    try:
        re.compile(text)
    except (re.error, RecursionError, OverflowError):
        return False
    return True


def _is_small(value: Any) -> bool:
    """A default that is worth a word."""
    if isinstance(value, str):
        return _is_short(value)
    return isinstance(value, bool) or _is_number(value)


def _schemas(schema: JsonObject, key: str) -> list[Any]:
    return _list(schema.get(key))


def _list(value: Any) -> list[Any]:
    return cast(list[Any], value) if isinstance(value, list) else []


def _object(value: Any) -> JsonObject:
    return cast(JsonObject, value) if isinstance(value, dict) else {}
