"""Who asks, what for, and what comes of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

Context = Mapping[str, tuple[str, ...]]
"""Condition keys in lower case, with their values in this request. A key that is absent is not in it."""


class UnsupportedPolicy(ValueError):
    """A policy says something that is not understood here; the message names it. It never counts as a yes."""


class UnreadableRequest(ValueError):
    """A request from which cannot be told what it touches; it is refused. The message says why."""


@dataclass(frozen=True)
class Principal:
    """A session of a role. `tags` are those that the session was made with."""

    role: str
    tags: Mapping[str, str] = field(default_factory=dict[str, str])

    def __str__(self) -> str:
        told = ", ".join(f"{name}={value}" for name, value in self.tags.items())
        return self.role.rpartition("/")[2] + (f" ({told})" if told else "")

    @property
    def context(self) -> dict[str, tuple[str, ...]]:
        """The condition keys that tell who asks."""
        tags = {f"aws:principaltag/{name.lower()}": (value,) for name, value in self.tags.items()}
        # In the cloud every request comes over TLS; to this machine none does.
        return {**tags, "aws:principalarn": (self.role,), "aws:securetransport": ("true",)}


@dataclass(frozen=True)
class Access:
    """One thing that a request needs: an action, such as dynamodb:GetItem, on a resource by its ARN ("*" where the
    service knows none). `context` has the condition keys of the request, without those of who asks."""

    action: str
    resource: str
    context: Context = field(default_factory=dict[str, tuple[str, ...]])


@dataclass(frozen=True)
class Decision:
    """`reason` says which access failed, and how."""

    allowed: bool
    reason: str = ""
