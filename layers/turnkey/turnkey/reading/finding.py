"""What one rule of the gate finds in one sentence."""

from typing import NamedTuple

from turnkey.reading.facts import Kind


class Finding(NamedTuple):
    """`kinds` likeliest first, at least one; `strong` where the words settle it; `leans` on what was said before."""

    kinds: tuple[Kind, ...]
    strong: bool
    leans: bool = False


def finding(kinds: tuple[Kind, ...], *, strong: bool = False, leans: bool = False) -> Finding | None:
    """None where no kind is left."""
    return Finding(kinds, strong, leans) if kinds else None
