"""Where a schema's references lead. Only within the schema itself: nothing is ever fetched."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, cast
from urllib.parse import unquote

from turnkey.tools import JsonObject

_MAX_ANCHORED = 5000
"""Places looked at for a named anchor."""


class External(Exception):
    """A reference leads out of the schema."""

    def __init__(self, reference: str) -> None:
        super().__init__(reference)
        self.reference = reference[:200]


class References:
    """Follows references from within nested schemas."""

    def __init__(self, root: JsonObject) -> None:
        self._enclosing: list[JsonObject] = [root]
        self._id = root["$id"].rstrip("#") if isinstance(root.get("$id"), str) else ""

    @contextmanager
    def within(self, schema: JsonObject) -> Generator[None]:
        """For what stands in this schema. A nested one with definitions of its own was a root before it was put in its
        place, and its references still begin there."""
        nests = any(isinstance(schema.get(key), dict) for key in ("$defs", "definitions"))
        if nests:
            self._enclosing.append(schema)
        try:
            yield
        finally:
            if nests:
                self._enclosing.pop()

    def find(self, reference: str) -> Any:
        """The schema referred to, or None where there is none. Raises External."""
        local = reference.removeprefix(self._id) if self._id else reference
        if local and not local.startswith("#"):
            raise External(reference)
        for root in (self._enclosing[0], *reversed(self._enclosing[1:])):
            found = _at(root, local[1:])
            if found is not None:
                return found
        return None


def _at(root: JsonObject, place: str) -> Any:
    if not place:
        return root
    if not place.startswith("/"):
        return _anchored(root, place)
    here: Any = root
    for part in place[1:].split("/"):
        here = _step(here, unquote(part).replace("~1", "/").replace("~0", "~"))
    return here


def _step(here: Any, part: str) -> Any:
    if isinstance(here, dict):
        return cast(JsonObject, here).get(part)
    if isinstance(here, list) and part.isdecimal() and len(part) < 6:
        entries = cast(list[Any], here)
        return entries[int(part)] if int(part) < len(entries) else None
    return None


def _anchored(root: JsonObject, name: str) -> Any:
    """The schema with this `$anchor`, or with this `$id` as older drafts have it."""
    waiting: list[Any] = [root]
    for _ in range(_MAX_ANCHORED):
        if not waiting:
            return None
        here = waiting.pop()
        if isinstance(here, dict):
            fields = cast(JsonObject, here)
            if name in (fields.get("$anchor"), fields.get("$dynamicAnchor")) or fields.get("$id") == f"#{name}":
                return fields
            waiting += fields.values()
        elif isinstance(here, list):
            waiting += cast(list[Any], here)
    return None
