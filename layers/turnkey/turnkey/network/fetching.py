"""Fetching a page that a tenant, a customer or a model names: one bounded GET."""

from typing import Literal

import anyio
import httpx2
from pydantic import Field

from turnkey.errors import AddressRefused, RedirectRefused, ResponseTooLarge
from turnkey.network.client import client
from turnkey.network.transport import FINAL_URL
from turnkey.network.wires import Wires
from turnkey.values import Value

PAGE_BYTES = 4 * 1024 * 1024
PAGE_SECONDS = 15.0
PAGE_TYPES = ("text/html", "application/xhtml+xml", "text/plain", "text/markdown", "application/json")


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


async def fetch(
    url: str,
    *,
    allow_private: bool,
    media_types: tuple[str, ...] = PAGE_TYPES,
    max_bytes: int = PAGE_BYTES,
    seconds: float = PAGE_SECONDS,
    elsewhere: bool = False,
    wires: Wires | None = None,
) -> Page | NoPage:
    """The page, within `seconds` in all and `max_bytes` decoded. Every failure is an outcome, none is raised.

    Redirects stay with the same origin; `elsewhere` lets them lead to any public one, each hop checked as the first.
    """
    try:
        with anyio.fail_after(seconds):
            async with client(
                allow_private=allow_private,
                seconds=seconds,
                whole_seconds=seconds,
                max_bytes=max_bytes,
                elsewhere=elsewhere,
                wires=wires,
            ) as http:
                return await _get(http, url.partition("#")[0], media_types)
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


async def _get(http: httpx2.AsyncClient, url: str, media_types: tuple[str, ...]) -> Page | NoPage:
    async with http.stream("GET", url, headers={"accept": ", ".join(media_types)}) as response:
        media_type, _, parameters = response.headers.get("content-type", "").lower().partition(";")
        media_type = media_type.strip()
        if response.status_code != 200:
            message = f"the server answered with status {response.status_code}"
            return NoPage(reason="status", message=message, status=response.status_code)
        if media_type not in media_types:
            message = f"what is there is {media_type[:60] or 'of no stated type'}, not one of {', '.join(media_types)}"
            return NoPage(reason="media_type", message=message, status=200)
        return Page(
            url=str(response.extensions[FINAL_URL]),
            media_type=media_type,
            charset=_charset(parameters),
            content=await response.aread(),
        )


def _charset(parameters: str) -> str:
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip() == "charset":
            return value.strip().strip("\"'")[:40]
    return ""
