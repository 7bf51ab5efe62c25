"""Which addresses the platform connects to. Pure: no look-ups here.

Ranges: the IANA special-purpose registries as `ipaddress` carries them, and IPv4 addresses inside IPv6 ones.
"""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from turnkey.errors import AddressRefused

_NAT64 = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))
_COMPATIBLE = IPv6Network("::/96")


def check_url(url: str, *, allow_private: bool) -> None:
    """Raises AddressRefused unless the URL is one a tenant may name: https, a host, no user and password, and no
    private address written into it. `allow_private` also admits http and private addresses (the local stack)."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError as error:
        raise AddressRefused(f"{_shown(url)!r} is no URL: {error}") from error
    if parts.scheme not in (("https", "http") if allow_private else ("https",)):
        raise AddressRefused(f"{_shown(url)!r} does not begin with https://: give an https address")
    if not host:
        raise AddressRefused(f"{_shown(url)!r} has no host: give a full address such as https://shop.example.com/mcp")
    if parts.username is not None or parts.password is not None:
        raise AddressRefused(f"{_shown(url)!r} carries a user or password: give them as a secret instead")
    if any(character.isspace() or ord(character) < 32 for character in url):
        raise AddressRefused(f"{_shown(url)!r} contains white space or a control character: remove it")
    literal = _literal(host)
    if literal is not None and not allow_private and not is_public(literal):
        raise AddressRefused(f"{host!r} is not a public address")


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether the address is one of the open internet, also when it hides in an IPv6 form."""
    inner = _embedded(address)
    if inner is not None:
        return is_public(inner)
    if isinstance(address, IPv6Address) and address.is_site_local:
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _embedded(address: IPv4Address | IPv6Address) -> IPv4Address | None:
    if isinstance(address, IPv4Address):
        return None
    if address.ipv4_mapped or address.sixtofour:
        return address.ipv4_mapped or address.sixtofour
    if address.teredo:
        return address.teredo[1]
    if address in _COMPATIBLE or any(address in network for network in _NAT64):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return None


def _literal(host: str) -> IPv4Address | IPv6Address | None:
    """The address a host spells out. Odd spellings (2130706433, 0x7f.1) are left to the resolver, whose answer is
    checked again before connecting."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def _shown(url: str) -> str:
    """The URL for an error message: no user, password or query, which may be secret."""
    scheme, found, rest = url.partition("://")
    if not found:
        return url[:60].split("?")[0]
    host = rest.split("?")[0].split("#")[0].rpartition("@")[2]
    return f"{scheme}://{host}"[:200]
