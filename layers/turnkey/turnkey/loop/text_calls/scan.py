"""One pass over the answer, left to right: what is no text is cut out. Whatever reads a place reads on behind it."""

import re

from turnkey.loop.text_calls import lines, wrappers
from turnkey.loop.text_calls.code import Code, Fence, quoted
from turnkey.loop.text_calls.marks import MARK, Mark, mark, plain
from turnkey.loop.text_calls.remainder import rest
from turnkey.loop.text_calls.source import Source
from turnkey.loop.text_calls.values import Cut, Exhausted

_EVENT = re.compile(
    MARK.pattern + r"|(?P<ticks>`+)"
    r"|[.!?。！？…][ \t]++(?P<sentence>(?=\{))"
    r"|\n(?P<indent>[ \t]*+)(?=[{\[>~]|(?:assistant|analysis)\S|Action:|Thought:|Final Answer:|Observation:"
    r"|[A-Za-z_][\w.-]*+[ \t]*+(?:[({`\[]|\n\s*+[{`]|to=|call:))"
)
_LINE_START = re.compile(r"[A-Za-z_{\[>]")
_CALL = re.compile(r"([A-Za-z_][\w.-]*+)[ \t]*+\(")
_CUT_MARK = re.compile(
    r"(?:\](?:<\]?[\w-]{0,40}(?:\[>?\[?)?)?)?<[|/ ]*[\w.:|=-]{0,60}(?:\s[^<>]{0,300})?$"
    r"|\](?:<\]?[\w-]{0,40}(?:\[>?\[?)?)?$|\[/?[A-Z_]{0,20}$|✿[A-Z]*$|`{1,2}$|Ob[a-z]*$"
)
_CUT_NAMES = (
    "tool_call", "tool_response", "function", "invoke", "parameter", "arg_key", "arg_value", "think", "minimax:",
    "seed:", "steptml:", "TOOL_CALLS]", "ARGS]", "TOOLCALL", "start_function_call", "end_function_call",
)  # fmt: skip


def scan(src: Source, *, marked_only: bool = False, fenced: bool = False) -> list[Cut]:
    """The cuts of a text, in order and apart. `marked_only`: leaves code and what has no marks as it is. `fenced`: it
    is the inside of a fence."""
    scanner = _Scanner(src, marked_only, fenced)
    try:
        scanner.run()
    except Exhausted:
        scanner.cuts.append(Cut(scanner.place, src.end, proven=False))
    return scanner.cuts


