"""Calls with no mark, or with words for marks. They stand on lines of their own, or behind a call or a mark.

Without any mark a form needs a shown name, known keys only, all required keys, and the rest of its line empty.
"""

import re
from collections.abc import Callable

from turnkey.loop.text_calls import body, json_calls, literals, named, objects, pythonic, schema
from turnkey.loop.text_calls.source import Source
from turnkey.loop.text_calls.values import Broken, Call, Cut, Found, Reading

_LINE_END = re.compile(r"[ \t]*+(?:[;,]|\n|$|```)")
_SEPARATOR = re.compile(r"[ \t]*+[;,]\s*+(?=[{\[A-Za-z]|$)|\s*+(?=[{\[])")
_STATED_NAME = re.compile(r"[\"'](?:name|tool_name|tool|function)[\"']\s*:\s*[\"']([^\"']{1,120})[\"']")
_BEGUN_NAME = re.compile(r"\"name\"\s*:\s*\"([^\"]{3,120})$")
_STATED_WIRE = re.compile(r"\{\s*\"(?:tool_calls|function_call)\"\s*:")
_ACTION = re.compile(r"Action:[ \t]*(?P<name>[^\s`]{1,120})[ \t]*\n+\s*Action Input:\s*+")
_ACTION_JSON = re.compile(r"Action:\s*+```(?:json)?\s*+(?=[\[{])")
_OBSERVATION = re.compile(r"Observation:.*?(?=\n(?:Thought|Action|Final Answer):|\n\n|\Z)", re.DOTALL)
_THOUGHT_END = re.compile(r"\n(?=Action:)|\n?Final Answer:[ \t]*")
_CALLING = re.compile(r"\[(?:Calling|Called|Call) (?:tool|function):\s*+")
_PRINTED = re.compile(r"\[?\s*+print\((?P<name>[\w.-]++)\(")
_FUNCTOOLS = re.compile(r"functools\s*+(?=\[\s*\{)")
_RECIPIENT = re.compile(r">{3}\s*+(?P<name>[\w.-]++)[ \t]*+\n\s*+(?=\{)")
_TO_ALL = re.compile(r"(?:>>>)?all[ \t]*+\n")
_HARMONY = re.compile(
    r"(?:assistant)?\s*+(?:commentary|analysis)?\s*+to=(?P<name>[\w.-]++)\s*+(?:commentary)?\s*+(?:json|code)?\s*+(?=\{)"
)
_ANALYSIS_END = re.compile(r"assistant(?:final|(?=(?:commentary|analysis) to=))")

Grammar = Callable[[Source, re.Match[str]], Cut | None]


def at_line(src: Source, place: int) -> Cut | None:
    """The call that stands here, at the beginning of a line or behind a mark."""
    for pattern, grammar in GRAMMARS:
        found = pattern.match(src.text, place)
        if found and (cut := grammar(src, found)):
            return cut
    src.charge_stripped()
    return None


def fitting(src: Source, calls: tuple[Call, ...]) -> bool:
    """Whether calls need no mark to be calls. Beside one that is, another may name a tool that is not shown."""
    shown = [call for call in calls if src.known(call.name)]
    return bool(shown) and all(schema.fits(call.arguments, src.tools[src.known(call.name)]) for call in shown)


def _finished(src: Source, start: int, reading: Reading) -> Cut | None:
    """The cut of markerless calls: if they fit, and their line ends with them or a mark follows."""
    if not fitting(src, reading.calls):
        return None
    if not _LINE_END.match(src.text, reading.end) and src.mark_at(src.space(reading.end)) is None:
        return None
    end, closed = body.closers(src, reading.end) if src.mark_at(src.space(reading.end)) else (reading.end, False)
    if not closed and (separator := _SEPARATOR.match(src.text, end)):
        end = separator.end()
    return Cut(start, end, "calls", reading.calls, closed)


def _json(src: Source, found: re.Match[str]) -> Cut | None:
    """JSON that is no call is text as a whole: what stands inside it is no call either."""
    place = found.start()
    value = _value(src, place)
    if value is None:
        cut = src.unfinished == place and (_states_call(src, place) or src.behind_cut(place))
        return Cut(place, src.end, proven=False) if cut else None
    written = list(objects.calls_in(value.value, src))
    if written:
        src.charge_broken()
    calls = tuple(Call(one.name, one.arguments, place, value.end) for one in written if one.arguments is not None)
    if written and all(one.wired for one in written):
        return Cut(place, value.end, "calls", calls, proven=False)
    whole = len(calls) == len(written) and all(one.envelope for one in written)
    cut = _finished(src, place, Reading(calls, value.end)) if whole else None
    return cut or Cut(place, value.end, "text")


def _value(src: Source, place: int) -> Found | None:
    """The JSON here. What only resembles JSON counts if it names a shown tool."""
    try:
        end = literals.balanced(src.text, place)
        value = literals.strict(src.text[place:end])
        if value is not literals.NOTHING:
            return Found(value, end)
    except Broken as broken:
        src.charge(place, broken.at)
        if broken.at == src.end:
            src.unfinished = place
            return None
    return json_calls.read_value(src, place) if _states_call(src, place) else None


def _states_call(src: Source, place: int) -> bool:
    """Whether JSON that is cut off would have been a call."""
    name = _STATED_NAME.search(src.text, place, place + 2_000)
    if (name and src.known(name[1])) or _STATED_WIRE.match(src.text, place):
        return True
    begun = _BEGUN_NAME.search(src.text, max(place, src.end - 200))
    return bool(begun) and any(one.startswith(begun[1]) for one in src.tools)


