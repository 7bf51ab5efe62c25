"""Marks: tags and special tokens of any vendor, and what each is for. Told by shape, never by a model's name.

`<tool_call>`, `<|tool_call_begin|>`, `</minimax:tool_call>`, `<｜DSML｜invoke name="f">`, `[TOOL_CALLS]`, `✿ARGS✿:` …
"""

import re
from functools import lru_cache
from typing import Literal, NamedTuple

Role = Literal[
    "calls", "element", "parameter", "separator", "recipient", "reasoning", "result",
    "harmony", "kimi", "header", "token", "",
]  # fmt: skip

MARK = re.compile(
    r"(?:\]<\][\w-]{1,40}\[>\[)?<(?P<left>[ |]{0,8}+)(?P<slash>/?)[ |]{0,4}+(?:[A-Za-z]{2,8}[ ]?\|[ ]?)?"
    r"(?:[A-Za-z][\w-]*+:)?(?P<name>[A-Za-z_][\w.-]*+)(?P<rest>(?:=[^<>{}|]*+|[\s/][^<>{}|]*+)?)(?P<right>[ |]{0,4}+)>"
    r"|<(?P<bare>function)=(?P<unclosed>[\w.-]++)(?=\s*+\{)"
    r"|\[(?P<off>/?)(?P<token>TOOL_CALLS|ARGS|CALL_ID|THINK|TOOL_RESULTS|AVAILABLE_TOOLS|INST)\]"
    r"|✿(?P<flower>[A-Z]{4,8})✿:?"
)
"""In text with `｜` and `▁` written as `|` and `_`."""

_EDGES = re.compile(r"^(?:start_of_|begin_of_|start_|begin_|(?P<of>end_of_|end_))|(?:_begin|_start|_prefix|(?P<end>_end|_suffix))$")
_ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'/]+))""")
_CALLS = re.compile(r"(?:\w+_)?(?:tool|function)_?(?:calls?|uses?)(?:_section)?|tools|function")
_NAMING = ("name", "tool", "function", "tool_name", "function_name")

_ROLES: dict[str, Role] = {
    **dict.fromkeys(("invoke", "call", "tool"), "element"),
    **dict.fromkeys(("parameter", "param", "argument", "arg", "arg_key", "arg_value"), "parameter"),
    **dict.fromkeys(("tool_sep", "tool_call_argument", "args", "call_id"), "separator"),
    **dict.fromkeys(("think", "thinking", "thought", "reasoning"), "reasoning"),
    **dict.fromkeys(
        ("tool_response", "tool_responses", "tool_result", "tool_results", "tool_output", "tool_outputs",
         "function_response", "function_result", "function_results", "result"),
        "result",
    ),
    **dict.fromkeys(("answer", "final_answer"), "token"),
}  # fmt: skip
_SPECIAL_ROLES: dict[str, Role] = {
    **dict.fromkeys(("action", "plugin", "python", "python_tag", "message_model"), "calls"),
    **dict.fromkeys(("content_invoke_tool_json", "content"), "separator"),
    **dict.fromkeys(("start", "channel", "message", "constrain"), "harmony"),
    **dict.fromkeys(("open", "close", "sep"), "kimi"),
    **dict.fromkeys(("header_id", "im", "from", "turn", "role_sep", "message_sep"), "header"),
    "recipient": "recipient",
}
"""Only between bars, as in `<|action_start|>`: the words alone are too common."""
_FLOWERS: dict[str, Role] = {"FUNCTION": "calls", "ARGS": "separator", "RESULT": "result", "RETURN": "token"}


class Mark(NamedTuple):
    """`base` is the name without begin or end; `label` what a tag names: f in `<function=f>` or `<invoke name="f">`."""

    start: int
    end: int
    base: str
    role: Role
    closing: bool
    label: str
    rest: str
    written: str

    def attribute(self, *names: str) -> str:
        return attribute(self.rest, *names)


def mark(found: re.Match[str]) -> Mark:
    """The mark of a match of MARK."""
    name = found["name"]
    if name is None:
        return _token(found)
    left, right = "|" in found["left"], "|" in found["right"]
    base, ends = _base(name)
    closing = bool(found["slash"]) or ends or (right and not left)
    rest: str = found["rest"]
    label = rest[1:].strip().strip("\"'") if rest.startswith("=") else attribute(rest, *_NAMING) if rest else ""
    return Mark(*found.span(), base, _role(base, left or right, bool(label)), closing, label, rest, name)


def _token(found: re.Match[str]) -> Mark:
    if found["bare"]:
        return Mark(*found.span(), "function", "element", False, found["unclosed"], "", "function")
    name: str = found["flower"] or found["token"]
    base = name.lower()
    role = _FLOWERS.get(name, "token") if found["flower"] else _role(base, False, False) or "token"
    return Mark(*found.span(), base, role, bool(found["off"]), "", "", name)


@lru_cache(maxsize=2048)
def _base(name: str) -> tuple[str, bool]:
    """The name without begin or end, and whether it names an end."""
    ends = False
    for edge in _EDGES.finditer(name.lower()):
        ends = ends or bool(edge["of"] or edge["end"])
    return _EDGES.sub("", name.lower()) or name.lower(), ends


@lru_cache(maxsize=2048)
def _role(base: str, special: bool, labelled: bool) -> Role:
    if _CALLS.fullmatch(base):
        return "element" if labelled else "calls"
    role = _ROLES.get(base, "")
    if role == "element" and not labelled:
        role = "element" if base == "invoke" else ""
    return role or ((_SPECIAL_ROLES.get(base) or "token") if special else "")


def attribute(rest: str, *names: str) -> str:
    """The value of the first of these attributes that is there."""
    given = {key.lower(): double or single or plain for key, double, single, plain in _ATTRIBUTE.findall(rest)}
    return next((given[name] for name in names if name in given), "")
