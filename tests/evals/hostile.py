"""Texts of a megabyte that are meant to make `recover` slow: python -m tests.evals.hostile prints the seconds of each."""

import sys
import time
from collections.abc import Iterator
from itertools import cycle, islice

from tests.evals.text_calls import Shown
from turnkey.loop.text_calls import recover

SIZE = 1_000_000
TOOLS = [
    Shown(
        "get_weather",
        {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
            "required": ["city"],
        },
    ),
    Shown("ping", {"type": "object", "properties": {}}),
    Shown("plan", {"type": "object", "properties": {"steps": {"type": "array", "items": {"type": "string"}}}}),
]
_CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>'
_REPEATED = {
    "markers": "<tool_call>",
    "markers with half a call": '<tool_call>{"name": "get_weather", "arguments": {"city": "',
    "markers with an open object": '<tool_call>{"a":',
    "markers with an open list": "<tool_call>[",
    "markers with an open call": "<tool_call>[get_weather(city='",
    "markers and closers": "<tool_call></tool_call>",
    "complete calls": _CALL,
    "complete calls, each with a bracket missing": _CALL.replace("}}", "}"),
    "calls with quotes in quotes": _CALL.replace("Oslo", 'Oslo "a" b'),
    "calls that do not parse": _CALL.replace('"Oslo"', "oops]"),
    "names behind markers": "<tool_call>get_weather ",
    "words of prose that may be markers": "<function>",
    "such words with half a payload": "<tools>[",
    "open CDATA": '<function name="get_weather"><param name="city"><![CDATA[',
    "closers": "</tool_call>",
    "functions": "<function=get_weather>",
    "functions with an open value": "<function=get_weather><parameter=city>x",
    "functions with an unclosed brace": "<function=get_weather{",
    "parameters": "<parameter=city>",
    "closed parameters": "<parameter=city>x</parameter>",
    "one call, values closed too often": "</parameter>\n",
    "invokes": '<invoke name="get_weather"><parameter name="city">',
    "own tags": "<get_weather><city>",
    "own tags, closed": "<get_weather></city>",
    "argument keys": "<tool_call>get_weather<arg_key>city</arg_key><arg_value>",
    "less-than signs": "<",
    "less-than signs and letters": "<a",
    "less-than signs and spaces": "<   ",
    "less-than signs and bars": "<|",
    "tags": "<b>",
    "tags with an attribute": '<b name="get_weather">',
    "backslashes": "\\",
    "backslashes in an open string": '<tool_call>{"a": "\\\\\\\\\\\\\\\\',
    "quotes": '"',
    "quoted markers": '"<tool_call>" ',
    "open braces": "{",
    "open brackets": "[",
    "braces on lines": "\n{",
    "objects on lines": '\n{"a":',
    "lists on lines": "\n[[",
    "open calls on lines": "\nget_weather(",
    "open strings on lines": '\nget_weather(city="',
    "names and braces on lines": "\nget_weather{",
    "lists of calls on lines": "\n[get_weather(",
    "stated names on lines": '\n{"name": "get_weather", "arguments": {"city": [',
    "bare objects on lines": '\n{"name": "get_weather", "arguments": {}} x',
    "backticks": "`",
    "backticks and spaces": "` ",
    "fences": "```\n",
    "fences with calls": "```json\n{\n",
    "closed fences with calls": '```json\n{"name": "get_weather", "arguments": {"city": "x"}}\n```\n',
    "tilde fences": "~~~\n```\n",
    "block quotes": "> <tool_call>\n",
    "thoughts": "<think>",
    "closed thoughts": "<think></think>",
    "thought ends": "</think>",
    "thoughts with calls": "<think>" + _CALL,
    "channels": "<|channel|>",
    "messages": "<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{",
    "starts": "<|start|>assistant",
    "open parts": "<|open|>",
    "open arguments": '<|open|>call tool="get_weather"<|sep|><|open|>argument key="city"<|sep|>x<|close|>argument<|sep|>',
    "results": "<tool_response>",
    "bracket tokens": "[TOOL_CALLS]",
    "argument tokens": "get_weather[ARGS]{",
    "deepseek": "<｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{",
    "kimi": "<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{",
    "escapes": "<|tool_call>call:get_weather{city:<escape>",
    "flowers": "✿FUNCTION✿: ✿ARGS✿ ",
    "recipients": ">>>get_weather\n{\n",
    "actions": "Action: get_weather\nAction Input: {\n",
    "thoughts in words": "Thought:\n",
    "observations": "Observation:\n",
    "functools": "\nfunctools[{",
    "line breaks": "\n",
    "spaces": " ",
    "lines of spaces": "\n        ",
    "letters": "a",
    "words on lines": "\na",
    "words with brackets on lines": "\na(",
    "analysis": "analysisx\n",
    "namespaces": "]<]minimax[>[",
    "namespaced tags": "]<]minimax[>[<invoke>",
    "guillemets": "«<tool_call>» ",
    "wire calls": '\n{"tool_calls": [',
    "wide marks": "<｜",
    "zeros": "<tool_call>[0",
    "digits": "<tool_call>9",
}
_BEFORE = {
    "one call, values closed too often": "<function=get_weather><parameter=city>",
    "backslashes": '<tool_call>{"a": "',
    "spaces": "<tool_call>",
    "analysis": "analysisx",
}


def texts(size: int = SIZE) -> Iterator[tuple[str, str]]:
    """Each shape with its text."""
    for name, piece in _REPEATED.items():
        before = _BEFORE.get(name, "")
        yield name, (before + piece * (size // len(piece)))[:size]
    yield "backtick runs of all lengths", " ".join("`" * n for n in range(1, 1_400))[:size]
    yield "fences of falling length", "\n".join("`" * n for n in range(1_400, 3, -1))[:size]
    yield "all marks in turn", "".join(islice(cycle(_REPEATED.values()), 60_000))[:size]


def seconds(text: str) -> float:
    started = time.process_time()
    recover(text, TOOLS, "stop")
    return time.process_time() - started


def main() -> int:
    """Slowest first."""
    taken = sorted(((seconds(text), name) for name, text in texts()), reverse=True)
    sys.stdout.writelines(f"{time_taken:.3f} s  {name}\n" for time_taken, name in taken)
    return 1 if taken[0][0] > 0.5 else 0


if __name__ == "__main__":
    sys.exit(main())
