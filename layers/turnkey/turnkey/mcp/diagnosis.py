"""From what the SDK raised and what HTTP saw to one failure of a stated kind."""

import re
from collections.abc import Iterable
from traceback import format_tb

import httpx2
from mcp import MCPError
from mcp.types import (
    CONNECTION_CLOSED,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    REQUEST_TIMEOUT,
)

from turnkey.errors import AddressRefused, RedirectRefused, ResponseTooLarge, TenantMisconfigured
from turnkey.mcp.failures import Failure, FailureKind, ServerFailed
from turnkey.mcp.line import LineLost
from turnkey.mcp.outcomes import NoResult
from turnkey.mcp.transport import unwrap
from turnkey.mcp.watching import BROKEN_STATUS, Exchange
from turnkey.telemetry import logger

LONGEST_WORDS = 300
SHORTEST_SECRET = 6
_HEADER_MISMATCH = -32020
_READ = ("application/json", "text/event-stream")
_REFUSALS = (INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS)
"""By which a server says that it did not begin: invalid request, unknown method, invalid parameters. Any other JSON-RPC
error may come from halfway through."""
_NO_ANSWER = ("Connection closed", "SSE stream", "Failed to parse", "Unexpected content type", "server answered a")
"""How the messages begin by which the SDK says that no answer came, under codes that a server may use too."""
_NOT_FOUND, _FORGOTTEN, _BY_STATUS = "Not Found", "Session terminated", "Server returned an error response"
"""What the SDK says itself where a status came without words."""
_STATUSES: dict[int, FailureKind] = {
    401: "AuthFailed",
    403: "AuthFailed",
    404: "NotFound",
    405: "NotFound",
    408: "TimedOut",
    410: "NotFound",
    429: "RateLimited",
}
_RAISED: tuple[tuple[type[BaseException], FailureKind], ...] = (
    (RedirectRefused, "RedirectRefused"),
    (AddressRefused, "AddressRefused"),
    (ResponseTooLarge, "TooLarge"),
    (TenantMisconfigured, "AuthFailed"),
    (NoResult, "InvalidAnswer"),
    (httpx2.ConnectError, "Unreachable"),
    (httpx2.ConnectTimeout, "Unreachable"),
    (httpx2.PoolTimeout, "Unreachable"),
    (httpx2.TimeoutException, "TimedOut"),
    (TimeoutError, "TimedOut"),
    (httpx2.HTTPError, "InvalidAnswer"),
    (OSError, "Unreachable"),
)
"""What may be raised beside the SDK's own errors; the first that fits counts."""
_ADVICE: dict[FailureKind, str] = {
    "AddressRefused": "has an address that is refused",
    "RedirectRefused": "leads elsewhere",
    "Unreachable": "could not be reached: is the server running, and the address right?",
    "TimedOut": "did not answer in time: is the server running?",
    "AuthFailed": "refused the credentials: check auth",
    "NotFound": "has nothing at this address: check the path of the url",
    "RateLimited": "asks to be left alone for a while: try again later",
    "ServerError": "failed by itself: look at its own log",
    "InvalidAnswer": "gave an answer that is no MCP: is this the address of an MCP server?",
    "TooLarge": "gave an answer that is larger than the platform reads: let its tools return less",
    "SessionLost": "forgot the session: it was probably started anew",
    "ToolGone": "no longer has the tool: its tools are listed anew",
    "Refused": "refused",
    "UnknownServer": "is not in the operator's catalogue: use a name that is",
}
_GONE = (
    r"\b(?:unknown|no such|unrecognized|nonexistent|undefined)\s+tool(?:\s+name)?\s*"
    r"(?:[.!]?\s*$|[:\s'\"`(]+{name}(?!\w))",
    r"\btool\s*[:'\"`(]*\s*{name}[)'\"`]*\s*(?:was |is |could )?"
    r"(?:not (?:be )?(?:found|available|registered|known|defined)|unknown|does(?:n't| not) exist|no longer)",
    r"\btool\s+(?:was |is )?not\s+found\s*(?:[.!]?\s*$|[:\s'\"`(]+{name}(?!\w))",
)
"""How servers say that they have no such tool: about the tool itself, not about what it was asked for."""


