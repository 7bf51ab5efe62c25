"""Several plain schemas as one: those that must all hold, and those of which one must.

A plain schema is what `simplifying` makes; None is one that nothing fits. What a merged schema lets through too much,
the check of the arguments against the server's own schema still stops.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from itertools import islice
from typing import Any, cast

from turnkey.tools import JsonObject

Plain = JsonObject | None
MOST_VALUES = 100
"""Values of an enum that are kept."""


def kinds(schema: JsonObject) -> tuple[str, ...]:
    """The JSON types it allows; none: it does not say."""
    named: Any = schema.get("type", ())
    return (named,) if isinstance(named, str) else tuple(named)


def typed(schema: JsonObject, allowed: Iterable[str]) -> JsonObject:
    """With these types in place of its own."""
    names = list(dict.fromkeys(allowed))
    rest = {key: value for key, value in schema.items() if key != "type"}
    return {"type": names[0] if len(names) == 1 else names, **rest} if names else rest


def both(one: Plain, other: Plain) -> Plain:
    """What fits both; where they cannot be told in one, what fits the first."""
    if one is None or other is None:
        return None
    merged = {**other, **one}
    for key in one.keys() & other.keys():
        if key in _TOGETHER:
            merged[key] = _TOGETHER[key](one[key], other[key])
    return merged


def _names(one: list[str], other: list[str]) -> list[str]:
    return list(dict.fromkeys((*one, *other)))


def _properties(one: dict[str, Plain], other: dict[str, Plain]) -> dict[str, Plain]:
    shared = {name: both(one[name], other[name]) for name in one if name in other}
    return {**one, **other, **shared}


def _values(one: list[Any], other: list[Any]) -> list[Any]:
    return [value for value in one if same_in(value, other)] or one


def _types(one: Any, other: Any) -> Any:
    first, second = kinds({"type": one}), kinds({"type": other})
    left = [name for name in first if name in second or (name == "integer" and "number" in second)]
    left += [name for name in second if name == "integer" and "number" in first and name not in left]
    return (left[0] if len(left) == 1 else left) if left else one


_TOGETHER: dict[str, Callable[[Any, Any], Any]] = {
    "type": _types,
    "enum": _values,
    "properties": _properties,
    "items": both,
    "required": _names,
    "minimum": max,
    "maximum": min,
    "minLength": max,
    "maxLength": min,
    "minItems": max,
    "maxItems": min,
}


def same_in(value: Any, values: Iterable[Any]) -> bool:
    """Whether the very same JSON value is among them: 1 is not true."""
    return any(type(value) is type(other) and value == other for other in values)


def distinct(scalars: Iterable[Any]) -> list[Any]:
    """Each once, and no more than MOST_VALUES of them."""
    once: dict[Any, Any] = {(type(value), value): value for value in islice(scalars, MOST_VALUES * 4)}
    return list(once.values())[:MOST_VALUES]


def one_of(base: JsonObject, branches: Sequence[JsonObject], *, whole: bool) -> JsonObject:
    """What fits `base` and one of the branches. `whole`: it has to stay one object, since it holds the arguments."""
    real = [branch for branch in branches if kinds(branch) != ("null",)]
    null = ("null",) if len(real) < len(branches) or any("null" in kinds(branch) for branch in real) else ()
    if len(real) == 1:
        merged = both(base, real[0]) or base
        return typed(merged, (*kinds(merged), *null)) if kinds(merged) else merged
    if real and (whole or "properties" in base or all(_is_condition(branch) for branch in real)):
        return _united(base, real)
    if real and all("enum" in branch and "properties" not in branch for branch in real):
        values = distinct(value for branch in real for value in branch["enum"])
        return typed({**base, "enum": values}, (*(kind for branch in real for kind in kinds(branch)), *null))
    return _either(base, branches)


def _is_condition(branch: JsonObject) -> bool:
    """Whether it only says which properties must be there."""
    return branch.keys() <= {"required", "type", "properties"} and not branch.get("properties")


def _united(base: JsonObject, branches: Sequence[JsonObject]) -> JsonObject:
    """One object with the properties of all branches, and with what every branch requires."""
    needed: list[frozenset[str]] = [frozenset(branch.get("required", ())) for branch in branches]
    always = reduce(frozenset[str].intersection, needed)
    names = list(dict.fromkeys(name for branch in branches for name in branch.get("properties", {})))
    properties = {name: _united_property(name, branches) for name in names}
    united = both(base, {"properties": properties, "required": sorted(always)}) or base
    ways = list(dict.fromkeys(tuple(sorted(names - always)) for names in needed))
    return described(united, _choice(ways)) if len(ways) > 1 else united


def _united_property(name: str, branches: Sequence[JsonObject]) -> Plain:
    found = [branch["properties"][name] for branch in branches if name in branch.get("properties", {})]
    real = [one for one in found if one is not None]
    different = [one for place, one in enumerate(real) if one not in real[:place]]
    if not different:
        return None
    return different[0] if len(different) == 1 else one_of({}, different, whole=False)


def _choice(ways: Sequence[Sequence[str]]) -> str:
    """Such as: Give one of: query; or id with kind."""
    told = "; or ".join(" with ".join(way) if way else "none of these" for way in ways[:10])
    return f"Give one of: {told}."


def _either(base: JsonObject, branches: Sequence[JsonObject]) -> JsonObject:
    """One of several, as anyOf. Inner ones come up, equal ones are one."""
    about = {key: base[key] for key in ("description", "default") if key in base}
    rest = {key: value for key, value in base.items() if key not in about}
    whole = [both(branch, rest) or branch for branch in branches]
    flat = [inner for branch in whole for inner in (branch["anyOf"] if branch.keys() == {"anyOf"} else [branch])]
    different = [one for place, one in enumerate(flat) if one not in flat[:place]]
    return {**different[0], **about} if len(different) == 1 else {**about, "anyOf": different}


def described(schema: JsonObject, note: str) -> JsonObject:
    """With a note behind its description."""
    return {**schema, "description": f"{schema.get('description', '')} {note}".strip()}


def all_of(parts: Sequence[Plain]) -> Plain:
    return reduce(both, parts)


def optional(schema: Plain) -> JsonObject:
    """The properties that a condition may add; what it demands is left to the check."""
    properties = cast(dict[str, Plain], (schema or {}).get("properties") or {})
    real = {name: value for name, value in properties.items() if value is not None}
    return {"properties": real} if real else {}
