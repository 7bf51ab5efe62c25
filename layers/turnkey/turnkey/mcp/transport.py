"""Opening an MCP client over the network guard. Imports `mcp` (about a second): only where a server is reached."""

import logging
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import cast

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import DiscoverResult, Implementation

from turnkey.mcp.registration import Registration
from turnkey.network.client import client as guarded_client

# They log whole URLs and header values, which may carry secrets.
for _name in ("httpx2", "httpcore2", "mcp", "h11"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)

CLIENT_INFO = Implementation(name="turnkey", version="0.1.0")


@dataclass
class Exchange:
    """What HTTP knows of a call, which the SDK's errors lose: the last status, and what kept it from being sent."""

    status: int = 0
    unsent: Exception | None = None

    def explain(self) -> str:
        return f" (HTTP status {self.status})" if self.status >= 400 else ""


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


async def _note_response(response: httpx2.Response) -> None:
    if exchange := _watched.get():
        exchange.status = response.status_code


def _note_unsent(error: Exception) -> None:
    if exchange := _watched.get():
        exchange.unsent = error


@asynccontextmanager
async def connect(
    registration: Registration, headers: Mapping[str, str], *, seconds: float, allow_private: bool
) -> AsyncGenerator[Client]:
    """A connected client. What leaves it may be an ExceptionGroup (see `unwrap`)."""
    async with guarded_client(
        allow_private=allow_private, seconds=seconds, headers=dict(headers), on_unsent=_note_unsent
    ) as http:
        http.event_hooks["response"].append(_note_response)
        discovered = DiscoverResult.model_validate(registration.discovered) if registration.discovered else None
        client = Client(
            streamable_http_client(registration.url, http_client=http),
            mode=registration.mode,
            prior_discover=discovered,
            read_timeout_seconds=seconds,
            client_info=CLIENT_INFO,
            cache=None,
        )
        async with client:
            yield client


def unwrap(error: BaseException) -> BaseException:
    """The first real error inside nested exception groups."""
    found = error
    while isinstance(found, BaseExceptionGroup):
        found = cast("BaseExceptionGroup[BaseException]", found).exceptions[0]
    return found
