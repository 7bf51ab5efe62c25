"""What model endpoints ask of a tool's parameters, checked without any of the product's code.

Each rule is one that some provider refuses a whole request by (docs/decisions/0018-plain-schemas.md).
"""

from __future__ import annotations

import json
import re
from typing import Any

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
PROPERTY = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")
TYPES = {"string", "number", "integer", "boolean", "array", "object"}
KEYS = {
    "string": {"enum", "format"},
    "number": {"minimum", "maximum"},
    "integer": {"minimum", "maximum"},
    "boolean": set[str](),
    "array": {"items"},
    "object": {"properties", "required"},
}


def broken_rules(parameters: Any) -> list[str]:
    """What is wrong with the parameters of one function, empty where nothing is."""
    problems: list[str] = []
    try:
        if len(json.dumps(parameters, allow_nan=False, ensure_ascii=False).encode()) > 64_000:
            problems.append("too large")
    except (ValueError, TypeError, RecursionError) as error:
        return [f"no JSON: {error}"]
    if not isinstance(parameters, dict) or parameters.get("type") != "object":
        return [*problems, "the root is no object"]
    if not isinstance(parameters.get("properties"), dict):
        problems.append("the root has no properties")
    return [*problems, *_node(parameters, "", 0)]


def _node(node: Any, path: str, depth: int) -> list[str]:
    if not isinstance(node, dict):
        return [f"{path}: no schema"]
    if depth > 9:
        return [f"{path}: more than ten levels"]
    if "anyOf" in node:
        return _any_of(node, path, depth)
    kind = node.get("type")
    if kind not in TYPES:
        return [f"{path}: type {kind!r}"]
    problems = [f"{path}: {key} beside {kind}" for key in node.keys() - KEYS[kind] - {"type", "description"}]
    text = node.get("description", "x")
    if not isinstance(text, str) or not text.strip():
        problems.append(f"{path}: empty description")
    if kind == "array":
        problems += _node(node.get("items"), f"{path}[]", depth + 1)
    if kind == "object":
        problems += _object(node, path, depth)
    return [*problems, *_text(node, path)]


def _text(node: dict[str, Any], path: str) -> list[str]:
    problems: list[str] = []
    if "enum" in node:
        values = node["enum"]
        if (
            not values
            or not all(isinstance(value, str) and value for value in values)
            or len(set(values)) < len(values)
        ):
            problems.append(f"{path}: enum {values!r}")
    if node.get("format", "date-time") != "date-time":
        problems.append(f"{path}: format {node['format']!r}")
    return problems


def _any_of(node: dict[str, Any], path: str, depth: int) -> list[str]:
    branches = node["anyOf"]
    problems = [f"{path}: {sorted(node)} beside anyOf"] if node.keys() != {"anyOf"} else []
    if depth == 0:
        problems.append("anyOf at the root")
    if not isinstance(branches, list) or len(branches) < 2:
        return [*problems, f"{path}: anyOf of {branches!r}"]
    return [*problems, *(one for branch in branches for one in _node(branch, f"{path}|", depth + 1))]


def _object(node: dict[str, Any], path: str, depth: int) -> list[str]:
    properties = node.get("properties")
    if not isinstance(properties, dict):
        return [f"{path}: an object without properties"]
    problems = [f"{path}: property {name!r}" for name in properties if not PROPERTY.fullmatch(name)]
    required = node.get("required", ["x"] if "required" not in node else [])
    if "required" in node and (not required or len(set(required)) < len(required) or set(required) - set(properties)):
        problems.append(f"{path}: required {required!r}")
    return [
        *problems,
        *(one for name, inner in properties.items() for one in _node(inner, f"{path}.{name}", depth + 1)),
    ]
