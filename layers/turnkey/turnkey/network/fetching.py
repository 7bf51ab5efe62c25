"""Fetching a page that a tenant, a customer or a model names: one bounded GET, or a POST of a bounded answer."""

from collections.abc import Mapping
from typing import Literal

import anyio
import httpx2
from pydantic import Field

from turnkey.errors import AddressRefused, RedirectRefused, ResponseTooLarge
from turnkey.network import redirects
from turnkey.network.client import client
from turnkey.network.transport import FINAL_URL
from turnkey.network.wires import Wires
from turnkey.values import Value

PAGE_BYTES = 4 * 1024 * 1024
PAGE_SECONDS = 15.0
PAGE_TYPES = ("text/html", "application/xhtml+xml", "text/plain", "text/markdown", "application/json")
REFUSAL_BYTES = 4096
"""Read of what a server says beside a status that is none of success."""


class Page(Value):
    """What came. `url` is where it came from, after redirects."""

    url: str
    media_type: str
    charset: str = Field(default="", description="as the server says; empty where it says none")
    content: bytes = Field(repr=False)


class NoPage(Value):
    """Why nothing came. `message` says which address, and repeats nothing of its query."""

    reason: Literal["refused", "redirected", "unreachable", "timed_out", "status", "media_type", "too_large"]
    message: str
    status: int = Field(default=0, description="HTTP status, where one came")
    to: str = Field(default="", description="where a redirect leads that was not followed")
    content: bytes = Field(default=b"", repr=False, description="how the answer of another status begins")


async def fetch(
    url: str,
    *,
    allow_private: bool,
    media_types: tuple[str, ...] = PAGE_TYPES,
    max_bytes: int = PAGE_BYTES,
    seconds: float = PAGE_SECONDS,
    elsewhere: bool = False,
    follow: bool = True,
    headers: Mapping[str, str] | None = None,
    content: bytes | None = None,
    wires: Wires | None = None,
) -> Page | NoPage:
    """The page, within `seconds` in all and `max_bytes` decoded. Every failure is an outcome, none is raised.

    Redirects stay with the same origin; `elsewhere` lets them lead to any public one, each hop checked as the first;
    without `follow` the outcome says where one leads. `headers` go to the first server alone. With `content` it is a
    POST.
    """
    try:
        with anyio.fail_after(seconds):
            async with client(
                allow_private=allow_private,
                seconds=seconds,
                whole_seconds=seconds,
                max_bytes=max_bytes,
                elsewhere=elsewhere,
                follow=follow,
                headers=dict(headers or {}),
                wires=wires,
            ) as http:
                place = url.partition("#")[0]
                async with http.stream(*_request(place, content), headers=_accept(media_types), content=content) as got:
                    if not follow and redirects.is_redirect(got.status_code):
                        return _redirected(place, got, allow_private)
                    return await _read(got, media_types)
    except RedirectRefused as error:
        return NoPage(reason="redirected", message=str(error))
    except (AddressRefused, httpx2.InvalidURL) as error:
        return NoPage(reason="refused", message=str(error))
    except ResponseTooLarge as error:
        return NoPage(reason="too_large", message=str(error))
    except (TimeoutError, httpx2.TimeoutException):
        return NoPage(reason="timed_out", message=f"the server did not answer within {seconds:g} s")
    except httpx2.HTTPError as error:
        return NoPage(reason="unreachable", message=f"the server could not be read: {type(error).__name__}")


def _request(url: str, content: bytes | None) -> tuple[str, str]:
    return ("GET" if content is None else "POST"), url


def _accept(media_types: tuple[str, ...]) -> dict[str, str]:
    return {"accept": ", ".join(media_types)}


def _redirected(url: str, response: httpx2.Response, allow_private: bool) -> NoPage:
    """Raises RedirectRefused."""
    status, location = response.status_code, response.headers.get("location", "")
    found = redirects.target("GET", url, status, location, allow_private=allow_private, elsewhere=True)
    return NoPage(reason="redirected", message="the server says that it is elsewhere", status=status, to=found)


async def _read(response: httpx2.Response, media_types: tuple[str, ...]) -> Page | NoPage:
    media_type, _, parameters = response.headers.get("content-type", "").lower().partition(";")
    media_type = media_type.strip()
    if response.status_code != 200:
        message = f"the server answered with status {response.status_code}"
        said = await _beginning(response)
        return NoPage(reason="status", message=message, status=response.status_code, content=said)
    if media_type not in media_types:
        message = f"what is there is {media_type[:60] or 'of no stated type'}, not one of {', '.join(media_types)}"
        return NoPage(reason="media_type", message=message, status=200)
    return Page(
        url=str(response.extensions[FINAL_URL]),
        media_type=media_type,
        charset=_charset(parameters),
        content=await response.aread(),
    )


async def _beginning(response: httpx2.Response) -> bytes:
    found = b""
    async for piece in response.aiter_bytes():
        found += piece
        if len(found) >= REFUSAL_BYTES:
            break
    return found[:REFUSAL_BYTES]


def _charset(parameters: str) -> str:
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip() == "charset":
            return value.strip().strip("\"'")[:40]
    return ""
