"""Tokens by which chat templates tell who speaks, where they stand in a text that is only data.

Many model servers turn `<|im_start|>system` inside a tool's description or result into the real token: whoever wrote
the text would then speak as the platform. Told by shape, for templates of any vendor; a blank behind the first bracket
and before the last one breaks them, and reads the same.
"""

import re

_WORDS = (
    "tool_calls? tool_responses? tool_results? tool_outputs? tool_code tool_name tool_parameters function_calls? "
    "function_responses? function_results? available_tools tools think thinking reasoning start_of_turn end_of_turn "
    "start_of_image end_of_image bos eos pad unk s sop eop eod sep cls mask fim_[a-z]{3,6} begin_of_text end_of_text "
    r"invoke antml:[a-z_]{1,20} [a-z]{1,20}:tool_calls? seed:[a-z_]{1,20} extra_id_\d{1,5} [sS]pecial_\d{1,5} "
    r"reserved_\d{1,5} unused\d{1,5} SPECIAL_\d{1,5}"
)
# Each begins with a character by which it is found fast: results have up to 20 MB.
_PATTERNS = {
    "<": re.compile(
        r"(<)(?=[/|｜A-Za-z])(/?[|｜][^<>\n]{1,64}|[^<>|｜\s]{1,64}[|｜]"
        rf"|/?(?:{'|'.join(_WORDS.split())})|/?(?:function|parameter|tool|invoke|tool_call)=[^<>\n]{{0,64}})(>)"
    ),
    "<<": re.compile(r"(<<)(/?SYS)(>>)"),
    "[": re.compile(
        r"(\[)(/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|ARGS|CALL_ID|THINK|gMASK|BOS"
        r"|EOS|MODEL_SETTINGS|IMG))(\])"
    ),
    "]~": re.compile(r"(\])(~!?[a-z])(\[|\])"),
    "✿": re.compile(r"(✿)([A-Z]{3,10})(✿)"),
}


def broken(text: str) -> str:
    """The text with every such token written apart: < |im_start| >."""
    for sign, pattern in _PATTERNS.items():
        if sign in text:
            text = pattern.sub(r"\1 \2 \3", text)
    return text


def has_any(text: str) -> bool:
    return any(sign in text and pattern.search(text) for sign, pattern in _PATTERNS.items())
