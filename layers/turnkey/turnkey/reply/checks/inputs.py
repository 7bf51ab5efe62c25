"""The machine's own language in a reply: SQL, arguments, calls, code, stack traces, encoded data."""

import re
from collections.abc import Iterator

from turnkey.loop.text_calls import recover
from turnkey.reply.checks.reading import Reading
from turnkey.reply.finding import Finding, finding


def _any(*patterns: str, flags: int = 0) -> re.Pattern[str]:
    return re.compile("|".join(patterns), flags)


_SQL = _any(
    r"\bSELECT\b[^.;\n]{1,200}\bFROM\b",
    r"\bINSERT\s+INTO\b",
    r"\bUPDATE\b\s+\w+\s+\bSET\b",
    r"\bDELETE\s+FROM\b",
    r"\bWHERE\b\s+\w+\s*(?:=|LIKE\b|IN\b|<|>)",
    r"\b(?i:select)\s+(?:\*|[\w.,\s]{1,80}?)\s+(?i:from)\s+\w+(?:\s+(?i:where|order by|limit|join)\b|\s*;)",
    r"\b(?:CREATE|DROP|ALTER)\s+TABLE\b",
    r"\bORDER\s+BY\b",
)
_OBJECT = _any(
    r"\{\s{0,99}[\"'][\w .-]+[\"']\s*:",
    r"\[\s{0,99}\{\s{0,99}[\"']",
    r"(?m:^[ \t]{0,40}[\"'][\w-]{1,60}[\"']\s*:\s*[\"'\d\[{tfn])",
)
_CALL = _any(
    r"\b[a-z]\w{0,60}(?:\.\w{1,60}){0,5}\(\s{0,99}(?:\w+\s*[=:]\s*[\"'\d\[{]|[\"'{\[])",
    r"\b[a-z]+(?:_[a-z]+)+\([^)\n]*\)",
    r"\b[a-z]{2,}[A-Z]\w*\(\)",
    flags=re.ASCII,
)
_ARGUMENT = re.compile(r"(?<![\w/?&])[a-z]\w+(?:=[\"'\w-]| = [\"'])[^\s\"',;]*")
_CODE = _any(
    r"^[ \t]{0,40}(?:def \w+\(|class [A-Z]\w*(?:\([^)\n]*\))?:$|from \w+ import |function \w*\()",
    r"^[ \t]{0,40}(?:const|let|var) \w+ =",
    r"^[ \t]{0,40}(?:import [\w.]+(?: as \w+)?;?$|return \w+;|print\(|#!/|curl (?:-|http)|<\?php|await \w+\()",
    r"^[ \t]{0,40}public (?:class|static|void) ",
    r"=>\s*[{(]",
    r"console\.\w+\(",
    flags=re.MULTILINE,
)
_FENCE = re.compile(r"```(\w*)\n?(.+?)(?:```|\Z)|~~~(\w*)\n(.+?)~~~", re.DOTALL)
_CODE_LANGUAGES = "json sql python py javascript js bash sh xml yaml html ts"
_TRACE = _any(
    r"Traceback \(most recent",
    r"File \"[^\"]+\", line \d+",
    r"^[ \t]{0,40}at [\w.$<>]{1,200}\([\w.]*:?\d*\)",
    r"\b\w*(?:Error|Exception)\b\s?[:(]",
    r"\bHTTP(?:/\d\.\d)? ?[45]\d\d\b",
    r"\b(?:status|error)(?: |_)?code:? ?\d{3}\b",
    r"\b[45]\d\d (?:Internal Server|Bad Gateway|Not Found|Bad Request|Unauthorized|Forbidden|Service Unavailable)",
    r"\bE(?:CONN|TIMEDOUT|PIPE)\w*|\bnull pointer|\bNoneType\b|\bundefined is not|\bstack ?trace\b",
    flags=re.MULTILINE,
)
_ENCODED = _any(
    r"data:[\w/+.-]+;base64,",
    r"(?<![\w/+.:-])(?=[A-Za-z0-9+/]*[a-z])(?=[A-Za-z0-9+/]*[A-Z])(?=[A-Za-z0-9+/]*\d)[A-Za-z0-9+/]{40,}={0,2}(?![\w/.-])",
    r"\b[0-9a-f]{40,}\b",
)
_STEP = re.compile(
    r"(?m)^[ \t*#>_-]{0,20}(?:Action Input|Observation|Thought|Tool(?: (?:call|input|output|result))?|"
    r"Function(?: call)?|Arguments?|Parameters|Args|Assistant|System)[*_ ]{0,5}:[*_ \t]{0,9}\S"
)
_MARK = _any(
    r"<\|[\w ]+\|>",
    r"</?(?:tool_call|tool_response|function_call|think|thinking|scratchpad)\b",
    r"\[/?(?:TOOL_CALLS|INST|TOOL_RESULTS)\]",
    r"\btool_calls?\b|\bfunction_call\b",
)
_ASKED_FOR_CODE = _any(
    r"\b(?:code|sql|json|python|javascript|script|regex|snippet|html|css|xml|yaml|api)\b",
    r"代码|代碼|コード|코드|\bкод\b|\bkod\b|كود|código|codice",
    flags=re.IGNORECASE,
)


def tool_inputs(reading: Reading) -> Iterator[Finding]:
    """What no customer should read: at most one finding a form. Code that was asked for is none."""
    text = _without_links(reading.text)
    always = (_TRACE, _ENCODED, _MARK)
    written = () if _was_asked_for(reading) else (_SQL, _OBJECT, _CALL, _CODE)
    for pattern in (*always, *written):
        if found := pattern.search(text):
            yield finding("tool_input", text[found.start() : found.start() + 200])
    if not written:
        return
    if step := _STEP.search(text):
        yield finding("tool_input", step.group())
    yield from _arguments(reading, text)
    yield from _fences(text)
    if recover(text, ()).text != text.strip() and _loses(text):
        yield finding("tool_input", text)


def is_machine_talk(text: str) -> bool:
    """Whether a text shows what only machines write: a stack trace, code, a query, encoded data."""
    return any(pattern.search(text) for pattern in (_TRACE, _ENCODED, _MARK, _SQL, _OBJECT, _CODE))


def _loses(text: str) -> bool:
    """Whether taking calls out takes letters out, not blanks alone."""
    return "".join(recover(text, ()).text.split()) != "".join(text.split())


def _was_asked_for(reading: Reading) -> bool:
    return reading.due == "answer" and not reading.ledger.results and bool(_ASKED_FOR_CODE.search(reading.ledger.said))


def _arguments(reading: Reading, text: str) -> Iterator[Finding]:
    """name=value, twice or with a name that a call of this turn had."""
    known = {name for fact in reading.ledger.results for name in fact.arguments}
    found = [match.group() for match in _ARGUMENT.finditer(text)]
    if len(found) > 1 or any(one.split("=")[0].strip() in known for one in found):
        yield finding("tool_input", ", ".join(found))


def _fences(text: str) -> Iterator[Finding]:
    """A fence with a language to it, or with signs that only code has."""
    for fence in _FENCE.finditer(text):
        language, inside = fence[1] or fence[3] or "", fence[2] or fence[4] or ""
        named = language.lower() in _CODE_LANGUAGES.split()
        if inside.strip() and (named or re.search(r"[{};=]|\w\(", inside)):
            yield finding("tool_input", fence.group())


def _without_links(text: str) -> str:
    return re.sub(r"https?://\S+", "", text)
