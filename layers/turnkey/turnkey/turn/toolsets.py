"""All tools of an agent, made once for as long as its registrations stay the same: 500 tools cost a warm run no more
than five."""

from dataclasses import dataclass

from turnkey.mcp.catalogue import toolset
from turnkey.mcp.registration import Registration
from turnkey.tools import Toolset
from turnkey.warm import Warm

MOST_TOOLS = 3000
"""Kept in all, over all tenants."""


@dataclass(frozen=True)
class _Made:
    """`registrations` are held on to, so that no others ever get their ids."""

    registrations: tuple[Registration, ...]
    tools: Toolset


_kept: Warm[tuple[str, tuple[int, ...], frozenset[str]], _Made] = Warm(MOST_TOOLS, lambda made: 1 + len(made.tools))


def tools_of(tenant: str, registrations: tuple[Registration, ...], but: frozenset[str] = frozenset()) -> Toolset:
    """The same Toolset for the same registrations, without the tools that `but` names. The store gives the same ones as
    long as nothing of theirs changes: tools, approvals, corrections (turnkey.store.registrations)."""
    key = tenant, tuple(id(registration) for registration in registrations), but
    made = _kept.get(key) or _kept.keep(key, _Made(registrations, toolset(registrations).without(but)))
    return made.tools
