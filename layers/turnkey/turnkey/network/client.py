"""HTTP clients for addresses that a tenant can influence. There is no other way out to them."""

import logging
import ssl
from functools import cache

import httpx2

from turnkey.network.transport import GuardedTransport, Rules, Unsent
from turnkey.network.wires import SystemWires, Wires

MAX_RESPONSE_BYTES = 44 * 1024 * 1024
"""A result of 20 MB, which MCP servers send twice (as text and structured), and what is around it."""
CONNECT_SECONDS = 10.0
WHOLE_SECONDS = 300.0
"""No function lives longer."""

# They log whole URLs and header values, which may carry secrets.
for _name in ("httpx2", "httpcore2", "h11"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)


@cache
def _ssl_context() -> ssl.SSLContext:
    # About 30 ms to make: once per process.
    return httpx2.create_ssl_context()


def client(
    *,
    allow_private: bool,
    seconds: float,
    headers: dict[str, str] | None = None,
    on_unsent: Unsent | None = None,
    whole_seconds: float = WHOLE_SECONDS,
    max_bytes: int = MAX_RESPONSE_BYTES,
    elsewhere: bool = False,
    follow: bool = True,
    wires: Wires | None = None,
) -> httpx2.AsyncClient:
    """A client for one event loop.

    `seconds` bounds each read, `whole_seconds` one request with its redirects and its answer's body, which has at most
    `max_bytes`. `headers` go to the first server asked and to no other. `on_unsent` is told of each request that
    certainly was not carried out: refused, without a connection, or answered with a 307 or 308 that is not followed.
    Redirects are followed to the same origin, to others with `elsewhere` (then without `headers`), or with `follow`
    off not at all: they are then the answer.

    Requests raise, beside httpx2's errors: AddressRefused, RedirectRefused, ResponseTooLarge.
    """
    rules = Rules(
        allow_private=allow_private,
        whole_seconds=whole_seconds,
        max_bytes=max_bytes,
        elsewhere=elsewhere,
        follow=follow,
        own_headers=frozenset(name.lower() for name in headers or ()),
    )
    return httpx2.AsyncClient(
        transport=GuardedTransport(rules, wires or SystemWires(), _ssl_context(), on_unsent or (lambda _: None)),
        timeout=httpx2.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds)),
        # Uncompressed answers, so that the cap on bytes is a cap on memory too.
        headers={"accept-encoding": "identity", **(headers or {})},
        # The transport follows what may be followed.
        follow_redirects=False,
        trust_env=False,
    )
