"""Arguments against the schema of the tool's server, within bounded work: the schema is a stranger's.

What cannot be checked here is let through: the server checks too, and its refusal comes back to the model.
"""

import re
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import cache
from typing import Any, cast

from turnkey.tools import JsonObject, Tool
from turnkey.tools.parameters import SERVER_NAME, for_server

MAX_STEPS = 20_000
"""Keywords looked at in one check; references that double at each level would never end."""
MAX_MATCHED = 200
"""Characters of a text that is held against a pattern."""
_QUANTIFIERS = 3
"""In a pattern, at most, and none around a group: what Python's engine tries then stays few."""

_LEFT_OUT = frozenset(
    ["patternProperties", "unevaluatedProperties", "unevaluatedItems", "$dynamicRef", "$recursiveRef", "format"]
)

_steps: ContextVar[list[int]] = ContextVar("steps of this check")
_Keyword = Callable[[Any, Any, Any, Any], Any]


class _TooMuch(Exception):
    pass


def schema_problem(tool: Tool, arguments: JsonObject) -> str:
    """What does not fit what the server accepts, or nothing. `arguments` are under the names that the model saw."""
    schema = tool.input_schema if tool.input_schema is not None else tool.parameters
    error = _first_error(schema, for_server(arguments, tool.parameters))
    if error is None:
        return ""
    path = ".".join(str(part) for part in error.absolute_path)
    told = _shown(f"The arguments do not fit{f' at {path}' if path else ''}: {error.message[:300]}.", tool.parameters)
    return f"{told} Correct them and call again."


def _first_error(schema: JsonObject, arguments: JsonObject) -> Any:
    # 60 ms to import, so only once there is a call to check.
    from jsonschema import exceptions

    _steps.set([0])
    try:
        return cast(Any, exceptions).best_match(_validator(schema).iter_errors(arguments))
    except Exception:
        # A schema that makes the validator fail, in whatever way, says nothing of the arguments.
        return None


def _shown(text: str, schema: JsonObject) -> str:
    """With the names that the model was shown in place of the server's."""
    for name, inner in schema.get("properties", {}).items():
        if SERVER_NAME in inner:
            text = text.replace(str(inner[SERVER_NAME]), name)
    return text


def _validator(schema: JsonObject) -> Any:
    from jsonschema import validators
    from referencing import Registry

    base: Any = cast(Any, validators).validator_for(schema, default=validators.Draft202012Validator)
    # A registry of its own: without one, references would be fetched from wherever they point.
    return _bounded(base)(schema, registry=Registry[Any]())


@cache
def _bounded(base: Any) -> Any:
    """The draft's validator with its work counted and what a stranger could abuse taken out."""
    from jsonschema import validators

    drafts = cast(dict[str, _Keyword], base.VALIDATORS)
    kept = {name: keyword for name, keyword in drafts.items() if name not in _LEFT_OUT}
    careful: dict[str, _Keyword] = {**kept, "type": _type, "pattern": _pattern}
    if "$ref" in careful:
        careful["$ref"] = _forgiving(careful["$ref"])
    counted = {name: _counted(keyword) for name, keyword in careful.items()}
    return cast(Any, validators).create(base.META_SCHEMA, counted, type_checker=base.TYPE_CHECKER)


def _counted(keyword: _Keyword) -> _Keyword:
    def checked(validator: Any, value: Any, instance: Any, schema: Any) -> Any:
        steps = _steps.get()
        steps[0] += 1
        if steps[0] > MAX_STEPS:
            raise _TooMuch
        return keyword(validator, value, instance, schema)

    return checked


def _forgiving(keyword: _Keyword) -> _Keyword:
    """A reference that leads nowhere demands nothing."""

    def followed(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
        from referencing.exceptions import Unresolvable

        try:
            found = keyword(validator, value, instance, schema)
            yield from found or ()
        except Unresolvable:
            return

    return followed


def _type(validator: Any, value: Any, instance: Any, _: Any) -> Iterator[Any]:
    """As the draft has it, but a type that JSON does not have allows everything."""
    from jsonschema import ValidationError
    from jsonschema.exceptions import UnknownType

    names = cast(list[Any], value) if isinstance(value, list) else [value]
    try:
        fits = any(validator.is_type(instance, name) for name in names)
    except UnknownType:
        return
    if not fits:
        yield ValidationError(f"{instance!r} is not of type {', '.join(repr(name) for name in names)}")


def _pattern(validator: Any, value: Any, instance: Any, _: Any) -> Iterator[Any]:
    from jsonschema import ValidationError

    if not isinstance(instance, str) or len(instance) > MAX_MATCHED or not is_harmless(value):
        return
    if not re.search(value, instance):
        yield ValidationError(f"{instance!r} does not match {value!r}")


def is_harmless(pattern: Any) -> bool:
    """Whether a stranger's pattern is short work on a short text: no repeated groups, no looking around or back."""
    if not isinstance(pattern, str) or len(pattern) > MAX_MATCHED or re.search(r"\)[*+?{]|\(\?[^:]|\\\d", pattern):
        return False
    return len(re.findall(r"(?<!\\)[*+{]", pattern)) <= _QUANTIFIERS
