"""From a model's answer to calls that can be run: structured or written as text, checked against the schema."""

import json
from collections.abc import Sequence
from typing import Any, cast

from turnkey.loop.arguments import schema_problem
from turnkey.loop.text_calls import recover
from turnkey.loop.text_calls.schema import typed
from turnkey.models.chat import ChatAnswer
from turnkey.tools import JsonObject, Toolset
from turnkey.turn.journal import ModelAnswer, ToolCall


def read_answer(answer: ChatAnswer, number: int, tools: Toolset, quoted: Sequence[str] = ()) -> ModelAnswer:
    """The answer as the journal keeps it. Calls get ids of ours: models repeat theirs.

    `quoted` is what the customer wrote and what tools returned: a call that stands there is quoted, not made.
    """
    recovered = recover(answer.text, tools, answer.finish_reason, quoted=quoted)
    asked: list[tuple[str, JsonObject | str]] = [(call.name, call.arguments) for call in answer.calls]
    if not asked:
        asked = [(call.name, call.arguments) for call in recovered.calls]
        asked += [(name, {}) for name in recovered.refused]
    return ModelAnswer(
        text=recovered.text,
        calls=tuple(_check(f"call_{number}_{place}", name, given, tools) for place, (name, given) in enumerate(asked)),
        finish_reason=answer.finish_reason,
        prompt_tokens=answer.prompt_tokens,
        completion_tokens=answer.completion_tokens,
        milliseconds=answer.milliseconds,
    )


def _check(call_id: str, name: str, given: JsonObject | str, tools: Toolset) -> ToolCall:
    """The call, with the one problem that the model should mend if it cannot be run."""
    tool = tools.get(name)
    if tool is None:
        known = ", ".join(tools.names) or "none"
        return ToolCall(
            id=call_id, name=name[:64], problem=f"There is no tool {name[:64]!r}. Tools there are: {known}."
        )
    arguments = _object(given)
    if arguments is None:
        return ToolCall(id=call_id, name=name, problem="The arguments are no JSON object. Write the call again.")
    # "5" where a number is wanted: what the schema settles needs no second try.
    arguments = typed(arguments, tool.parameters)
    return ToolCall(id=call_id, name=name, arguments=arguments, problem=schema_problem(tool, arguments))


def _object(given: JsonObject | str) -> JsonObject | None:
    """The arguments as an object; some models encode them twice."""
    value: Any = given
    for _ in range(2):
        if isinstance(value, str):
            try:
                value = json.loads(value or "{}")
            except (ValueError, RecursionError):
                return None
    return cast(JsonObject, value) if isinstance(value, dict) else None