class _Scanner:
    def __init__(self, src: Source, marked_only: bool, fenced: bool) -> None:
        self.cuts: list[Cut] = []
        self.place = 0
        self._src = src
        self._unquoted = 0
        self._fresh = True
        self._code = Code(src.text)
        self._marked_only = marked_only
        self._fenced_in = fenced

    def run(self) -> None:
        while True:
            if self._fresh:
                self._fresh = False
                self._at_line(self._src.space(self.place))
            elif found := _EVENT.search(self._src.marks, self.place):
                self._at_event(found)
            else:
                break
        self._at_end()

    def _at_event(self, found: re.Match[str]) -> None:
        if found["ticks"]:
            self._at_code(found.start())
        elif found["indent"] is not None:
            self.place = found.end()
            self._at_line(found.end())
        elif found["sentence"] is not None:
            self.place = found.end()
            self._behind_sentence(found.end())
        elif found["name"] and plain(found) and found["name"] != "s" and found["name"] not in self._src.tools:
            self.place = found.end()
        else:
            self._at_mark(mark(found))

    def _at_mark(self, here: Mark) -> None:
        src = self._src
        cut = wrappers.at_mark(src, here)
        floor = self.cuts[-1].end if self.cuts else 0
        if cut is None or quoted(src.text, cut.start, cut.end, max(floor, self._unquoted)):
            self.place = self._unquoted = cut.end if cut else here.end
            src.charge_stripped()
            return
        if not cut.calls:
            src.charge_stripped()
            cut = self._with_repetitions(cut, here)
        self._take(cut)

    def _with_repetitions(self, cut: Cut, here: Mark) -> Cut:
        """A mark that is repeated at once counts once."""
        if cut.end != here.end:
            return cut
        marks, end = self._src.marks, here.end
        written = marks[here.start : here.end]
        while marks.startswith(written, end):
            end += len(written)
        return cut._replace(end=end)

    def _take(self, cut: Cut) -> None:
        self._fresh = cut.kind != "text"
        if cut.kind == "text":
            self.place = cut.end
            return
        if cut.kind == "reasoning" and cut.start == 0:
            self.cuts.clear()
        self.cuts.append(cut)
        self.place = self._src.cut_until = max(cut.end, self.place)

    def _at_line(self, place: int) -> None:
        """At the first character of a line, or behind a cut."""
        text = self._src.text
        if text.startswith(("```", "~~~"), place):
            self._at_code(place)
        elif text.startswith(">", place) and not text.startswith(">>>", place):
            end = text.find("\n", place)
            self.place = self._src.end if end < 0 else end
        elif not self._marked_only and self._may_begin(place):
            cut = lines.at_line(self._src, place)
            if cut is not None:
                self._take(cut)
        else:
            self._src.charge_look()

    def _behind_sentence(self, place: int) -> None:
        """Behind the end of a sentence JSON may be a call too, if it ends the answer."""
        cut = None if self._marked_only else lines.at_line(self._src, place)
        if cut is not None and cut.kind == "calls" and self._src.space(cut.end) == self._src.end:
            self._take(cut)

    def _may_begin(self, place: int) -> bool:
        """Whether a call without marks may begin here: not indented like code, not a call of no tool."""
        text = self._src.text
        if not _LINE_START.match(text, place):
            return False
        behind_cut = bool(self.cuts) and not text[self.cuts[-1].end : place].strip()
        if not behind_cut and place - text.rfind("\n", max(place - 5, 0), place) > 4 and place > 3:
            return False
        call = _CALL.match(text, place)
        return call is None or call[1] == "print" or bool(self._src.known(call[1].removesuffix(".call")))

    def _at_code(self, place: int) -> None:
        text = self._src.text
        fence = self._code.fence(place) if text.startswith(("```", "~~~"), place) else None
        if fence is None or self._fenced_in:
            self.place = self._code.inline(place)
            return
        self.place = fence.end
        cut = None if self._marked_only else self._fenced(fence)
        if cut is not None:
            self.cuts.append(cut)

    def _fenced(self, fence: Fence) -> Cut | None:
        """The calls in a fence that holds nothing else. Whether it ends the answer is seen later."""
        if fence.info.startswith("tool_output"):
            return Cut(fence.start, fence.end)
        self._src.charge_broken()
        inner = self._src.over(self._src.text[fence.inner : fence.inner_end])
        cuts = scan(inner, fenced=True)
        if rest(inner.text, cuts).strip() or not cuts:
            return None
        calls = tuple(
            call._replace(start=call.start + fence.inner, end=call.end + fence.inner)
            for cut in cuts
            for call in cut.calls
        )
        self._src.count(len(calls))
        if all(cut.kind == "noise" for cut in cuts) and not fence.closed:
            return Cut(fence.start, fence.end, proven=False)
        return Cut(fence.start, fence.end, "fence", calls, fence.closed) if lines.fitting(self._src, calls) else None

    def _at_end(self) -> None:
        """A mark that is cut off by the end of the answer."""
        found = _CUT_MARK.search(self._src.marks, max(self._src.cut_until, self._src.end - 400))
        if found is None:
            return
        tail = found.group()
        behind_cut = self._src.behind_cut(found.start())
        if found.start() < self.place and not behind_cut:
            return
        name = re.split(r"[\s=]", tail.lstrip("<[|/ ✿"), maxsplit=1)[0]
        named = len(name) >= 3 and any(one.startswith(name) or name.startswith(one) for one in _CUT_NAMES)
        if behind_cut or named or tail.startswith(("<|", "</|", "]<]", "✿")):
            self.cuts.append(Cut(found.start(), self._src.end, proven=False))
