"""Writes calls in each of the 36 families, as the models of that family would."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from turnkey.tools import JsonObject

_TOKEN = '<|"|>'
Calls = Sequence[tuple[str, JsonObject]]
Writer = Callable[[Calls], str]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _objects(calls: Calls, name: str = "name", arguments: str = "arguments") -> str:
    return _json([{name: tool, arguments: given} for tool, given in calls])


def _each(write: Callable[[str, JsonObject], str], between: str = "\n") -> Writer:
    return lambda calls: between.join(write(name, arguments) for name, arguments in calls)


def _raw(value: Any) -> str:
    """A value between tags: strings as they are, the rest as JSON."""
    return value if isinstance(value, str) else _json(value)


def _braces(value: Any, quote: str) -> str:
    if isinstance(value, str):
        return f"{quote}{value}{quote}"
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{_braces(one, quote)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_braces(one, quote) for one in value) + "]"
    return _json(value)


def _python(name: str, arguments: JsonObject) -> str:
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"


def _xml(opener: str, parameter: str, closer: str) -> Callable[[str, JsonObject], str]:
    """An element with a parameter a line; `%k` is the key, `%v` the value, `%n` the name."""

    def write(name: str, arguments: JsonObject) -> str:
        lines = [parameter.replace("%k", key).replace("%v", _raw(value)) for key, value in arguments.items()]
        return "\n".join([opener.replace("%n", name), *lines, closer])

    return write


def _dsml(name: str, arguments: JsonObject) -> str:
    lines = [
        f'<｜DSML｜parameter name="{key}" string="{"true" if isinstance(value, str) else "false"}">{_raw(value)}'
        "</｜DSML｜parameter>"
        for key, value in arguments.items()
    ]
    return "\n".join([f'<｜DSML｜invoke name="{name}">', *lines, "</｜DSML｜invoke>"])


def _k3(name: str, arguments: JsonObject) -> str:
    kinds = {str: "string", bool: "boolean", int: "number", float: "number", list: "array", dict: "object"}
    lines = [
        f'<|open|>argument key="{key}" type="{kinds.get(type(value), "null")}"<|sep|>{_raw(value)}<|close|>argument<|sep|>'
        for key, value in arguments.items()
    ]
    return f'<|open|>call tool="{name}" index="1"<|sep|>{"".join(lines)}<|close|>call<|sep|>'


def _m3(name: str, arguments: JsonObject) -> str:
    token = "]<]minimax[>["
    lines = [f"{token}<{key}>{_raw(value)}{token}</{key}>" for key, value in arguments.items()]
    return f'{token}<invoke name="{name}">{"".join(lines)}{token}</invoke>'


def _glm(name: str, arguments: JsonObject) -> str:
    pairs = [f"<arg_key>{key}</arg_key>\n<arg_value>{_raw(value)}</arg_value>\n" for key, value in arguments.items()]
    return f"<tool_call>{name}\n{''.join(pairs)}</tool_call>"


def _wire(calls: Calls) -> str:
    functions = [{"name": name, "arguments": _json(arguments)} for name, arguments in calls]
    return _json({"tool_calls": [{"id": "call_1", "type": "function", "function": one} for one in functions]})


def _deepseek_v3(name: str, arguments: JsonObject) -> str:
    body = f"function<｜tool▁sep｜>{name}\n```json\n{_json(arguments)}\n```"
    return f"<｜tool▁call▁begin｜>{body}<｜tool▁call▁end｜>"


def _around(before: str, write: Writer, after: str) -> Writer:
    return lambda calls: f"{before}{write(calls)}{after}"


def _object(name: str, arguments: JsonObject) -> str:
    return _json({"name": name, "arguments": arguments})


def _list(calls: Calls) -> str:
    return f"[{', '.join(_python(name, arguments) for name, arguments in calls)}]"


FAMILIES: dict[int, Writer] = {
    1: _each(lambda n, a: f"<tool_call>\n{_object(n, a)}\n</tool_call>"),
    2: _each(lambda n, a: f"<functioncall> {_object(n, a)}"),
    3: _each(
        lambda n, a: (
            "<tool_call>\n"
            + _xml("<function=%n>", "<parameter=%k>\n%v\n</parameter>", "</function>")(n, a)
            + "\n</tool_call>"
        )
    ),
    4: _each(lambda n, a: f"✿FUNCTION✿: {n}\n✿ARGS✿: {_json(a)}\n✿RESULT✿"),
    5: _each(lambda n, a: _json({"name": n, "parameters": a}), "; "),
    6: _each(lambda n, a: f"<function={n}>{_json(a)}</function>"),
    7: _list,
    8: _around("[TOOL_CALLS] ", _objects, ""),
    9: _each(lambda n, a: f"[TOOL_CALLS]{n}[ARGS]{_json(a)}", ""),
    10: _around("<｜tool▁calls▁begin｜>", _each(_deepseek_v3), "<｜tool▁calls▁end｜>"),
    11: _around(
        "<｜tool▁calls▁begin｜>",
        _each(lambda n, a: f"<｜tool▁call▁begin｜>{n}<｜tool▁sep｜>{_json(a)}<｜tool▁call▁end｜>", ""),
        "<｜tool▁calls▁end｜>",
    ),
    12: _around("<｜DSML｜function_calls>\n", _each(_dsml), "\n</｜DSML｜function_calls>"),
    13: _around(
        "<|tool_calls_section_begin|>",
        _each(
            lambda n, a: f"<|tool_call_begin|>functions.{n}:0<|tool_call_argument_begin|>{_json(a)}<|tool_call_end|>",
            "",
        ),
        "<|tool_calls_section_end|>",
    ),
    14: _around("<|open|>tools<|sep|>", _each(_k3, ""), "<|close|>tools<|sep|>"),
    15: _each(_glm),
    16: _around("<tool_calls>\n", _each(_object), "\n</tool_calls>"),
    17: _around(
        "<minimax:tool_call>\n",
        _each(_xml('<invoke name="%n">', '<parameter name="%k">%v</parameter>', "</invoke>")),
        "\n</minimax:tool_call>",
    ),
    18: _around("]<]minimax[>[<tool_call>\n", _each(_m3), "\n]<]minimax[>[</tool_call>"),
    19: _each(
        lambda n, a: (
            "<｜tool_call_begin｜>function<｜tool_sep｜>"
            + _xml(
                '<steptml:invoke name="%n">', '<steptml:parameter name="%k">%v</steptml:parameter>', "</steptml:invoke>"
            )(n, a)
            + "<｜tool_call_end｜>"
        )
    ),
    20: _each(
        lambda n, a: f"<|channel|>commentary to=functions.{n} <|constrain|>json<|message|>{_json(a)}<|call|>",
        "<|start|>assistant",
    ),
    21: _around("```tool_code\n", _list, "\n```"),
    22: _each(lambda n, a: f"<start_function_call>call:{n}{_braces(a, '<escape>')}<end_function_call>", ""),
    23: _each(lambda n, a: f"<|tool_call>call:{n}{_braces(a, _TOKEN)}<tool_call|>", ""),
    24: _around("<|tool_call|>", _objects, ""),
    25: _around("functools", _objects, ""),
    26: _around("<|START_ACTION|>", lambda calls: _objects(calls, "tool_name", "parameters"), "<|END_ACTION|>"),
    27: _around("<tool_calls>", _objects, "</tool_calls>"),
    28: _each(lambda n, a: f"<|action_start|><|plugin|>\n{_json({'name': n, 'parameters': a})}<|action_end|>"),
    29: _around("```json\n", _objects, "\n```"),
    30: _each(lambda n, a: f">>>{n}\n{_json(a)}"),
    31: _around("<|tools_prefix|>", lambda calls: _json([{name: given} for name, given in calls]), "<|tools_suffix|>"),
    32: _each(lambda n, a: f"<|message_sep|>\n\nfunction call<|role_sep|>\n{_object(n, a)}"),
    33: _each(_xml('<function name="%n">', '<param name="%k"><![CDATA[%v]]></param>', "</function>")),
    34: _each(lambda n, a: f"Action: {n}\nAction Input: {_json(a)}\nObservation:"),
    35: _wire,
    36: _each(
        lambda n, a: f"<|message_model|>{n}<|content_invoke_tool_json|>{_json({'name': n, 'args': a})}<|end_message|>"
    ),
}
"""By number, as in the table of formats."""
