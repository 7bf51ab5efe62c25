"""Which addresses the platform connects to. Pure: no look-ups here.

Ranges: the IANA special-purpose address registries (RFC 6890 and its updates). IPv6 is read the other way round: only
what is given out as global unicast, less the special blocks in it, so that a form nobody thought of is refused.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

_NOT_PUBLIC_4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",
            "100.64.0.0/10",  # carriers' own
            "127.0.0.0/8",
            "169.254.0.0/16",  # link-local: the cloud's metadata
            "172.16.0.0/12",
            "192.0.0.0/24",  # protocol assignments
            "192.0.2.0/24",  # documentation
            "192.88.99.0/24",  # 6to4 relays
            "192.168.0.0/16",
            "198.18.0.0/15",  # benchmarking
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, and broadcast
        ),
    )
)
_GLOBAL_6 = IPv6Network("2000::/3")
_NOT_PUBLIC_6 = tuple(
    map(
        IPv6Network,
        (
            "2001::/23",  # protocol assignments: Teredo, benchmarking, ORCHID
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4
            "3ffe::/16",  # 6bone, given back
            "3fff::/20",  # documentation
        ),
    )
)
_NAT64 = IPv6Network("64:ff9b::/96")
"""RFC 6052; the local-use block beside it, 64:ff9b:1::/48, leads into somebody's own network."""
_ISATAP = (0x00005EFE, 0x02005EFE)
"""The third quarter of an ISATAP address (RFC 5214); an IPv4 address follows it."""
_NEVER_4 = tuple(map(IPv4Network, ("0.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "240.0.0.0/4")))
_NEVER_6 = tuple(map(IPv6Network, ("::/128", "fe80::/10", "fec0::/10", "ff00::/8", "fd00:ec2::/32")))
"""Nothing that the local stack has a reason to reach either: link-local with the cloud's metadata, multicast,
reserved."""


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether the address is one of the open internet, also when it hides in an IPv6 form."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC_4)
    inner = _embedded(address)
    if inner is not None:
        return is_public(inner)
    if address.scope_id or address not in _GLOBAL_6 or _is_isatap(address):
        return False
    return not any(address in network for network in _NOT_PUBLIC_6)


def is_allowed(address: IPv4Address | IPv6Address, *, allow_private: bool) -> bool:
    """Whether the platform connects there. `allow_private` adds private networks and this machine, as the local stack
    needs them, and still not the cloud's metadata."""
    if is_public(address) or not allow_private:
        return is_public(address)
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _NEVER_4)
    inner = _embedded(address)
    if inner is not None:
        return is_allowed(inner, allow_private=True)
    return not any(address in network for network in _NEVER_6)


def _embedded(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that a packet would really go to, in the two forms that are in honest use."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return IPv4Address(int(address) & 0xFFFFFFFF) if address in _NAT64 else None


def _is_isatap(address: IPv6Address) -> bool:
    return int(address) >> 32 & 0xFFFFFFFF in _ISATAP
