"""Tool names that model endpoints accept (`^[a-zA-Z0-9_-]{1,64}$`), with the way back kept by the caller."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from itertools import count

MAX_LENGTH = 64
HASH_LENGTH = 8
_ACCEPTED = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_OTHER = re.compile(r"[^a-zA-Z0-9_-]+")

Pair = tuple[str, str]
"""A server's name, and its own name for one of its tools."""


def acceptable(name: str) -> str:
    """`name` itself where it is fine; otherwise a readable form with a hash, so that two names never merge."""
    return name if _ACCEPTED.fullmatch(name) else hashed(_OTHER.sub("_", name).strip("_") or "tool", name)


def model_names(tools: Iterable[Pair], reserved: frozenset[str] = frozenset()) -> dict[Pair, str]:
    """Model-facing names for (server, tool name) pairs; none of the `reserved` ones, which are the built-in tools'.

    A name that two servers share gets its server's name in front; what then still meets another gets a hash of server
    and name. The order of the pairs changes nothing, and neither do tools of other names: only one whose name in this
    form meets another's.
    """
    pairs = list(dict.fromkeys(tools))
    plain = {pair: acceptable(pair[1]) for pair in pairs}
    alone = _unshared(plain.values(), reserved)
    prefixed = {pair: acceptable("_".join(pair)) for pair in pairs if plain[pair] not in alone}
    free = _unshared(prefixed.values(), reserved | frozenset(plain.values()))
    taken = reserved.union(plain.values(), prefixed.values())
    return {
        pair: name if name in alone else prefixed[pair] if prefixed[pair] in free else _own(prefixed[pair], pair, taken)
        for pair, name in plain.items()
    }


def _own(readable: str, pair: Pair, taken: frozenset[str]) -> str:
    """A name with the pair's hash. Someone may have named a tool just so: then with another."""
    salted = (hashed(readable, *pair, *("",) * times) for times in count())
    return next(name for name in salted if name not in taken)


def _unshared(names: Iterable[str], taken: frozenset[str]) -> frozenset[str]:
    """Names that are given once, and not taken."""
    return frozenset(name for name, times in Counter(names).items() if times == 1 and name not in taken)


def hashed(readable: str, *parts: str) -> str:
    """As much of a readable name as leaves room for the hash of the parts."""
    # A lone surrogate, which JSON can hold, has no UTF-8.
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:HASH_LENGTH]
    return f"{readable[: MAX_LENGTH - HASH_LENGTH - 1]}_{digest}"