def diagnose(
    error: BaseException, exchange: Exchange, place: str, secrets: Iterable[str] = (), *, tool: str = ""
) -> Failure:
    """`place` is where the server is, for people; no value of `secrets` is repeated. `tool` is the server's name of the
    one that was called, if one was."""
    cause = unwrap(error)
    if isinstance(cause, LineLost) and cause.__cause__ is not None:
        cause = cause.__cause__
    said = exchange.failure or (cause.failure if isinstance(cause, ServerFailed) else None)
    if said is not None:
        return said
    kind = _kind(cause, exchange, tool)
    status = exchange.status if exchange.status != BROKEN_STATUS else 0
    words = own_words(kind, cause, secrets)
    message = f"{place} {_ADVICE[kind]}{_details(kind, status, exchange)}{f'. It says: {words}' if words else ''}"
    if isinstance(ours := exchange.error or cause, TenantMisconfigured):
        message = hide(str(ours) if place in str(ours) else f"{place}: {ours}", secrets)
    return Failure(kind=kind, message=message, http_status=status, retry_after=exchange.retry_after)


def _details(kind: FailureKind, status: int, exchange: Exchange) -> str:
    """Such as " (HTTP status 429, it asks to wait 7 s)"; empty for none."""
    told = [f"HTTP status {status}"] if status >= 300 else []
    if exchange.retry_after is not None:
        told.append(f"it asks to wait {exchange.retry_after:g} s")
    if kind == "InvalidAnswer" and exchange.content_type not in ("", *_READ):
        told.append(f"it answered with {shortened(exchange.content_type)[:60]}")
    return f" ({', '.join(told)})" if told else ""


def _kind(cause: BaseException, exchange: Exchange, tool: str) -> FailureKind:
    raised = _of_raised(exchange.error or cause)
    if exchange.error is not None:
        return raised or "InvalidAnswer"
    if exchange.status >= 400 and not _is_own_words(cause, exchange):
        return _of_status(cause, exchange)
    if isinstance(cause, MCPError):
        return _of_words(cause, exchange, tool)
    if raised:
        return raised
    if not isinstance(cause, (LineLost, ValueError, RuntimeError)):
        # A mistake of ours. Without its words, which may hold what was sent.
        logger.error("unexpected error", kind=type(cause).__name__, trace=format_tb(cause.__traceback__))
    return "InvalidAnswer" if exchange.status or isinstance(cause, LineLost) else "Unreachable"


def _of_raised(error: BaseException) -> FailureKind | None:
    for raised, kind in _RAISED:
        if isinstance(error, raised):
            return kind
    return None


def _is_own_words(cause: BaseException, exchange: Exchange) -> bool:
    """Whether a JSON-RPC error came with the status: then it says more. Not of a status that speaks for itself."""
    return isinstance(cause, MCPError) and exchange.status in (400, 404, 422) and cause.error.message != _NOT_FOUND


def _of_status(cause: BaseException, exchange: Exchange) -> FailureKind:
    if exchange.status >= 500:
        return "ServerError"
    return _STATUSES.get(exchange.status, "Refused")


def _of_words(cause: MCPError, exchange: Exchange, tool: str) -> FailureKind:
    code, message = cause.error.code, cause.error.message
    if code == REQUEST_TIMEOUT:
        return "TimedOut"
    if message == _FORGOTTEN or (exchange.status in (400, 404) and "session" in message.lower()):
        return "SessionLost"
    if exchange.status == 202 or message.startswith(_NO_ANSWER) or code in (CONNECTION_CLOSED, PARSE_ERROR):
        return "InvalidAnswer"
    if tool and (code in (METHOD_NOT_FOUND, _HEADER_MISMATCH) or is_gone(message, tool)):
        return "ToolGone"
    return "Refused" if code in _REFUSALS or 400 <= exchange.status < 500 else "ServerError"


def own_words(kind: FailureKind, error: BaseException, secrets: Iterable[str]) -> str:
    """The server's, where the failure is its own no. What other errors say may hold headers' values."""
    cause = unwrap(error)
    said = isinstance(cause, MCPError) and cause.error.message not in (_NOT_FOUND, _FORGOTTEN, _BY_STATUS)
    if isinstance(cause, MCPError) and said and kind in ("Refused", "ServerError", "ToolGone", "SessionLost"):
        return shortened(hide(cause.error.message, secrets))
    return ""


def shortened(text: str) -> str:
    """On one line, without what cannot be printed."""
    line = "".join(character if character.isprintable() else " " for character in text[: LONGEST_WORDS * 2])
    return " ".join(line.split())[:LONGEST_WORDS]


def is_gone(text: str, tool: str) -> bool:
    """Whether a server's words say that it has no tool of that name. Some say it as an error, some as a result."""
    if len(text) > LONGEST_WORDS * 2:
        return False
    return any(re.search(pattern.format(name=re.escape(tool)), text, re.IGNORECASE) for pattern in _GONE)


def hide(text: str, secrets: Iterable[str]) -> str:
    """The text without these values; a server may repeat what it was sent."""
    for secret in secrets:
        if len(secret) >= SHORTEST_SECRET and secret in text:
            text = text.replace(secret, "…")
    return text
