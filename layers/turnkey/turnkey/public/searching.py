"""Asking a search provider, through the network guard."""

import json
from collections.abc import Callable
from typing import Any, cast

import anyio

from turnkey.errors import TenantMisconfigured
from turnkey.network.fetching import NoPage, Page, fetch
from turnkey.network.wires import Wires
from turnkey.public.providers import QUERY_CHARACTERS, Found, Trouble
from turnkey.public.robots import USER_AGENT
from turnkey.public.search import PROVIDERS
from turnkey.public.settings import PublicSources
from turnkey.values import Value

SECONDS = 10.0
MOST_BYTES = 2 * 1024 * 1024
_TYPES = ("application/json",)


class NotFound(Value):
    """Why a search gave nothing. `operator` says what to do, for the log; no query and no key stands in it."""

    trouble: Trouble
    operator: str

    @property
    def told(self) -> str:
        """What the model is told: nothing that a customer could be sent off with."""
        again = " Do not search again now." if self.trouble in ("key", "quota", "settings") else ""
        return f"Public pages cannot be searched at the moment.{again} Say so, and go on without them."


_REMEDIES: dict[Trouble, str] = {
    "key": "refuses the key: give its api_key anew (turnkey rotate-secret)",
    "quota": "refuses more searches for now: its plan's limit is reached",
    "settings": "has JSON switched off (status 403): add json to search.formats in the instance's settings.yml",
    "query": "does not take the query",
    "down": "does not answer",
    "answer": "answers with something that is no search result: correct public_sources.url",
}


def search(
    sources: PublicSources,
    query: str,
    language: str,
    read_key: Callable[[str], str],
    *,
    allow_private: bool,
    wires: Wires | None = None,
) -> tuple[Found, ...] | NotFound:
    """What the provider finds. `read_key` gives the value of a secret. Every failure is an outcome, none is raised."""
    provider = PROVIDERS[sources.provider]
    address = (sources.url or provider.address).rstrip("/")
    try:
        key = read_key(sources.api_key_secret) if sources.api_key_secret else ""
    except TenantMisconfigured:
        return _not_found(sources, "key")
    ask = provider.ask(query[:QUERY_CHARACTERS], language, address, key)

    async def send() -> Page | NoPage:
        return await fetch(
            ask.url,
            allow_private=allow_private,
            media_types=_TYPES,
            max_bytes=MOST_BYTES,
            seconds=SECONDS,
            headers={"user-agent": USER_AGENT, **ask.headers},
            content=ask.body,
            wires=wires,
        )

    answer = anyio.run(send)
    if isinstance(answer, NoPage):
        if answer.reason == "status":
            said = answer.content.decode("utf-8", "replace")
            return _not_found(sources, provider.trouble(answer.status, said), answer.status)
        return _not_found(sources, "answer" if answer.reason in ("media_type", "too_large", "redirected") else "down")
    read = _object(answer.content)
    return _not_found(sources, "answer") if read is None else provider.read(read)


def _object(content: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return cast(dict[str, Any], value) if isinstance(value, dict) else None


def _not_found(sources: PublicSources, trouble: Trouble, status: int = 0) -> NotFound:
    shown = f" (status {status})" if status and trouble not in ("settings",) else ""
    return NotFound(trouble=trouble, operator=f"{sources.provider} {_REMEDIES[trouble]}{shown}")
