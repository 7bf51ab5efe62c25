"""What the parts of `text_calls` hand to one another."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Protocol

from turnkey.tools import JsonObject


class ShownTool(Protocol):
    """All that recovery needs to know of a tool."""

    @property
    def name(self) -> str: ...
    @property
    def parameters(self) -> JsonObject: ...


class Raw(str):
    """A value written as plain text between tags: the schema says what it is."""


class Digits(str):
    """An integer with leading zeros: a number or a string, as the schema says."""


class Call(NamedTuple):
    """A call as it is written at `start`..`end`; `arguments` are not yet typed by the schema."""

    name: str
    arguments: Mapping[str, Any]
    start: int
    end: int


Kind = Literal["calls", "noise", "reasoning", "open reasoning", "fence", "text"]


class Cut(NamedTuple):
    """A stretch that is no text for a reader, or (kind "text") one that was read and is. `proven`: its end is marked,
    so nothing of it can be missing."""

    start: int
    end: int
    kind: Kind = "noise"
    calls: tuple[Call, ...] = ()
    proven: bool = True
    leaves: str = ""
    """What stays in its place where it parts two texts."""


class Reading(NamedTuple):
    """Calls read from one place on, and where they end."""

    calls: tuple[Call, ...]
    end: int


class Found(NamedTuple):
    """A literal and where it ends."""

    value: Any
    end: int


class Broken(Exception):
    """No literal or call stands here; `at` is as far as it was read."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class Exhausted(Exception):
    """Reading has failed more often than a model's answer can account for: the text is hostile."""
