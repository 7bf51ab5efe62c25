"""Carrying a request: the address checked, redirects followed within their rules, the answer bounded."""

import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import anyio
import httpcore2
import httpx2

from turnkey.errors import AddressRefused, RedirectRefused
from turnkey.network import redirects
from turnkey.network.backend import GuardedBackend, Head, head
from turnkey.network.body import Body, coding_of, too_large
from turnkey.network.urls import Origin, origin_of
from turnkey.network.wires import Wires

FINAL_URL = "final_url"
"""Extension of a response: where it came from, after redirects."""
_FRAMING_BYTES = 1024 * 1024
_HARMLESS = ("accept", "accept-encoding", "accept-language", "user-agent")

Unsent = Callable[[Exception], None]


@dataclass(frozen=True)
class Rules:
    """What a client's exchanges are held to. Times are in seconds, `max_bytes` is of one body, decoded."""

    allow_private: bool
    whole_seconds: float
    max_bytes: int
    elsewhere: bool = False
    """Redirects may lead to other servers."""
    follow: bool = True
    """Off: a redirect is the answer."""
    own_headers: frozenset[str] = frozenset()
    """Lower case; they go to the first server asked, and to no other."""


class GuardedTransport(httpx2.AsyncHTTPTransport):
    """`on_unsent` is told of each request that certainly was not carried out."""

    def __init__(self, rules: Rules, wires: Wires, ssl_context: ssl.SSLContext, on_unsent: Unsent) -> None:
        self._rules = rules
        self._on_unsent = on_unsent
        self._home: Origin | None = None
        backend = GuardedBackend(
            wires, allow_private=rules.allow_private, max_bytes=2 * rules.max_bytes + _FRAMING_BYTES
        )
        self._pool = httpcore2.AsyncConnectionPool(ssl_context=ssl_context, network_backend=backend)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        deadline = anyio.current_time() + self._rules.whole_seconds
        sent = request
        for _ in range(redirects.MAX_REDIRECTS + 1):
            response = await self._exchange(sent, deadline)
            if not self._rules.follow or not redirects.is_redirect(response.status_code):
                response.extensions[FINAL_URL] = str(sent.url)
                return response
            await response.aclose()
            sent = self._next(sent, response)
        raise redirects.too_many(str(request.url))

    async def _exchange(self, request: httpx2.Request, deadline: float) -> httpx2.Response:
        """One request and the head of its answer."""
        try:
            self._prepare(request)
            response = await self._within(request, deadline)
        except (AddressRefused, httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout) as error:
            self._on_unsent(error)
            raise
        try:
            return self._bounded(request, response, deadline)
        except Exception:
            await response.aclose()
            raise

    def _prepare(self, request: httpx2.Request) -> None:
        origin = origin_of(str(request.url), allow_private=self._rules.allow_private)
        self._home = self._home or origin
        for name in self._rules.own_headers if origin != self._home else ():
            request.headers.pop(name, None)
        request.headers["host"] = request.url.netloc.decode("ascii")

    async def _within(self, request: httpx2.Request, deadline: float) -> httpx2.Response:
        """The response, its head complete within the request's own time limits taken together."""
        limits: Mapping[str, float | None] = request.extensions.get("timeout", {})
        left = max(0.0, deadline - anyio.current_time())
        allowed = [limits.get(step) for step in ("pool", "connect", "write", "read")]
        seconds = min(left, sum(limit if limit is not None else left for limit in allowed) or left)
        token = head.set(Head())
        try:
            with anyio.fail_after(seconds):
                return await super().handle_async_request(request)
        except TimeoutError as error:
            raise httpx2.ReadTimeout("the answer's head did not come in time", request=request) from error
        finally:
            head.reset(token)

    def _bounded(self, request: httpx2.Request, response: httpx2.Response, deadline: float) -> httpx2.Response:
        coding = coding_of(response.headers)
        size = response.headers.get("content-length", "")
        if request.method != "HEAD" and size.isdecimal() and int(size) > self._rules.max_bytes:
            raise too_large(self._rules.max_bytes)
        # Decoded here, where it is bounded; never kept: what one tenant's server sets must not reach another's.
        for name in ("set-cookie", *(("content-encoding", "content-length") if coding else ())):
            response.headers.pop(name, None)
        response.stream = Body(response.stream, coding, max_bytes=self._rules.max_bytes, deadline=deadline)
        return response

    def _next(self, request: httpx2.Request, response: httpx2.Response) -> httpx2.Request:
        """The request that a redirect asks for. Raises RedirectRefused."""
        rules, status = self._rules, response.status_code
        try:
            url = redirects.target(
                request.method,
                str(request.url),
                status,
                response.headers.get("location", ""),
                allow_private=rules.allow_private,
                elsewhere=rules.elsewhere,
            )
            return httpx2.Request(
                request.method,
                url,
                headers=self._carried(request, url),
                stream=_again(request),
                extensions=request.extensions,
            )
        except RedirectRefused as error:
            if redirects.was_not_done(status):
                self._on_unsent(error)
            raise

    def _carried(self, request: httpx2.Request, url: str) -> httpx2.Headers:
        """The headers that go along: all to the same origin, nothing of the sender's to another."""
        here, there = (origin_of(str(place), allow_private=self._rules.allow_private) for place in (request.url, url))
        if here == there:
            return request.headers
        return httpx2.Headers({name: value for name, value in request.headers.items() if name in _HARMLESS})


def _again(request: httpx2.Request) -> httpx2.AsyncByteStream:
    if isinstance(request.stream, httpx2.ByteStream):
        return request.stream
    raise RedirectRefused("the server redirects a request that cannot be repeated: register where it leads")
