"""What is wrong with a request or a manifest: where, what, and what to do. No problem repeats a secret."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from pydantic import Field, ValidationError

from turnkey.errors import Permanent
from turnkey.mcp.failures import Failure
from turnkey.values import Value

MOST_NAMES = 20
"""Told of what there is instead."""


class Problem(Value):
    """One thing wrong."""

    path: str
    problem: str
    error: str = Field(default="", description="class, where it has one: that of a server's failure, or Busy")
    http_status: int = Field(default=0, description="what a server answered; 0 where no answer came")


class Refused(Permanent):
    """A request that is not carried out; nothing was changed."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("; ".join(f"{problem.path}: {problem.problem}" for problem in problems))
        self.problems = problems


def of_failure(path: str, failure: Failure) -> Problem:
    """A server's failure, at the place in the manifest that names the server."""
    return Problem(path=path, problem=failure.message, error=failure.kind, http_status=failure.http_status)


def of_validation(error: ValidationError) -> tuple[Problem, ...]:
    """Everything that pydantic found. No value is repeated: it may be a secret."""
    entries = error.errors(include_input=False, include_url=False)
    return tuple(_problem(entry) for entry in entries if not _is_echo(entry, entries))


def unknown(path: str, name: str, known: Iterable[str], where: str) -> Problem:
    """A name that is not there, with those that are, or the most similar of many."""
    return Problem(path=path, problem=f"{name[:100]!r} is not {where}: use one of {_told(name, list(known))}")


def _told(name: str, known: list[str]) -> str:
    if len(known) <= MOST_NAMES:
        return ", ".join(known) or "none there"
    similar = get_close_matches(name, known, n=5, cutoff=0.3) or known[:5]
    return f"{', '.join(similar)} … ({len(known)} in all)"


def path_of(parts: Iterable[int | str]) -> str:
    """Such as agents[0].limits.seconds, or servers[0].tools["search.books"]."""
    return "".join(step(part) for part in parts).lstrip(".") or "(document)"


def step(part: int | str) -> str:
    """One more step of a path, such as .limits or [0]."""
    if isinstance(part, int):
        return f"[{part}]"
    return f".{part}" if re.fullmatch(r"[\w-]+", part) else f'["{part[:100]}"]'


def _problem(entry: Any) -> Problem:
    return Problem(path=path_of(_without_tags(entry["loc"])), problem=remedy(entry))


def remedy(entry: Any) -> str:
    """One of pydantic's errors in words."""
    return _REMEDIES.get(entry["type"], str(entry["msg"]).removeprefix("Value error, "))


def _without_tags(place: Sequence[int | str]) -> list[int | str]:
    """Less what nobody wrote: which kind of auth it is that has the problem, and that the problem is a name's own."""
    parts = list(place)
    if len(parts) > 3 and (parts[0], parts[2]) == ("servers", "auth"):
        del parts[3]
    return parts[:-1] if parts[-1:] == ["[key]"] else parts


_REMEDIES = {
    "missing": "is missing: add it",
    "extra_forbidden": "is not a known field: correct its name or remove it",
    "union_tag_not_found": "has no kind: add it",
}


def _is_echo(entry: Any, entries: Sequence[Any]) -> bool:
    """A list counts as too short once its only entry is at fault: the entry's own problem says it all."""
    place = entry["loc"]
    return entry["type"] == "too_short" and any(
        len(other["loc"]) > len(place) and other["loc"][: len(place)] == place for other in entries
    )
