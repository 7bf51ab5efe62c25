"""Calls written as JSON objects, whatever the keys are called: name and arguments, wire form, name as the key."""

from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from turnkey.loop.text_calls import literals, schema
from turnkey.loop.text_calls.source import Source
from turnkey.tools import JsonObject

_NAMES = ("name", "tool_name", "function_name", "tool", "function", "recipient_name")
_ARGUMENTS = ("arguments", "parameters", "args", "input", "tool_input", "tool_args", "params", "kwargs")
_WRAPPERS = ("tool_calls", "function_call", "tool_call", "function", "tool_uses", "calls")
_ENVELOPE = {*_NAMES, *_ARGUMENTS, *_WRAPPERS, "type", "id", "index", "call_id", "tool_call_id", "role", "content"}
WIRE = ("tool_calls", "function_call")
"""Keys that say by themselves that calls follow."""


class Written(NamedTuple):
    """`arguments` is None where they are no object. `wired`: it stands under one of the keys WIRE."""

    name: str
    arguments: JsonObject | None
    envelope: bool = True
    wired: bool = False


def calls_in(value: Any, src: Source, *, wired: bool = False, depth: int = 0) -> Iterator[Written]:
    """The calls that a JSON value states, in order. What is no call object gives none."""
    if depth > 4:
        return
    if isinstance(value, list):
        for one in cast(list[Any], value):
            yield from calls_in(one, src, wired=wired, depth=depth + 1)
    elif isinstance(value, dict):
        yield from _in_object(cast(JsonObject, value), src, wired, depth)


def _in_object(value: JsonObject, src: Source, wired: bool, depth: int) -> Iterator[Written]:
    inner = next((key for key in _WRAPPERS if isinstance(value.get(key), (dict, list))), "")
    key = next((key for key in _NAMES if isinstance(value.get(key), str)), "")
    if inner and not (key and any(one in value for one in _ARGUMENTS)):
        yield from calls_in(value[inner], src, wired=wired or inner in WIRE, depth=depth + 1)
    elif key:
        yield _named(value, key, src)._replace(wired=wired)
    elif len(value) == 1:
        yield from _keyed(value, src)


def _named(value: JsonObject, key: str, src: Source) -> Written:
    name = str(value[key]).split("<|")[0].strip()
    given = next((one for one in _ARGUMENTS if one in value), "")
    tool = src.tools.get(src.known(name), {})
    envelope = all(one in _ENVELOPE for one in value)
    if not given:
        flat = {one: part for one, part in value.items() if one != key}
        fits = bool(flat) and schema.keys_fit(flat, tool)
        return Written(name, flat if fits else {}, envelope)
    arguments = as_object(value[given])
    if arguments is not None and is_definition(arguments, tool):
        arguments = None
    return Written(name, arguments, envelope)


def _keyed(value: JsonObject, src: Source) -> Iterator[Written]:
    """`{"f": {"a": 1}}`."""
    for name, arguments in value.items():
        if isinstance(arguments, dict) and (src.known(name) or name not in _ENVELOPE):
            yield Written(name, cast(JsonObject, arguments), envelope=False)


def as_object(given: Any) -> JsonObject | None:
    """Arguments as an object; a string is decoded once, nothing at all means none."""
    if given is None:
        return {}
    if isinstance(given, str):
        given = literals.whole(given) if given.strip() else {}
    return cast(JsonObject, given) if isinstance(given, dict) else None


def is_definition(arguments: JsonObject, tool: JsonObject) -> bool:
    """Whether these are no arguments but the schema of some."""
    return "properties" in arguments and "type" in arguments and not schema.keys_fit(arguments, tool)
