"""The request that makes a model without a tools field write one call: worked calls first, then the directive.

Two worked calls: one of another tool, one of this tool with neutral values. Measured on SmolLM2-135M, 70 of 70 right;
with the conversation before it 34 of 35, with the directive behind the customer's own words 6 of 35 (docs/models.md).
"""

import json
from collections.abc import Iterator
from itertools import count
from typing import Any

from turnkey.mcp import schemas
from turnkey.models.chat import Message
from turnkey.reading.directive import Directive, compose
from turnkey.tools import JsonObject, Tool

INSTRUCTION = "You write tool calls. Answer with one call and nothing else."
_OTHER = compose("get_weather", {"city": "Rome", "days": 2})
_WORDS = ("blue", "north", "green", "seven", "paper")


def request(tool: Tool, directive: Directive) -> tuple[Message, ...]:
    """The messages of the request."""
    messages: list[Message] = [{"role": "system", "content": INSTRUCTION}]
    for worked in (_OTHER, compose(directive.tool, _neutral(tool, directive.arguments))):
        messages += [
            {"role": "user", "content": worked.sentence},
            {"role": "assistant", "content": written(worked.tool, worked.arguments)},
        ]
    return (*messages, {"role": "user", "content": directive.sentence})


def written(name: str, arguments: JsonObject) -> str:
    """A call as text."""
    payload = json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)
    return f"<tool_call>\n{payload}\n</tool_call>"


def _neutral(tool: Tool, like: JsonObject) -> JsonObject:
    """Values of the right types for the same arguments, unlike any that could be meant."""
    types = schemas.present(tool.parameters)
    numbers, words = count(4, 3), iter(_WORDS * 20)
    return {name: _value(types.get(name, {}), numbers, words) for name in like}


def _value(schema: JsonObject, numbers: Iterator[int], words: Iterator[str]) -> Any:
    if schema.get("enum"):
        return schema["enum"][0]
    match schema.get("type"):
        case "integer":
            return next(numbers)
        case "number":
            return next(numbers) + 0.5
        case "boolean":
            return False
        case "array":
            return [next(words)]
        case _:
            return next(words)
