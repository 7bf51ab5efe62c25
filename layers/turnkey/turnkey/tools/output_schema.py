"""What a tool's output schema says of its results: which list they hold, and which fields its entries have."""

from typing import Any, cast

from turnkey.tools.tool import JsonObject

MAX_DEPTH = 5
"""References followed in a row: some schemas refer to themselves."""


class ItemsShape:
    """A result that is a list of things: `field` holds it (empty: the result itself), `properties` are an entry's."""

    def __init__(self, field: str, properties: dict[str, JsonObject], beside: int) -> None:
        self.field = field
        self.properties = properties
        self.beside = beside
        """Fields that stand beside the list."""


def items_shape(schema: JsonObject | None) -> ItemsShape | None:
    """The list of objects in a result, or None where the schema promises none, or several."""
    if not schema:
        return None
    root = _resolved(schema, schema)
    entries = _entry_properties(root, schema)
    if entries is not None:
        return ItemsShape("", entries, 0)
    fields = _properties(root)
    lists = {
        name: entries
        for name, value in fields.items()
        if (entries := _entry_properties(_resolved(value, schema), schema)) is not None
    }
    if len(lists) != 1:
        return None
    field, entries = lists.popitem()
    return ItemsShape(field, entries, len(fields) - 1)


def _entry_properties(schema: JsonObject, root: JsonObject) -> dict[str, JsonObject] | None:
    """An array's entries' fields, where they are objects."""
    if schema.get("type") != "array":
        return None
    entry = _resolved(_object(schema.get("items")), root)
    properties = {name: _resolved(value, root) for name, value in _properties(entry).items()}
    return properties or None


def _resolved(schema: JsonObject, root: JsonObject) -> JsonObject:
    """With local references followed, and the one kind besides null taken out of an optional one."""
    for _ in range(MAX_DEPTH):
        options = [_object(option) for option in cast(list[Any], schema.get("anyOf") or schema.get("oneOf") or [])]
        real = [option for option in options if option.get("type") != "null"]
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference.startswith("#/"):
            schema = _at(root, reference)
        elif len(real) == 1:
            schema = {**{name: value for name, value in schema.items() if name not in ("anyOf", "oneOf")}, **real[0]}
        else:
            break
    return schema


def _at(root: JsonObject, reference: str) -> JsonObject:
    here: Any = root
    for part in reference.removeprefix("#/").split("/"):
        here = _object(here).get(part.replace("~1", "/").replace("~0", "~"))
    return _object(here)


def _properties(schema: JsonObject) -> dict[str, JsonObject]:
    return {name: _object(value) for name, value in _object(schema.get("properties")).items()}


def _object(value: Any) -> JsonObject:
    return cast(JsonObject, value) if isinstance(value, dict) else {}
