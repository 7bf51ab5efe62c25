"""What a call came to, in words for the model: from a server's raw result, or from a failure. Plain."""

from collections.abc import Callable
from typing import Any, cast

from turnkey.mcp.cleaning import clean
from turnkey.mcp.failures import Failure, FailureKind
from turnkey.mcp.results import to_text
from turnkey.mcp.structured import fits
from turnkey.tools import CallOutcome, JsonObject, Tool

_SAYS: dict[FailureKind, str] = {
    "AddressRefused": "has an address that must not be used",
    "RedirectRefused": "leads to another address",
    "Unreachable": "could not be reached",
    "TimedOut": "did not answer in time",
    "AuthFailed": "refused the platform's credentials",
    "NotFound": "could not be reached: nothing is at its address",
    "RateLimited": "is asked too often",
    "ServerError": "failed",
    "InvalidAnswer": "gave no usable answer",
    "TooLarge": "gave an answer that is too large to read: ask for less",
    "SessionLost": "lost its session",
    "ToolGone": "no longer has this tool: do not call it again",
    "Refused": "refused the call",
    "UnknownServer": "could not be reached: it is not there any more",
}
_NOT_DONE = frozenset[FailureKind](
    ["AddressRefused", "AuthFailed", "NotFound", "RateLimited", "SessionLost", "ToolGone", "Refused", "UnknownServer"]
)
"""With these the server has certainly not begun; after others it may have."""
_PASSING = frozenset[FailureKind](["TimedOut", "ServerError", "InvalidAnswer", "Unreachable", "SessionLost"])
_INPUT_REQUIRED = "input_required"


class NoResult(Exception):
    """The server's answer is none that a call can have."""


def left_alone(tool: Tool) -> CallOutcome:
    """Of a server that failed several times in a row."""
    text = f"The system behind {tool.name} has not answered lately and is left alone for now. Go on without it."
    return CallOutcome(status="error", text=text, error="Unreachable")


def failed(tool: Tool, failure: Failure, words: str, *, begun: bool) -> CallOutcome:
    """A server that says no is an error; silence after the request is unknown, unless repeating it is safe. `words`
    are the server's own."""
    known = not begun or failure.kind in _NOT_DONE
    details = [failure.kind]
    if failure.http_status >= 300:
        details.append(f"HTTP status {failure.http_status}")
    if failure.retry_after is not None:
        details.append(f"it asks to wait {failure.retry_after:g} s")
    text = f"The system behind {tool.name} {_SAYS[failure.kind]} ({', '.join(details)})."
    if words:
        text += f" It says: {clean(words)}"
    if known or tool.hints.safe_to_repeat:
        again = " It may be tried once more." if tool.hints.safe_to_repeat and failure.kind in _PASSING else ""
        return CallOutcome(status="error", text=text + again, error=failure.kind)
    return CallOutcome(status="unknown", text=text, error=failure.kind)


def read(tool: Tool, result: JsonObject, hide: Callable[[str], str]) -> CallOutcome:
    """Raises NoResult. What is structured is taken where it is what the tool promised, or where there is nothing else;
    the text repeats it, and is not even copied then. `hide` takes secrets out."""
    if result.get("resultType") == _INPUT_REQUIRED:
        text = f"{tool.name} asks back for something that nobody can give it here. Go on without it."
        return CallOutcome(status="error", text=text, error="Refused")
    content: Any = result.get("content")
    structured: Any = result.get("structuredContent")
    if not isinstance(content, list) and structured is None:
        raise NoResult("neither content nor structuredContent")
    parts = [cast(JsonObject, part) for part in cast(list[Any], content or []) if isinstance(part, dict)]
    if structured is not None and _has_text(parts) and not fits(structured, tool.output_schema):
        structured = None
    text = hide(to_text(parts if structured is None else [], structured))
    return CallOutcome(status="error" if result.get("isError") is True else "ok", text=text)


def _has_text(parts: list[JsonObject]) -> bool:
    return any(isinstance(part.get("text"), str) and part["text"] for part in parts if part.get("type") == "text")
