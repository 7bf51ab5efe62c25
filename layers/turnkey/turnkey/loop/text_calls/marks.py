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
    r"(?:<|\]<\][\w-]{1,40}\[>\[<)(?=[ |/]{0,12}+\w)(?:"
    r"(?P<left>[ |]{0,8}+)(?P<slash>/?)[ |]{0,4}+(?:[A-Za-z]{2,8}[ ]?\|[ ]?)?(?:[A-Za-z][\w-]*+:)?"
    r"(?P<name>[A-Za-z_][\w.-]*+)(?P<rest>(?:=[^<>{}|]*+|[\s/][^<>{}|]*+)?)(?P<right>[ |]{0,4}+)>"
    r"|(?P<bare>function)=(?P<unclosed>[\w.-]++)(?=\s*+\{))"
    r"|\[(?P<off>/?)(?P<token>TOOL_CALLS|ARGS|CALL_ID|THINK|TOOL_RESULTS|AVAILABLE_TOOLS|INST)\]"
    r"|✿(?P<flower>[A-Z]{4,8})✿:?"
)
"""In text with `｜` and `▁` written as `|` and `_`."""

_EDGES = re.compile(
    r"^(?:start_of_|begin_of_|start_|begin_|(?P<of>end_of_|end_))|(?:_begin|_start|_prefix|(?P<end>_end|_suffix))$"
)
_ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'/]+))""")
_CALLS = re.compile(r"(?:\w+_)?(?:tool|function)_?(?:calls?|uses?)(?:_section)?|tools|function")
_ARGUMENT = re.compile(r"\w+_(arg_key|arg_value)")
_NAMING = ("name", "tool", "function", "tool_name", "function_name")

_ROLES: dict[str, Role] = {
    **dict.fromkeys(("invoke", "call", "tool"), "element"),
    **dict.fromkeys(("parameter", "param", "argument", "arg", "arg_key", "arg_value"), "parameter"),
    **dict.fromkeys(("tool_sep", "tool_call_argument"), "separator"),
    **dict.fromkeys(("think", "thinking", "thought", "reasoning"), "reasoning"),
    **dict.fromkeys(
        ("tool_response", "tool_responses", "tool_result", "tool_results", "tool_output", "tool_outputs",
         "function_response", "function_result", "function_results"),
        "result",
    ),
    **dict.fromkeys(("answer", "final_answer", "eos", "bos"), "token"),
    "turn": "header",
}  # fmt: skip
_SPECIAL_ROLES: dict[str, Role] = {
    **dict.fromkeys(("action", "plugin", "python", "python_tag"), "calls"),
    **dict.fromkeys(("content_invoke_tool_json", "content"), "separator"),
    **dict.fromkeys(("start", "channel", "message", "constrain"), "harmony"),
    **dict.fromkeys(("open", "close", "sep"), "kimi"),
    **dict.fromkeys(("header_id", "im", "from", "role_sep", "message_sep", "message_model"), "header"),
    "recipient": "recipient",
}
"""Only between bars, as in `<|action_start|>`: the words alone are too common."""
_TOKENS: dict[str, Role] = {
    "TOOL_CALLS": "calls", "ARGS": "separator", "CALL_ID": "separator", "THINK": "reasoning", "TOOL_RESULTS": "result",
}  # fmt: skip
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
    special: bool = False

    def attribute(self, *names: str) -> str:
        return attribute(self.rest, *names)


def mark(found: re.Match[str]) -> Mark:
    """The mark of a match of MARK."""
    name = found["name"]
    if name is None:
        return _token(found)
    left, right = "|" in found["left"], "|" in found["right"]
    base, ends = _base(name, left or right)
    closing = bool(found["slash"]) or ends or (right and not left)
    rest: str = found["rest"]
    label = rest[1:].strip().strip("\"'") if rest.startswith("=") else attribute(rest, *_NAMING) if rest else ""
    return Mark(*found.span(), base, _role(base, left or right, bool(label)), closing, label, rest, name, left or right)


def plain(found: re.Match[str]) -> bool:
    """Whether a match is a tag of no meaning to us, such as `<b>`. Cheaper than making a mark of it."""
    return (
        not found["rest"]
        and found["left"] == "" == found["right"]
        and not _role(_base(found["name"], False)[0], False, False)
    )


def _token(found: re.Match[str]) -> Mark:
    if found["bare"]:
        return Mark(*found.span(), "function", "element", False, found["unclosed"], "", "function")
    name: str = found["flower"] or found["token"]
    base = name.lower()
    role = (_FLOWERS if found["flower"] else _TOKENS).get(name, "token")
    return Mark(*found.span(), base, role, bool(found["off"]), "", "", name)


@lru_cache(maxsize=2048)
def _base(name: str, special: bool) -> tuple[str, bool]:
    """The name without begin or end, and whether it names an end. Plain tags keep theirs (`<end_date>`), unless what
    remains means something to us (`<end_function_call>`)."""
    whole = name.lower()
    bare = _EDGES.sub("", whole) or whole
    ends = any(edge["of"] or edge["end"] for edge in _EDGES.finditer(whole))
    argument = _ARGUMENT.fullmatch(bare)
    if argument:
        return argument[1], ends
    return (bare, ends) if special or _role(bare, False, False) else (whole, False)


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
