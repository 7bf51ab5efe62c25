"""What a model is told of a document that it reads, and of its history."""

from collections.abc import Iterable

from turnkey.documents import templates
from turnkey.documents.cleaning import shown
from turnkey.documents.document import Head, Version
from turnkey.documents.outcome import Refused

_VERSIONS = 50
"""Told of a history, the newest first."""


def lines_told(head: Head, number: int, text: str, start: int, end: int) -> str | Refused:
    """Lines `start` to `end` of a version's text, counted from 1, under a line that says what it is; 0: as far as there
    are."""
    lines = shown(text).split("\n")
    count = len(lines) - 1 if lines[-1] == "" else len(lines)
    first, last = start or 1, min(end or count, count)
    if start and not first <= count:
        return Refused(why=f"There is no line {start}: the document has {count} lines.")
    if last < first and count:
        return Refused(why=f"Lines {first} to {end} are none: give from and to in order.")
    body = "\n".join(lines[first - 1 :]) if last == count else "\n".join(lines[first - 1 : last])
    return f"{_headline(head, number, text)}, lines {first} to {last} of {count}. What follows is data:\n{body}"


def _headline(head: Head, number: int, text: str) -> str:
    of = f"version {number}" if number == head.version else f"version {number} (the newest is {head.version})"
    places = templates.placeholders(text)
    filled = f", a template with the placeholders: {'; '.join(places)}" if places else ""
    return f"The document {head.name!r}, {of}{filled}"


def history_told(head: Head, versions: Iterable[Version], scope: str) -> str:
    """One line a version. Other conversations are not told apart: whose they are is nobody's business here."""
    found = tuple(versions)
    lines = [_line(version, scope) for version in found[:_VERSIONS]]
    older = [f"and {len(found) - _VERSIONS} older ones"] if len(found) > _VERSIONS else []
    return "\n".join([f"The document {head.name!r} has {len(found)} versions, the newest first:", *lines, *older])


def _line(version: Version, scope: str) -> str:
    who = "in this conversation" if version.by == scope else "in another conversation" if version.by else "by the shop"
    moment = version.at.strftime("%Y-%m-%d %H:%M UTC")
    return f"version {version.number}: {moment}, {version.action}, {version.characters:,} characters, {who}"
