"""What to do at each mark outside of code: read a call, hide reasoning, drop a result, or strip the mark alone."""

import re
from collections.abc import Callable

from turnkey.loop.text_calls import body, channels, elements, json_calls, named, schema
from turnkey.loop.text_calls.marks import Mark, Role
from turnkey.loop.text_calls.source import Source
from turnkey.loop.text_calls.values import Cut

Grammar = Callable[[Source, Mark], Cut | None]
_NAME_BEFORE = re.compile(r"[\w.-]+(?=[ \t]*$)")
_PAYLOAD = re.compile(r"\s*+(?:[{\[]|```|<(?:invoke|function|name)\b[^<>]*+>)")
_REASONING_END = r"<\|{0}_end\|>|<(?:/(?:[\w-]{{1,40}}:)?|\|/|\|end_(?:of_)?){0}\|?>|\[/{0}\]"
_TEXT_RECIPIENT = re.compile(r"\s*+all\s*+(?:<\|content\|>)?\s*+")


def at_mark(src: Source, mark: Mark) -> Cut | None:
    """What stands here, or None if it is text: a tag of no meaning to us."""
    if mark.role:
        return GRAMMARS[mark.role](src, mark)
    if mark.written == "s":
        return Cut(mark.start, mark.end) if mark.closing and "<s>" not in src.text else None
    return _own_tag(src, mark)


def _calls(src: Source, mark: Mark) -> Cut | None:
    """`<function>` and `<tools>` are words of prose too, if no payload follows."""
    if mark.closing:
        return Cut(mark.start, mark.end)
    if mark.base in ("function", "tools") and not mark.special and src.marks[mark.start] == "<":
        return body.read_marked(src, mark) if _PAYLOAD.match(src.marks, mark.end) else None
    return body.read_marked(src, mark)


def _element(src: Source, mark: Mark) -> Cut:
    """A call by itself, without the wrapper that most put around it."""
    return Cut(mark.start, mark.end) if mark.closing else body.read_marked(src, mark, mark.start)


def _parameter(src: Source, mark: Mark) -> Cut | None:
    """Of a call whose head was lost: not shown. `<arg>` alone is what a manual writes."""
    if not (mark.closing or mark.label or mark.rest or mark.base.startswith("arg_")):
        return None
    closer = None if mark.closing else next(src.marks_from(mark.end), None)
    return Cut(mark.start, closer.end if closer and closer.closing and closer.base == mark.base else mark.end)


def _separator(src: Source, mark: Mark) -> Cut:
    """Behind a name it makes a call even without the mark before that; else it is the tail of a lost one."""
    line = src.text[max(mark.start - 120, src.text.rfind("\n", 0, mark.start) + 1) : mark.start]
    before = _NAME_BEFORE.search(line)
    if before and mark.base in ("args", "call_id"):
        start = mark.start - len(line) + before.start()
        reading = named.read_calls(src, start)
        if reading:
            end, closed = body.closers(src, reading.end)
            return Cut(start, end, "calls", reading.calls, closed)
    found = json_calls.read_object(src, src.space(mark.end))
    return Cut(mark.start, body.closers(src, found.end)[0] if found else mark.end)


def _recipient(src: Source, mark: Mark) -> Cut:
    text = _TEXT_RECIPIENT.match(src.marks, mark.end)
    return Cut(mark.start, text.end()) if text else body.read_marked(src, mark)


def _reasoning(src: Source, mark: Mark) -> Cut:
    """Drafts in it are no calls. A closer alone: the opener stood in the prompt, and all before it is reasoning."""
    if mark.closing:
        return Cut(0 if not src.reasoned else mark.start, mark.end, "reasoning")
    if mark.base not in src.unclosed:
        closer = re.compile(_REASONING_END.format(mark.base), re.IGNORECASE).search(src.marks, mark.end)
        if closer:
            src.reasoned = True
            return Cut(mark.start, closer.end(), "reasoning")
        src.unclosed.add(mark.base)
    return Cut(mark.start, mark.end, "open reasoning" if _begins(src, mark.start) else "noise")


def _begins(src: Source, place: int) -> bool:
    """Whether a line, or what follows a cut, begins here."""
    low = max(place - 40, src.cut_until)
    return not src.text[max(low, src.text.rfind("\n", low, place) + 1) : place].strip()


def _result(src: Source, mark: Mark) -> Cut:
    """A result that the model made up."""
    if mark.closing:
        return Cut(mark.start, mark.end)
    for found in src.marks_from(mark.end):
        if (found.closing and found.role == "result") or found.role == "calls" or found.written == "RETURN":
            return Cut(mark.start, found.end if found.closing else found.start)
    value = json_calls.read_value(src, src.space(mark.end))
    return Cut(mark.start, value.end if value else src.end)


def _token(src: Source, mark: Mark) -> Cut:
    return Cut(mark.start, mark.end)


def _own_tag(src: Source, mark: Mark) -> Cut | None:
    """A tag called like a shown tool, or naming one: a call if all of it fits."""
    name = body.element_name(src, mark) if src.tools and _begins(src, mark.start) else ""
    reading = elements.read_element(src, mark, name) if name else None
    if name:
        src.charge_broken()
    if reading is None or not all(schema.fits(call.arguments, src.tools[name]) for call in reading.calls):
        return None
    end, closed = body.closers(src, reading.end)
    return Cut(mark.start, end, "calls", reading.calls, closed)


GRAMMARS: dict[Role, Grammar] = {
    "calls": _calls,
    "element": _element,
    "parameter": _parameter,
    "separator": _separator,
    "recipient": _recipient,
    "reasoning": _reasoning,
    "result": _result,
    "harmony": channels.harmony,
    "kimi": channels.kimi,
    "header": channels.header,
    "token": _token,
}
"""The one place to add a family: a role for its marks in `marks`, and here what to do at them."""
