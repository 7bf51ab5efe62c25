"""Where a server's credentials may go, and how a flow says that there are none."""

from collections.abc import Callable
from typing import NoReturn

import httpx2

from turnkey.mcp.failures import Failure, ServerFailed

OnFailure = Callable[[Failure], None]


class Origin:
    """A server's scheme, host and port."""

    def __init__(self, url: str, on_failure: OnFailure) -> None:
        self._origin = origin_of(httpx2.URL(url))
        self._on_failure = on_failure

    def check(self, request: httpx2.Request) -> None:
        """Raises ServerFailed for a request to anywhere else: a redirect's target, or an SSE server's endpoint."""
        if origin_of(request.url) != self._origin:
            message = f"the server leads to {request.url.host!r}, which is another origin: register that address"
            self.refuse(Failure(kind="RedirectRefused", message=message))

    def refuse(self, failure: Failure) -> NoReturn:
        """Tells of the failure and raises it as ServerFailed."""
        self._on_failure(failure)
        raise ServerFailed(failure)


def origin_of(url: httpx2.URL) -> tuple[str, str, int | None]:
    """Scheme, host and port."""
    return url.scheme, url.host, url.port
