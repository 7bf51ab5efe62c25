"""When a redirect is followed. Pure."""

from urllib.parse import urljoin, urlsplit

from turnkey.errors import AddressRefused, RedirectRefused
from turnkey.network.urls import check_url, origin_of, shown

MAX_REDIRECTS = 5
_SAME_REQUEST = (307, 308)
"""The request is to be repeated as it is: it has not been carried out."""
_AS_GET = (301, 302, 303)
"""What was asked for is elsewhere. After anything but GET or HEAD the request may have been carried out."""


def is_redirect(status: int) -> bool:
    return status in _SAME_REQUEST or status in _AS_GET


def was_not_done(status: int) -> bool:
    """Whether a redirect of this status says that the request has not been carried out (RFC 9110, 15.4.8 f.)."""
    return status in _SAME_REQUEST


def target(method: str, url: str, status: int, location: str, *, allow_private: bool, elsewhere: bool) -> str:
    """Where to go from `url`. Raises RedirectRefused, which names the address to register, for another origin (unless
    `elsewhere`), for http behind https, for an address that no tenant may name, and for a method that must not be
    repeated."""
    if not location:
        raise RedirectRefused(f"{shown(url)!r} answers with status {status} and says not where to: correct the address")
    found = _joined(url, location)
    _check_not_weaker(url, found, allow_private)
    try:
        before = origin_of(url, allow_private=allow_private)
        after = origin_of(found, allow_private=allow_private)
    except AddressRefused as error:
        raise RedirectRefused(f"{shown(url)!r} redirects to an address that is refused: {error}") from error
    if before != after and not elsewhere:
        raise RedirectRefused(f"{shown(url)!r} redirects to another server: register {shown(found)!r} instead")
    if status in _AS_GET and method not in ("GET", "HEAD"):
        raise RedirectRefused(f"{shown(url)!r} redirects with status {status}: register {shown(found)!r} instead")
    return found


def too_many(url: str) -> RedirectRefused:
    return RedirectRefused(f"{shown(url)!r} redirects more than {MAX_REDIRECTS} times: register where it ends")


def _joined(url: str, location: str) -> str:
    try:
        return urljoin(url, location).partition("#")[0]
    except ValueError as error:
        raise RedirectRefused(f"{shown(url)!r} redirects to {shown(location)!r}, which is no URL") from error


def _check_not_weaker(url: str, found: str, allow_private: bool) -> None:
    if urlsplit(url).scheme.lower() != "https" or urlsplit(found).scheme.lower() != "http":
        return
    secure = "https" + found[len("http") :]
    try:
        check_url(secure, allow_private=allow_private)
    except AddressRefused as error:
        refused = f"{shown(url)!r} redirects to plain http, and to an address that is refused: {error}"
        raise RedirectRefused(refused) from error
    raise RedirectRefused(f"{shown(url)!r} redirects to plain http: register {shown(secure)!r} instead")
