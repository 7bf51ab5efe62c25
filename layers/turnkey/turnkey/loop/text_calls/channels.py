"""Answers in channels: Harmony (gpt-oss), Kimi K3, and the headers of chat templates that leak into an answer."""

import re
from typing import Any

from turnkey.loop.text_calls import body, named
from turnkey.loop.text_calls.literals import NOTHING, strict
from turnkey.loop.text_calls.marks import Mark, attribute
from turnkey.loop.text_calls.source import Source
from turnkey.loop.text_calls.values import Call, Cut, Found, Raw

_HEAD = re.compile(
    r"(?:<\|(?:start|channel|constrain)\|>|[^<{\n]{1,120}+|\n){0,12}+(?:(?P<body><\|message\|>)|(?=\{)|(?P<cut>(?:<\|?\w*\|?)?$))"
)
_RECIPIENT = re.compile(r"\bto=([^\s<{]+)")
_HIDDEN = re.compile(r"<\|channel\|>\s*analysis")
_MESSAGE_END = re.compile(r"<\|(?:end|start|channel|call|return)\|>")
_THOUGHT = re.compile(r"<\|channel>\s*(?:thought|analysis|thinking)\b")
_PART = re.compile(r"<\|(?P<way>open|close)\|>\s*(?P<what>[a-z_]{1,20})(?P<rest>[^<]{0,300})<\|sep\|>")
_CUT_PART = re.compile(r"\s*[a-z_]{1,20}(?: [^<\n]{0,300})?(?:<\|?\w*\|?)?$")
_CUT_HEADER = re.compile(r"\s*+(?P<word>[\w.:-]{1,120}+(?: \w{1,4})?)\s*+(?:<\|?\w*\|?)?$")
_ROLE = re.compile(
    r"\s*+(?:assistant|user|system|tool|model|developer|function call)?"
    r"(?:<\|(?:end_header_id|role_sep|content)\|>)?\s*+"
)
_ARGUMENT_END = re.compile(r"<\|close\|>argument<\|sep\|>")
_CALLING = re.compile(
    r"<\|(?:message_sep\|>\s*+function call<\|role_sep|message_model(?=\|>\s*+[\w.:-]+\s*+<\|content_invoke))\|>"
)


def harmony(src: Source, mark: Mark) -> Cut:
    """A message's header, with its body where that is a call or reasoning. Other bodies are text."""
    if _THOUGHT.match(src.marks, mark.start):
        return _until(src, mark, "<channel|>")
    head = _HEAD.match(src.marks, mark.start)
    if head is None:
        return Cut(mark.start, mark.end)
    recipient = _RECIPIENT.search(head.group())
    if recipient and recipient[1] not in ("assistant", "user"):
        return _addressed(src, head, recipient[1])
    if recipient or _HIDDEN.search(head.group()):
        end = _MESSAGE_END.search(src.marks, head.end())
        return Cut(mark.start, end.start() if end else src.end, "reasoning")
    return Cut(mark.start, head.end() if head["body"] or head["cut"] is not None else mark.end, leaves="\n")


def _addressed(src: Source, head: re.Match[str], recipient: str) -> Cut:
    found = named.object_after(src, head.end())
    after = src.mark_at(src.space(head.end()))
    if found is None and after is not None and after.base == "call":
        found = Found({}, after.start)
    if found is None:
        end = _MESSAGE_END.search(src.marks, head.end())
        return Cut(head.start(), end.start() if end else src.end, proven=False)
    name = src.known(recipient) or recipient.removeprefix("functions.")
    end, closed = body.closers(src, found.end)
    return Cut(head.start(), end, "calls", (Call(name, found.value, head.start(), found.end),), closed)


def _until(src: Source, mark: Mark, closer: str) -> Cut:
    end = src.marks.find(closer, mark.end)
    return Cut(mark.start, mark.end, "open reasoning") if end < 0 else Cut(mark.start, end + len(closer), "reasoning")


def kimi(src: Source, mark: Mark) -> Cut:
    """`<|open|>call tool="f"<|sep|>` … `<|close|>call<|sep|>`, and the channels around it."""
    part = _PART.match(src.marks, mark.start)
    if part is None:
        cut_off = _CUT_PART.match(src.marks, mark.end)
        return Cut(mark.start, cut_off.end() if cut_off else mark.end, proven=False)
    if part["way"] == "open" and part["what"] in ("think", "thinking"):
        return _until(src, mark, f"<|close|>{part['what']}<|sep|>")
    if part["way"] == "close" or part["what"] != "call":
        return Cut(mark.start, part.end())
    return _kimi_call(src, part)


def _kimi_call(src: Source, head: re.Match[str]) -> Cut:
    name = attribute(head["rest"], "tool", "name")
    found = named.object_after(src, head.end())
    arguments: dict[str, Any] = found.value if found else {}
    place = found.end if found else head.end()
    while (argument := _PART.match(src.marks, src.space(place))) and argument["what"] == "argument":
        value = _kimi_value(src, argument)
        if value is None:
            src.charge(head.start(), src.end)
            return Cut(head.start(), src.end, proven=False)
        arguments[attribute(argument["rest"], "key", "name")] = value.value
        place = value.end
    closer = _PART.match(src.marks, src.space(place))
    if closer is None or closer["way"] != "close":
        return Cut(head.start(), place, proven=False)
    return Cut(head.start(), closer.end(), "calls", (Call(name, arguments, head.start(), closer.end()),))


def _kimi_value(src: Source, head: re.Match[str]) -> Found | None:
    """Up to the first closer that another argument or the call's closer follows."""
    for closer in _ARGUMENT_END.finditer(src.marks, head.end()):
        start, end = closer.span()
        if _PART.match(src.marks, src.space(end)):
            text = src.text[head.end() : start]
            kind = attribute(head["rest"], "type")
            value = strict(text) if kind and kind != "string" else NOTHING
            return Found((text if kind == "string" else Raw(text)) if value is NOTHING else value, end)
    return None


def header(src: Source, mark: Mark) -> Cut:
    """A chat template's header: never text. Some open a call."""
    calling = _CALLING.match(src.marks, mark.start)
    if calling:
        return body.read_marked(src, mark._replace(end=calling.end()))
    role = None if mark.closing else _cut_header(src, mark) or _ROLE.match(src.marks, mark.end)
    return Cut(mark.start, role.end() if role else mark.end)


def _cut_header(src: Source, mark: Mark) -> re.Match[str] | None:
    """The rest of an answer that ends in a header, if that is no text."""
    found = _CUT_HEADER.match(src.marks, mark.end)
    word = found["word"] if found else ""
    return found if word and ("function call".startswith(word) or src.known(word)) else None
