"""SKILL.md in its two parts: the YAML between two lines of ---, and the Markdown behind it."""

import json
import re
from typing import Any, cast

import yaml

from turnkey.skills.limits import FRONT_MATTER_CHARACTERS

_FENCE = re.compile(r"---[ \t]*")
_COLON_WITHIN = re.compile(r"^([A-Za-z][\w-]*:[ \t]+)([^\s\"'\[{|>&*!%@`#].*:[ \t].*)$", re.MULTILINE)
"""A field in one line with a colon and a blank in its text, which YAML takes for another field: use it when: asked."""


class Unreadable(Exception):
    """There is no front matter, or it is no YAML mapping. The message says what to do."""


def split(text: str) -> tuple[dict[str, Any], str]:
    """The front matter's fields, each as a text, a list or a mapping of such, and the body. Raises Unreadable."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    start = next((place for place, line in enumerate(lines) if line.strip()), 0)
    if not _FENCE.fullmatch(lines[start]):
        raise Unreadable("has no front matter: begin it with a line ---, name and description, and another line ---")
    end = next((place for place in range(start + 1, len(lines)) if _FENCE.fullmatch(lines[place])), None)
    if end is None:
        raise Unreadable("has front matter without an end: close it with a line ---")
    front = "\n".join(lines[start + 1 : end])
    if len(front) > FRONT_MATTER_CHARACTERS:
        raise Unreadable(
            f"has front matter of {len(front):,} characters, more than {FRONT_MATTER_CHARACTERS:,}: shorten it"
        )
    return _read(front, start + 2), "\n".join(lines[end + 1 :]).strip()


def _read(front: str, first_line: int) -> dict[str, Any]:
    """Where it is no YAML because of a colon in a text, as it is meant: much that is around is written so."""
    try:
        return _fields(front, first_line)
    except Unreadable:
        quoted = _COLON_WITHIN.sub(
            lambda match: f"{match[1]}{json.dumps(match[2].rstrip(), ensure_ascii=False)}", front
        )
        if quoted == front:
            raise
        return _fields(quoted, first_line)


def _fields(front: str, first_line: int) -> dict[str, Any]:
    try:
        node = cast(Any, yaml).compose(front, Loader=yaml.BaseLoader)
        # Every value as it is written: version 1.0 and the word yes stay what they are.
        content: Any = yaml.load(front, Loader=yaml.BaseLoader)  # noqa: S506 - it makes texts, lists and mappings alone
    except (yaml.YAMLError, RecursionError) as error:
        raise Unreadable(f"has front matter that is no YAML{_where(error, first_line)}") from error
    except (TypeError, ValueError) as error:
        raise Unreadable("has front matter with a key that is no text: write plain names") from error
    if not isinstance(content, dict):
        raise Unreadable("has front matter that is no mapping: write name: … and description: … in it")
    if twice := _twice([key.value for key, _ in node.value]):
        raise Unreadable(f"has {', '.join(map(repr, twice))} twice in its front matter: keep one")
    return cast(dict[str, Any], content)


def _where(error: Exception, first_line: int) -> str:
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", "") or "it is nested too deep"
    line = f" at line {mark.line + first_line}" if mark else ""
    remedy = ": put a text with a colon in it between quotes" if "mapping values" in problem else ""
    return f"{line}: {problem}{remedy}"


def _twice(keys: list[Any]) -> list[str]:
    texts = [str(key)[:100] for key in keys]
    return [key for key in dict.fromkeys(texts) if texts.count(key) > 1]
