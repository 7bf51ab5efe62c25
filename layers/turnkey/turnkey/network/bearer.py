"""A bearer token that may have been changed since it was read."""

from collections.abc import AsyncGenerator, Callable

import httpx2
from anyio.to_thread import run_sync


class ReadAgain(httpx2.Auth):
    """After a 401 reads the token again, once, and sends the request again where it is another."""

    def __init__(self, read: Callable[[], str]) -> None:
        self._read = read

    async def async_auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        response = yield request
        if response.status_code != 401:
            return
        header = f"Bearer {await run_sync(self._read)}"
        if request.headers.get("authorization") != header:
            request.headers["authorization"] = header
            yield request
