"""What HTTP knows of an exchange and the SDK's errors lose; and keeping one request's end from ending the others."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2

from turnkey.mcp.failures import Failure

OnLost = Callable[[Exception], None]

BROKEN_STATUS = 599
"""Stands for an answer that never came. The SDK gives a whole connection up when one request raises."""
LONGEST_PAUSE = 24 * 3600
_OURS = frozenset(
    [
        *("accept", "accept-encoding", "cache-control", "connection", "content-length", "content-type"),
        *("host", "last-event-id", "user-agent", "traceparent", "tracestate", "baggage"),
    ]
)
"""Headers that hold nothing secret, beside the protocol's own."""


@dataclass
class Exchange:
    """What became of the requests that one caller caused. `status` and what goes with it are the last answer's."""

    status: int = 0
    content_type: str = ""
    retry_after: float | None = None
    statuses: list[int] = field(default_factory=list[int])
    error: Exception | None = None
    """What kept an answer from coming, or from coming whole."""
    failure: Failure | None = None
    """Said by whoever stood in the way: no token was to be had, a function is not there."""
    unsent: bool = False
    """The server certainly did nothing."""

    def begin(self) -> None:
        """What became of an earlier request says nothing of this one."""
        self.status, self.content_type, self.retry_after = 0, "", None
        self.error, self.unsent = None, False

    def note(self, response: httpx2.Response) -> None:
        self.status = response.status_code
        self.statuses.append(response.status_code)
        self.content_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        self.retry_after = _seconds(response.headers.get("retry-after", ""))


# The SDK sends each message in the context of whoever asked for it, so calls at the same time stay apart.
_watched: ContextVar[Exchange | None] = ContextVar("exchange", default=None)


@contextmanager
def watching() -> Generator[Exchange]:
    """Watches the exchanges that this task causes."""
    exchange = Exchange()
    token = _watched.set(exchange)
    try:
        yield exchange
    finally:
        _watched.reset(token)


def watched() -> Exchange:
    """That of the caller; one that nobody looks at where nobody watches."""
    return _watched.get() or Exchange()


def note_unsent(error: Exception) -> None:
    exchange = watched()
    exchange.error, exchange.unsent = error, True


def note_refused(failure: Failure) -> None:
    """Nothing was sent, for want of a credential."""
    exchange = watched()
    exchange.failure, exchange.unsent = failure, True


class Watched(httpx2.AsyncBaseTransport):
    """Stands on the guard's transport. `on_lost`, over SSE, is told why the stream ended that all answers come on;
    without one no such stream is opened: what a server says unasked is of no use in a turn."""

    def __init__(self, guard: httpx2.AsyncBaseTransport, on_lost: OnLost | None) -> None:
        self._guard = guard
        self._on_lost = on_lost
        self.secrets: set[str] = set()
        """Values of headers that were sent and are ours alone."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        is_listening = _is_listening(request)
        if is_listening and self._on_lost is None:
            return httpx2.Response(405, request=request)
        if request.method == "DELETE":
            return await self._guard.handle_async_request(request)
        self.secrets.update(_secrets(request))
        return await self._sent(request, watched(), self._on_lost if is_listening else None)

    async def _sent(self, request: httpx2.Request, exchange: Exchange, on_lost: OnLost | None) -> httpx2.Response:
        exchange.begin()
        try:
            response = await self._guard.handle_async_request(request)
        except Exception as error:
            exchange.error = error
            return httpx2.Response(BROKEN_STATUS, request=request)
        exchange.note(response)
        response.stream = _WatchedBody(response.stream, exchange, on_lost)
        return response

    async def aclose(self) -> None:
        await self._guard.aclose()


class Settled(httpx2.Auth):
    """Tells how a request ended once everything was tried that proves us. Over SSE nobody hears of it otherwise: what
    a POST is answered there is not the answer."""

    requires_response_body = False

    def __init__(self, auth: httpx2.Auth, on_failed: Callable[[], None]) -> None:
        self._auth = auth
        self._on_failed = on_failed

    async def async_auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        flow = self._auth.async_auth_flow(request)
        status = BROKEN_STATUS
        try:
            outgoing = await anext(flow)
            while True:
                response = yield outgoing
                status = response.status_code
                outgoing = await flow.asend(response)
        except StopAsyncIteration:
            if status >= 400:
                self._on_failed()
        except Exception:
            self._on_failed()
            raise
        finally:
            await flow.aclose()


class _WatchedBody(httpx2.AsyncByteStream):
    """A body that ends where it broke off: what was read so far is no answer, and the SDK says so to its asker."""

    def __init__(self, stream: Any, exchange: Exchange, on_lost: OnLost | None) -> None:
        self._stream = stream
        self._exchange = exchange
        self._on_lost = on_lost

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._stream:
                yield chunk
        except Exception as error:
            self._exchange.error = error
            if self._on_lost:
                self._on_lost(error)

    async def aclose(self) -> None:
        await self._stream.aclose()


def _is_listening(request: httpx2.Request) -> bool:
    """Whether it opens a stream anew. Authorization servers are asked with GET too, in the same client."""
    is_stream = "text/event-stream" in request.headers.get("accept", "")
    return request.method == "GET" and is_stream and "last-event-id" not in request.headers


def _secrets(request: httpx2.Request) -> list[str]:
    """Values of headers that are not the protocol's; of an Authorization header, what follows its scheme."""
    named = ((name.lower(), value) for name, value in request.headers.items())
    values = (value for name, value in named if name not in _OURS and not name.startswith("mcp-"))
    return [value.rpartition(" ")[2] for value in values]


def _seconds(text: str) -> float | None:
    """Of a Retry-After header (RFC 9110, 10.2.3): seconds, or a date."""
    if text.strip().isdecimal():
        return float(min(int(text.strip()[:9]), LONGEST_PAUSE))
    try:
        pause = (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()
    except (TypeError, ValueError):
        return None
    return min(max(pause, 0.0), LONGEST_PAUSE)
