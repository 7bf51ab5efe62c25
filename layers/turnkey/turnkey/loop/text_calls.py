"""Tool calls that a model wrote as text. Found by shape, guided by the tools shown; all else stays text.

This form knows `<tool_call>{"name": …, "arguments": {…}}</tool_call>`, its end tag optional once the object is
complete.
"""

import json
import re
from typing import Any, cast

from turnkey.tools import JsonObject, Toolset
from turnkey.values import Value

_OPEN = re.compile(r"<tool_call>\s*")
_CLOSE = re.compile(r"\s*</tool_call>")
_LEFTOVER = re.compile(r"</?tool_(?:call|response)>?")
_DECODER = json.JSONDecoder()


class TextCall(Value):
    name: str
    arguments: JsonObject


class Recovered(Value):
    """`text` is what remains for a reader: without any call syntax, also of calls that were not accepted."""

    calls: tuple[TextCall, ...] = ()
    text: str


def recover(content: str, tools: Toolset, finish_reason: str = "") -> Recovered:
    """Reads the calls out of a model's answer. Pure and linear.

    A call to a tool that is not shown is stripped, never returned. A payload that is cut off is never completed; with
    `finish_reason` "length" the last one is discarded even if it looks complete without its end tag.
    """
    calls: list[TextCall] = []
    kept: list[str] = []
    place = 0
    while found := _OPEN.search(content, place):
        kept.append(content[place : found.start()])
        payload, end = _object_at(content, found.end())
        closing = _CLOSE.match(content, end)
        if payload is None:
            # No complete object: what follows is the rest of a broken call.
            end_tag = content.find("</tool_call>", found.end())
            place = end_tag + len("</tool_call>") if end_tag >= 0 else len(content)
            continue
        place = closing.end() if closing else end
        cut_off = finish_reason == "length" and not closing and place >= len(content.rstrip())
        call = _call(payload)
        if call is not None and call.name in tools and not cut_off:
            calls.append(call)
    kept.append(content[place:])
    return Recovered(calls=tuple(calls), text=_LEFTOVER.sub("", "".join(kept)).strip())


def _object_at(content: str, place: int) -> tuple[JsonObject | None, int]:
    if not content.startswith("{", place):
        return None, place
    try:
        value, end = _DECODER.raw_decode(content, place)
    except (ValueError, RecursionError):
        return None, place
    return cast(JsonObject, value), end


def _call(payload: JsonObject) -> TextCall | None:
    arguments: Any = payload.get("arguments", payload.get("parameters", {}))
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            return None
    name = payload.get("name")
    if not isinstance(name, str) or not isinstance(arguments, dict):
        return None
    return TextCall(name=name, arguments=cast(JsonObject, arguments))
