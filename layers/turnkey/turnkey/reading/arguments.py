"""Filling a tool's arguments from the facts, by its schema. Software, not a model: what it cannot know stays open."""

from turnkey.mcp import schemas
from turnkey.reading import entities, references
from turnkey.reading.asked import Asked
from turnkey.reading.dates import clock_times, day
from turnkey.reading.people import email, person, phone
from turnkey.reading.prices import price_limit
from turnkey.reading.roles import Role, role
from turnkey.reading.subject import search_words
from turnkey.reading.words import ids
from turnkey.tools import JsonObject, Tool
from turnkey.values import Value

MOST = 50
"""Asked for where a whole list is wanted and the schema names no maximum."""


class Filled(Value):
    """`missing`: required arguments that are still open."""

    arguments: JsonObject
    missing: tuple[str, ...] = ()


def fill(tool: Tool, asked: Asked, *, whole: bool = False) -> Filled:
    """The arguments that can be known. `whole`: as many items as the tool gives, for a chart."""
    before = _before(tool, asked)
    arguments: JsonObject = {}
    for name, schema in schemas.present(tool.parameters).items():
        value = _value(name, schema, tool, asked, whole, before)
        if value is None:
            value = before.get(name)
        if value not in (None, ""):
            arguments[name] = value
    arguments = _from_the_start(tool, arguments, before)
    required = schemas.required(tool.parameters)
    return Filled(arguments=arguments, missing=tuple(name for name in required if name not in arguments))


def _from_the_start(tool: Tool, arguments: JsonObject, before: JsonObject) -> JsonObject:
    """Without an offset where the list is no longer the one before: a new condition begins a new list."""
    kinds = {name: role(name, _schema(tool, name)) for name in arguments}
    same = all(arguments[name] == before.get(name) for name in arguments if kinds[name] not in ("offset", "limit"))
    return arguments if same else {name: value for name, value in arguments.items() if kinds[name] != "offset"}


def _before(tool: Tool, asked: Asked) -> JsonObject:
    """The last call's arguments, where the message leans on what that call handed over."""
    handed = asked.handed
    if handed is None or handed.tool != tool.name or not (asked.elliptical or asked.facts.fresh):
        return {}
    return {name: value for name, value in handed.arguments.items() if role(name, _schema(tool, name)) != "offset"}


def _value(
    name: str, schema: JsonObject, tool: Tool, asked: Asked, whole: bool, before: JsonObject
) -> str | int | float | None:
    is_for = role(name, schema)
    if is_for == "limit":
        return _limit(schema, asked, whole)
    if is_for == "offset":
        return _offset(asked, before, name) if not whole else None
    if is_for == "query":
        return search_words(asked, tool, has_before=name in before) or None
    if is_for in ("choice", "language", "entity"):
        return entities.find(is_for, name, schema, tool, asked)
    return _plain(is_for, name, schema, asked)


def _plain(is_for: Role, name: str, schema: JsonObject, asked: Asked) -> str | int | float | None:
    """Values that stand in the customer's words as they are."""
    match is_for:
        case "quantity":
            return asked.facts.quantity
        case "max_price":
            return price_limit(asked)
        case "day":
            found = day(asked.message, asked.language, asked.today)
            return found.isoformat() if found else None
        case "clock":
            return next((moment.strftime("%H:%M") for moment in clock_times(asked.message)), None)
        case "moment":
            return _moment(asked)
        case "person":
            return person(asked.customer) or None
        case "email":
            return email(asked.customer) or None
        case "phone":
            return phone(asked.customer) or None
        case "id":
            return references.identify(name, schema, asked, ids(asked.message))
        case _:
            return None


def _limit(schema: JsonObject, asked: Asked, whole: bool) -> int | None:
    most = int(schema.get("maximum") or MOST)
    if whole:
        return most
    if asked.facts.quantity is None:
        return None
    return max(int(schema.get("minimum") or 1), min(asked.facts.quantity, most))


def _offset(asked: Asked, before: JsonObject, name: str) -> int | None:
    """Behind what was shown, where others are wanted."""
    if not (asked.facts.fresh and before and asked.handed):
        return None
    return int(asked.handed.arguments.get(name) or 0) + len(asked.handed.items)


def _moment(asked: Asked) -> str | None:
    found, times = day(asked.message, asked.language, asked.today), clock_times(asked.message)
    return f"{found.isoformat()}T{times[0].strftime('%H:%M')}" if found and times else None


def _schema(tool: Tool, name: str) -> JsonObject:
    return schemas.present(tool.parameters).get(name, {})
