"""What a search provider is: one module each, without I/O. What it wants asked is handed back, what came handed in."""

from collections.abc import Mapping
from typing import Any, Literal, Protocol, cast

from pydantic import Field

from turnkey.values import Value

RESULTS = 8
"""Of one search."""
QUERY_CHARACTERS = 200

Trouble = Literal["key", "quota", "settings", "query", "down", "answer"]
"""The key is refused, as much as is allowed was used, the instance is not set up for it, the query is refused, nobody
answers, or what came is none of the provider's answers."""


class Ask(Value):
    """One request. A POST where there is a body."""

    url: str
    headers: Mapping[str, str] = Field(default={}, repr=False)
    body: bytes | None = None


class Found(Value):
    """One result, as the provider says it: a stranger's words."""

    url: str
    title: str = ""
    snippet: str = ""
    published: str = Field(default="", description="as the provider writes it: a date, or how long ago")


class Provider(Protocol):
    """A class `Provider` in a module of turnkey.public.search."""

    address: str
    """Where it is asked unless the tenant gives another address; empty: the tenant has to give one."""
    needs_key: bool

    def ask(self, query: str, language: str, address: str, key: str) -> Ask:
        """`language` is BCP 47, or empty. `address` has no slash at its end."""
        ...

    def read(self, answer: Mapping[str, Any]) -> tuple[Found, ...]:
        """The results of an answer with status 200. What has not the form of a result is left out."""
        ...

    def trouble(self, status: int, said: str) -> Trouble:
        """What another status means. `said` is how its body begins."""
        ...


def usual_trouble(status: int) -> Trouble:
    """What a status means with any of them."""
    if status in (401, 403):
        return "key"
    if status in (402, 429):
        return "quota"
    return "query" if status in (400, 422) else "down"


def rows(answer: Mapping[str, Any], *path: str) -> list[dict[str, Any]]:
    """The objects in the list that is there."""
    value: Any = answer
    for name in path:
        value = cast(dict[str, Any], value).get(name) if isinstance(value, dict) else None
    found = cast(list[Any], value) if isinstance(value, list) else []
    return [cast(dict[str, Any], row) for row in found if isinstance(row, dict)]


def text(row: Mapping[str, Any], *names: str) -> str:
    """The first of these that is a text with something in it."""
    return next((value for name in names if isinstance(value := row.get(name), str) and value.strip()), "")
