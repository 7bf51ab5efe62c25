"""The manifest's JSON Schema (draft 2020-12), from the models that read it: what they refuse by its form, it refuses.

Stricter in one thing: where the models take "5" for 5, the schema does not, except as ${NAME}, which the `turnkey`
command fills in before it sends a manifest.
"""

import re
from typing import Any, cast

from turnkey import channels
from turnkey.tenancy.sections import Manifest
from turnkey.tools import JsonObject

_VARIABLE = "Variable"
_SAMPLE = "${NAME}"
_ANNOTATIONS = ("description", "default", "examples", "title")
_SCHEMAS = ("items", "additionalProperties")
_MAPS = ("properties", "$defs")
_LISTS = ("anyOf", "oneOf")


def manifest_schema() -> JsonObject:
    """A fresh copy."""
    schema = Manifest.model_json_schema()
    # Of channels there are as many as there are modules: the model cannot name them.
    schema["$defs"]["ConnectionSection"]["properties"]["channel"]["enum"] = list(channels.kinds())
    for section in schema["$defs"].values():
        _require_kind(section)
    opened: JsonObject = _opened(schema)
    opened["$defs"][_VARIABLE] = {
        "type": "string",
        "pattern": r"\$\{[A-Za-z_][A-Za-z0-9_]*\}",
        "description": "filled in from the environment by the turnkey command",
    }
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Manifest of a Turnkey tenant"} | opened


def _require_kind(section: JsonObject) -> None:
    """What tells the kinds of a section apart is never left out."""
    kind: JsonObject = section.get("properties", {}).get("kind", {})
    if "const" in kind:
        kind.pop("default", None)
        section["required"] = ["kind", *section.get("required", [])]


def _opened(node: Any) -> Any:
    """The schema with variables allowed wherever a single value is, and without titles that repeat the names."""
    if not isinstance(node, dict):
        return node
    fields = {name: value for name, value in cast(JsonObject, node).items() if name not in ("title", "discriminator")}
    for name, value in fields.items():
        if name in _SCHEMAS:
            fields[name] = _opened(value)
        elif name in _MAPS:
            fields[name] = {key: _opened(entry) for key, entry in cast(JsonObject, value).items()}
        elif name in _LISTS:
            fields[name] = [_opened(entry) for entry in cast(list[Any], value)]
    return _with_variable(fields) if _excludes_variables(fields) else fields


def _excludes_variables(node: JsonObject) -> bool:
    if "const" in node:
        # What tells the kinds of a section apart.
        return False
    if "enum" in node or node.get("type") in ("integer", "number", "boolean"):
        return True
    return node.get("type") == "string" and not re.search(node.get("pattern", ""), _SAMPLE)


def _with_variable(node: JsonObject) -> JsonObject:
    about = {name: node[name] for name in _ANNOTATIONS if name in node}
    value = {name: value for name, value in node.items() if name not in about}
    return {**about, "anyOf": [value, {"$ref": f"#/$defs/{_VARIABLE}"}]}
