"""From a model's answer to calls that can be run: structured or written as text, checked against the schema."""

import json
from typing import Any, cast

from turnkey.loop.text_calls import recover
from turnkey.models.chat import ChatAnswer
from turnkey.tools import JsonObject, Tool, Toolset
from turnkey.turn.journal import ModelAnswer, ToolCall


def read_answer(answer: ChatAnswer, number: int, tools: Toolset) -> ModelAnswer:
    """The answer as the journal keeps it. Calls get ids of ours: models repeat theirs."""
    recovered = recover(answer.text, tools, answer.finish_reason)
    asked: list[tuple[str, JsonObject | str]] = [(call.name, call.arguments) for call in answer.calls]
    if not asked:
        asked = [(call.name, call.arguments) for call in recovered.calls]
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
        return ToolCall(id=call_id, name=name, problem=f"There is no tool {name!r}. Tools there are: {known}.")
    arguments = _object(given)
    if arguments is None:
        return ToolCall(id=call_id, name=name, problem="The arguments are no JSON object. Write the call again.")
    return ToolCall(id=call_id, name=name, arguments=arguments, problem=_schema_problem(tool, arguments))


def _object(given: JsonObject | str) -> JsonObject | None:
    if not isinstance(given, str):
        return given
    try:
        value: Any = json.loads(given or "{}")
    except (ValueError, RecursionError):
        return None
    return cast(JsonObject, value) if isinstance(value, dict) else None


def _schema_problem(tool: Tool, arguments: JsonObject) -> str:
    """What does not fit the tool's schema, or nothing."""
    # 60 ms to import, so only once there is a call to check.
    from jsonschema import Draft202012Validator, exceptions

    try:
        validator: Any = Draft202012Validator(tool.parameters)
        error: Any = cast(Any, exceptions).best_match(validator.iter_errors(arguments))
    except (exceptions.SchemaError, RecursionError):
        return ""
    if error is None:
        return ""
    path = ".".join(str(part) for part in error.absolute_path)
    return (
        f"The arguments do not fit{f' at {path}' if path else ''}: {error.message[:300]}. Correct them and call again."
    )
