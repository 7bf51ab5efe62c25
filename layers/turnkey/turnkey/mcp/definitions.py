"""A server's own words for its tools, as they came: one bad definition costs that tool, never the list. Plain."""

from collections.abc import Iterable
from typing import Any, cast

from turnkey.mcp.registration import ToolDefinition
from turnkey.nesting import is_deeper
from turnkey.tools import Hints, JsonObject, kinds
from turnkey.values import Value

DEEPEST = 64
"""Levels in a schema. Deeper ones fail in what reads them later: none is written by a person."""


class BadTool(Value):
    """A definition that cannot be used; `name` is its place in the list where it has none."""

    name: str
    problem: str


def read(raw: Any, place: int) -> ToolDefinition | BadTool:
    """The definition in one entry of a tools/list result, with the kind that its words speak for."""
    tool = cast(JsonObject, raw) if isinstance(raw, dict) else {}
    name = tool.get("name")
    if not isinstance(name, str) or not name:
        return BadTool(name=f"tool {place + 1}", problem="has no name: give it one")
    schema, output = tool.get("inputSchema"), tool.get("outputSchema")
    if not isinstance(schema, dict):
        return BadTool(name=name, problem="has no inputSchema: give it one, {} where it takes nothing")
    if is_deeper([schema, output], DEEPEST + 1):
        return BadTool(name=name, problem=f"has a schema of more than {DEEPEST} levels: make it flatter")
    notes = _object(tool.get("annotations"))
    title = _text(tool.get("title")) or _text(notes.get("title"))
    hints = _hints(notes)
    output_schema = _object(output) or None
    kind = kinds.infer(
        name, title, output_schema, read_only=hints.read_only, annotated=isinstance(notes.get("readOnlyHint"), bool)
    )
    return ToolDefinition(
        name=name,
        title=title,
        description=_text(tool.get("description")),
        input_schema=cast(JsonObject, schema),
        output_schema=output_schema,
        hints=hints,
        kind=kind,
        as_task=_object(tool.get("execution")).get("taskSupport") == "required",
    )


def distinct(tools: Iterable[ToolDefinition]) -> tuple[tuple[ToolDefinition, ...], tuple[str, ...]]:
    """The first of each name, and the names that came again."""
    kept: dict[str, ToolDefinition] = {}
    again: list[str] = []
    for tool in tools:
        if tool.name in kept:
            again.append(tool.name)
        kept.setdefault(tool.name, tool)
    return tuple(kept.values()), tuple(dict.fromkeys(again))


def _hints(notes: JsonObject) -> Hints:
    """What is no boolean says nothing: then MCP's defaults hold, which assume the worst."""
    named = {"read_only": "readOnlyHint", "destructive": "destructiveHint", "idempotent": "idempotentHint"}
    said = {name: notes[key] for name, key in named.items() if isinstance(notes.get(key), bool)}
    return Hints(**said)


def _object(value: Any) -> JsonObject:
    return cast(JsonObject, value) if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
