"""Tool calls that a model wrote as text, found by shape in any of 36 families, guided by the tools shown this turn.

From the outside in: `scan` goes over the answer once and stops at marks (`marks`), code (`code`) and beginnings of
lines (`lines`); `wrappers` says what each mark opens; `body` reads what stands behind it: `json_calls`, `pythonic`,
`elements` or `named`; `literals` and `guess` read values, `schema` types them; `settle` decides what only the end of
the answer tells; `remainder` is what is left. families.md maps the families, and says how to add one.
"""

from collections.abc import Iterable, Iterator, Sequence

from turnkey.loop.text_calls import schema
from turnkey.loop.text_calls.remainder import rest
from turnkey.loop.text_calls.scan import scan
from turnkey.loop.text_calls.settle import settled
from turnkey.loop.text_calls.source import MOST_CALLS, Source
from turnkey.loop.text_calls.values import Call, Cut, ShownTool
from turnkey.tools import JsonObject
from turnkey.values import Value

__all__ = ["Recovered", "ShownTool", "TextCall", "recover"]

_PASSES = 4


class TextCall(Value):
    name: str
    arguments: JsonObject


class Recovered(Value):
    """`text` is what remains for a reader: without any call syntax, also of calls that were not accepted. `refused`:
    tools that were called but are not shown, for the model to be told."""

    calls: tuple[TextCall, ...] = ()
    text: str
    refused: tuple[str, ...] = ()


def recover(
    content: str, tools: Iterable[ShownTool], finish_reason: str = "", *, quoted: Sequence[str] = ()
) -> Recovered:
    """Reads the calls out of a model's answer. Pure and linear; raises nothing.

    A call to a tool that is not shown is stripped, never returned. A payload that is cut off is never completed; with
    `finish_reason` "length" the last one is discarded even if it looks complete without its end mark. A call that
    stands verbatim in one of `quoted` (what the customer wrote, what tools returned) is quoted, not made.
    """
    src = Source(content, tools)
    cuts = settled(content, scan(src), finish_reason)
    if not cuts:
        return Recovered(text=content)
    calls: list[TextCall] = []
    refused: list[str] = []
    for call in _made(content, cuts, quoted):
        name = src.known(call.name)
        if name:
            calls.append(TextCall(name=name, arguments=schema.typed(call.arguments, src.tools[name])))
        elif call.name not in refused:
            refused.append(call.name)
    return Recovered(calls=tuple(calls), text=_text(content, cuts, src, bool(calls)), refused=tuple(refused))


def _made(content: str, cuts: Iterable[Cut], quoted: Sequence[str]) -> Iterator[Call]:
    """The calls that are meant, in order."""
    calls = [call for cut in cuts for call in cut.calls][:MOST_CALLS]
    return (call for call in calls if not any(content[call.start : call.end].strip() in one for one in quoted))


def _text(content: str, cuts: list[Cut], src: Source, called: bool) -> str:
    """What remains; marks that only come about where cuts are closed are taken out too."""
    text = rest(content, cuts).strip()
    for _ in range(_PASSES):
        again = scan(src.over(text), marked_only=True)
        if not again:
            return "" if called and text in ("None", "null") else text
        text = rest(text, again).strip()
    return ""