def _unfinished(src: Source, place: int) -> bool:
    try:
        literals.balanced(src.text, place)
    except Broken as broken:
        return broken.at == src.end
    return False


def _python(src: Source, found: re.Match[str]) -> Cut | None:
    place = found.start()
    printed = _PRINTED.match(src.text, place)
    name: str = printed["name"] if printed else found["name"]
    if not src.known(name) and not src.known(name.removesuffix(".call")):
        return None
    reading = pythonic.read_calls(src, place)
    if reading is not None:
        return _finished(src, place, reading)
    rest = src.text[place : place + 8_000]
    opened = rest.count("(") > rest.count(")") or rest.count("[") > rest.count("]")
    cut = place + len(rest) == src.end and opened and "\n" not in rest.strip()
    return Cut(place, src.end, proven=False) if cut else None


def _name_first(src: Source, found: re.Match[str]) -> Cut | None:
    """`f{…}`, or the name on a line and its arguments on the next."""
    if not src.known(found["name"]):
        return None
    reading = named.read_calls(src, found.start(), marked=False)
    return _finished(src, found.start(), reading) if reading else None


def _worded(src: Source, found: re.Match[str]) -> Cut | None:
    """A name between words that mark a call, then its arguments: `Action: f`, `to=functions.f json`, `>>>f`."""
    given: str = found["name"].removeprefix("functions.")
    name: str = src.known(found["name"]) or src.known(given.removesuffix("commentary")) or given
    value = named.object_after(src, found.end())
    if value is None:
        return _without_object(src, found, name)
    src.acted = True
    end, closed = body.closers(src, value.end)
    observation = _OBSERVATION.match(src.text, src.space(end))
    call = Call(name, value.value, found.start(), value.end)
    return Cut(found.start(), observation.end() if observation else end, "calls", (call,), closed or bool(observation))


def _without_object(src: Source, found: re.Match[str], name: str) -> Cut | None:
    """Of a shown tool it is a broken call, and not shown; of none it may be prose."""
    if not src.known(name):
        return None
    end = src.text.find("\n", found.end())
    return Cut(found.start(), src.end if end < 0 or src.text.startswith("{", found.end()) else end, proven=False)


def _payload_behind(src: Source, found: re.Match[str]) -> Cut | None:
    """JSON behind words; without calls in it the words are prose."""
    reading = json_calls.read_calls(src, found.end())
    if reading is None or not reading.calls:
        cut = reading is None and _unfinished(src, found.end())
        return Cut(found.start(), src.end, proven=False) if cut else None
    end, closed = body.closers(src, reading.end)
    return Cut(found.start(), end, "calls", reading.calls, closed)


def _calling(src: Source, found: re.Match[str]) -> Cut | None:
    reading = pythonic.read_calls(src, found.end())
    if reading is None or not src.text.startswith("]", src.space(reading.end)):
        return None
    return Cut(found.start(), src.space(reading.end) + 1, "calls", reading.calls)


def _braced(src: Source, found: re.Match[str]) -> Cut | None:
    reading = named.read_braced(src, found) if src.known(found["name"]) else None
    return _finished(src, found.start(), reading) if reading else None


def _thought(src: Source, found: re.Match[str]) -> Cut | None:
    return _hidden(src, found, _THOUGHT_END) if found.start() == 0 or src.acted else None


def _analysis(src: Source, found: re.Match[str]) -> Cut | None:
    """Harmony whose tokens a server has removed: `analysis…assistantfinal…`."""
    return _hidden(src, found, _ANALYSIS_END) if found.start() == 0 else None


def _hidden(src: Source, found: re.Match[str], ending: re.Pattern[str]) -> Cut | None:
    end = ending.search(src.text, found.end())
    if end is None:
        src.charge(found.start(), src.end)
        return None
    return Cut(found.start(), end.end(), "reasoning")


def _label(src: Source, found: re.Match[str]) -> Cut | None:
    return Cut(found.start(), found.end()) if src.acted or found.group().startswith("assistant") else None


def _to_all(src: Source, found: re.Match[str]) -> Cut | None:
    """The first mark may have stood in the prompt; then a later one tells."""
    marked = found.group().startswith(">") or (found.start() == 0 and "\n>>>" in src.text)
    return Cut(found.start(), found.end()) if marked else None


def _cut_name(src: Source, found: re.Match[str]) -> Cut | None:
    """A shown tool's name behind words that mark a call, and then the answer ends."""
    return Cut(found.start(), src.end, proven=False) if src.known(found["name"]) else None


GRAMMARS: tuple[tuple[re.Pattern[str], Grammar], ...] = (
    (_ACTION, _worded),
    (re.compile(r"(?:Action:[ \t]*|>>>)(?P<name>[\w.-]++)\s*(?:A[a-zA-Z ]{0,11}:?\s*)?$"), _cut_name),
    (_ACTION_JSON, _payload_behind),
    (re.compile(r"Thought:"), _thought),
    (_RECIPIENT, _worded),
    (_TO_ALL, _to_all),
    (_HARMONY, _worded),
    (re.compile(r"analysis(?=\S)"), _analysis),
    (re.compile(r"assistantfinal|Final Answer:[ \t]*"), _label),
    (_CALLING, _calling),
    (_FUNCTOOLS, _payload_behind),
    (named.BRACED, _braced),
    (pythonic.OPENING, _python),
    (re.compile(r"[{\[]"), _json),
    (re.compile(r"(?P<name>[A-Za-z_][\w.-]*+)\s*+(?=[{`])"), _name_first),
)
"""Families without marks of their own, in the order in which they are tried."""
