"""What may stand as a host in a tenant's address: a full public name, or an address in its plain spelling."""

import re
import unicodedata
from ipaddress import IPv4Address, IPv6Address

from turnkey.errors import AddressRefused
from turnkey.network.addresses import is_allowed

_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
"""A last label of this form makes everything before it an IPv4 address to somebody (WHATWG URL, "ends in a number")."""
_LONGEST_NAME = 253
_INSIDE = (
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "private",
    "corp",
    "home",
    "lan",
    "home.arpa",
    "arpa",
    "invalid",
    "test",
    "example",
    "onion",
    "alt",
    "metadata.goog",
)
"""Ends of names that are never of the open internet (RFC 6761, 6762 appendix G, 7686, 8375, 9476), and a cloud's own
name for its metadata."""


def checked_host(host: str, *, allow_private: bool) -> str:
    """The host in the form that is looked up: ASCII, lower case. An IPv6 address comes and goes in brackets.

    Raises AddressRefused. `allow_private` admits this machine and private networks, never odd spellings.
    """
    if not host:
        raise AddressRefused("the address has no host: give a full address such as https://shop.example.com/mcp")
    if host.startswith("["):
        return f"[{_checked_ipv6(host, allow_private)}]"
    name = _ascii(host)
    if _NUMBER.fullmatch(name.rstrip(".").rpartition(".")[2]):
        return _checked_ipv4(name, allow_private)
    _check_name(name, allow_private)
    return name


def _ascii(host: str) -> str:
    """Names in other scripts as the DNS has them. Characters that stand for others, such as ① for 1, are refused: what
    one reader takes for a name is an address to another."""
    if host.isascii():
        return host.lower()
    if unicodedata.normalize("NFKC", host).lower() != host.lower():
        raise AddressRefused(f"host {host[:100]!r} has characters that stand for others: write it plainly")
    # Installed with httpx2, and needed for such names alone.
    import idna

    try:
        return idna.encode(host.lower()).decode("ascii")
    except idna.IDNAError as error:
        raise AddressRefused(f"host {host[:100]!r} is no host name: {str(error)[:100]}") from error


def _checked_ipv4(name: str, allow_private: bool) -> str:
    try:
        address = IPv4Address(name)
    except ValueError as error:
        raise AddressRefused(
            f"{name[:100]!r} is an address in an odd spelling: write four numbers, or a name"
        ) from error
    return str(_checked(address, name, allow_private))


def _checked_ipv6(host: str, allow_private: bool) -> str:
    try:
        address = IPv6Address(host[1:-1])
    except ValueError as error:
        raise AddressRefused(f"{host[:100]!r} is no IPv6 address: correct it, or use a name") from error
    if address.scope_id is not None:
        raise AddressRefused(f"{host[:100]!r} has a zone, which means something on one machine only: use a name")
    return str(_checked(address, host, allow_private))


def _checked(address: IPv4Address | IPv6Address, shown: str, allow_private: bool) -> IPv4Address | IPv6Address:
    if not is_allowed(address, allow_private=allow_private):
        raise AddressRefused(f"{shown!r} is not a public address")
    return address


def _check_name(name: str, allow_private: bool) -> None:
    labels = name.split(".")
    if len(name) > _LONGEST_NAME:
        raise AddressRefused(f"host {name[:60]!r}… has {len(name)} characters, more than a name can have")
    if name.endswith("."):
        raise AddressRefused(f"host {name!r} ends with a dot: leave it out")
    if not all(_LABEL.fullmatch(label) for label in labels):
        raise AddressRefused(f"host {name[:100]!r} is no host name: use letters, digits, hyphens and single dots")
    if allow_private:
        return
    if len(labels) < 2:
        raise AddressRefused(f"host {name!r} is no full name: it means something inside a network only")
    if any(name == end or name.endswith(f".{end}") for end in _INSIDE):
        raise AddressRefused(f"host {name!r} is a name inside a network, not a public address")
