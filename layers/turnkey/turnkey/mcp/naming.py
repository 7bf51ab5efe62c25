"""Tool names that model endpoints accept (`^[a-zA-Z0-9_-]{1,64}$`), with the way back kept by the caller."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable

MAX_LENGTH = 64
_HASH_LENGTH = 8


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_HASH_LENGTH]


def acceptable(name: str) -> str:
    """`name` itself where it is fine; otherwise a readable form with a hash, so that two names never merge."""
    safe = re.sub(r"[^a-zA-Z0-9_-]+", "_", name).strip("_")
    if safe == name and 0 < len(name) <= MAX_LENGTH:
        return name
    return f"{safe[: MAX_LENGTH - _HASH_LENGTH - 1] or 'tool'}_{_digest(name)}"


def model_names(tools: Iterable[tuple[str, str]], reserved: frozenset[str] = frozenset()) -> dict[tuple[str, str], str]:
    """Model-facing names for (server, tool name) pairs; none of the `reserved` ones, which are the built-in tools'.

    A name that two servers share gets its server's name in front; whatever still collides gets a hash.
    """
    pairs = list(dict.fromkeys(tools))
    shared = Counter(acceptable(name) for _, name in pairs)
    names: dict[tuple[str, str], str] = {}
    taken = set(reserved)
    for server, name in pairs:
        candidate = acceptable(name) if shared[acceptable(name)] == 1 else acceptable(f"{server}_{name}")
        if candidate in taken:
            candidate = acceptable(f"{candidate[: MAX_LENGTH - _HASH_LENGTH - 1]}_{_digest(server + chr(0) + name)}")
        taken.add(candidate)
        names[server, name] = candidate
    return names
