"""Reading a tenant's address. Stricter than any parser behind it, so that no two of them read it differently."""

import re
import unicodedata
from typing import NamedTuple

from turnkey.errors import AddressRefused
from turnkey.network.hosts import checked_host

_LONGEST_URL = 8000
_PARTS = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<authority>[^/?#]*)(?P<rest>.*)", re.DOTALL)
_AUTHORITY = re.compile(r"(?P<host>\[[^\[\]]*\]|[^:\[\]]*)(?::(?P<port>[0-9]{1,5}))?")
_DEFAULT_PORTS = {"https": 443, "http": 80}
_OTHER_SERVICES = frozenset(
    [1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6679, 6697, 10080, *range(6665, 6670)]
)
"""Ports above 1023 at which something else than a web server listens: those that browsers block (WHATWG Fetch, "port
blocking"). Below 1024 only 80 and 443 are web servers'."""


class Origin(NamedTuple):
    """Where a URL leads. `host` is as it is looked up, IPv6 in brackets; `port` is always there."""

    scheme: str
    host: str
    port: int


def check_url(url: str, *, allow_private: bool) -> None:
    """Raises AddressRefused unless the URL is one a tenant may name: https, a public host, no user and password, no
    fragment. `allow_private` also admits http, private addresses and any port (the local stack)."""
    origin_of(url, allow_private=allow_private)


def origin_of(url: str, *, allow_private: bool) -> Origin:
    """The same, with what was found."""
    _check_characters(url)
    parts = _PARTS.fullmatch(url)
    scheme = parts["scheme"].lower() if parts else ""
    if parts is None or scheme not in (("https", "http") if allow_private else ("https",)):
        raise AddressRefused(f"{shown(url)!r} does not begin with https://: give an https address")
    authority: str = parts["authority"]
    if "@" in authority:
        raise AddressRefused(f"{shown(url)!r} carries a user or password: give them as a secret instead")
    if "#" in parts["rest"]:
        raise AddressRefused(f"{shown(url)!r} has a fragment, which no server sees: leave out the # and what follows")
    if authority == "":
        raise AddressRefused(f"{shown(url)!r} has no host: give a full address such as https://shop.example.com/mcp")
    found = _AUTHORITY.fullmatch(authority)
    if found is None:
        raise AddressRefused(f"{shown(url)!r} is no URL: host or port cannot be read")
    port = _port(url, scheme, found["port"], allow_private)
    return Origin(scheme, checked_host(found["host"], allow_private=allow_private), port)


def shown(url: str) -> str:
    """The URL for an error message: no user, password or query, which may be secret."""
    scheme, found, rest = url.partition("://")
    place = re.split(r"[?#]", rest if found else url)[0].rpartition("@")[2]
    return f"{scheme[:20]}://{place[:200]}" if found else place[:60]


def _check_characters(url: str) -> None:
    if len(url) > _LONGEST_URL:
        raise AddressRefused(f"{shown(url)!r} has {len(url):,} characters, the limit is {_LONGEST_URL:,}: shorten it")
    if any(character == " " or unicodedata.category(character)[0] in "ZC" for character in url):
        raise AddressRefused(f"{shown(url)!r} contains white space or a control character: remove it")
    if "\\" in url:
        raise AddressRefused(f"{shown(url)!r} contains a backslash, which some take for a slash: remove it")


def _port(url: str, scheme: str, given: str | None, allow_private: bool) -> int:
    port = int(given) if given else _DEFAULT_PORTS[scheme]
    if not 0 < port < 65536:
        raise AddressRefused(f"{shown(url)!r} is no URL: there is no port {port}")
    if not allow_private and port not in (80, 443) and (port < 1024 or port in _OTHER_SERVICES):
        raise AddressRefused(f"{shown(url)!r} names port {port}, at which no web server listens: use 443")
    return port
