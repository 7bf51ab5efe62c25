"""A skill's folder, read: the skill, or everything that is wrong with it at once."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from turnkey import hidden
from turnkey.loop.tokens import estimate
from turnkey.skills import paths
from turnkey.skills.front_matter import Unreadable, split
from turnkey.skills.limits import BODY_TOKENS, FILES, RECOMMENDED_TOKENS, SKILL_BYTES
from turnkey.skills.naming import NAME, entries
from turnkey.skills.skill import BODY, Skill

_FIELDS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
_LONGEST = {"description": 1024, "compatibility": 500, "license": 500}
_MOST_TOOLS = 100
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1f\ud800-\udfff]")


@dataclass(frozen=True)
class Wrong:
    """`file` is the one that it is about, or empty for the whole folder; `key` a field of the front matter."""

    problem: str
    file: str = ""
    key: str = ""


@dataclass(frozen=True)
class Parsed:
    """`skill` is None where anything is wrong. `warnings` are what is put up with."""

    skill: Skill | None
    wrong: tuple[Wrong, ...] = ()
    warnings: tuple[str, ...] = field(default=())


def parse(files: Mapping[str, str], folder: str = "") -> Parsed:
    """The skill of a folder: its files' texts by path. `folder` is the folder's own name, where it is known."""
    wrong = list(_of_files(files))
    if BODY not in files:
        near = next((path for path in files if path.casefold() == BODY.casefold()), "")
        wrong.append(Wrong(f"has no {BODY}: {f'rename {near}' if near else 'add it'}"))
        return Parsed(None, tuple(wrong))
    try:
        front, body = split(files[BODY])
    except Unreadable as error:
        return Parsed(None, (*wrong, Wrong(str(error), BODY)))
    wrong += [*_of_front(front, folder), *_of_body(body)]
    if wrong:
        return Parsed(None, tuple(wrong))
    skill = Skill(
        name=front["name"],
        description=_line(front["description"]),
        license=_text(front, "license"),
        compatibility=_text(front, "compatibility"),
        metadata=_metadata(front),
        tools=entries(front.get("allowed-tools")),
        body=hidden.clean(body),
        files={path: hidden.clean(files[path]) for path in sorted(files) if path != BODY},
    )
    return Parsed(skill, warnings=tuple(_warnings(front, body)))


def _of_files(files: Mapping[str, str]) -> Iterator[Wrong]:
    for path, text in files.items():
        if wrong := paths.problem(path):
            yield Wrong(wrong, path)
        if _NO_TEXT.search(text) or "\ufffd" in text:
            yield Wrong("is no text: a skill's files are texts in UTF-8, leave it out", path)
    for path in paths.double(list(files)):
        yield Wrong("has the name of another file or folder, but for capitals: rename it", path)
    if len(files) > FILES:
        yield Wrong(f"has {len(files)} files, more than {FILES}: leave some out")
    size = size_of(files)
    if size > SKILL_BYTES:
        yield Wrong(f"takes {size:,} bytes, more than {SKILL_BYTES:,}: leave files out, or make two skills of it")


def size_of(files: Mapping[str, str]) -> int:
    """In bytes of UTF-8."""
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in files.values())


def _of_front(front: Mapping[str, Any], folder: str) -> Iterator[Wrong]:
    for key in ("name", "description"):
        if not front.get(key):
            yield Wrong("is missing: add it" if key not in front else "is empty: write it", BODY, key)
    for key in _LONGEST.keys() | {"name"}:
        value = front.get(key, "")
        if not isinstance(value, str):
            yield Wrong("is no text: write one line, or several behind >-", BODY, key)
        elif len(value) > _LONGEST.get(key, len(value)):
            yield Wrong(f"has {len(value):,} characters, more than {_LONGEST[key]:,}: shorten it", BODY, key)
    yield from _of_name(front.get("name"), folder)
    if not _is_metadata(front.get("metadata", "")):
        yield Wrong("is no mapping of names to texts: write it as one", BODY, "metadata")
    yield from _of_tools(front.get("allowed-tools", ""))


def _of_name(name: Any, folder: str) -> Iterator[Wrong]:
    if not isinstance(name, str) or not name:
        return
    if len(name) > 64 or not NAME.fullmatch(name):
        rule = "1 to 64 of a-z 0-9 and single hyphens, neither first nor last a hyphen"
        yield Wrong(f"{name[:100]!r} is no name of a skill: use {rule}", BODY, "name")
    elif folder and name != folder:
        yield Wrong(f"{name!r} is not what the folder is called: {folder[:100]!r} – make them the same", BODY, "name")


def _of_tools(value: Any) -> Iterator[Wrong]:
    listed = cast(list[Any], value) if isinstance(value, list) else None
    if not isinstance(value, str) and (listed is None or not all(isinstance(one, str) for one in listed)):
        yield Wrong("is neither a text with names between blanks nor a list of names: write one", BODY, "allowed-tools")
    elif "*" in entries(value):
        yield Wrong("names every tool there is: name those that are for this skill", BODY, "allowed-tools")
    elif len(entries(value)) > _MOST_TOOLS:
        yield Wrong(f"names more than {_MOST_TOOLS} tools: use patterns such as server:*", BODY, "allowed-tools")


def _is_metadata(value: Any) -> bool:
    if value == "":
        return True
    return isinstance(value, dict) and all(isinstance(one, str) for one in cast(dict[Any, Any], value).values())


def _of_body(body: str) -> Iterator[Wrong]:
    if not body:
        yield Wrong("has no instructions behind its front matter: write them", BODY)
    elif (tokens := estimate(body)) > BODY_TOKENS:
        yield Wrong(
            f"takes about {tokens:,} tokens, more than the {BODY_TOKENS:,} that a turn can carry: move parts of it "
            "into files of their own, such as references/details.md",
            BODY,
        )


def _warnings(front: Mapping[str, Any], body: str) -> Iterator[str]:
    if unknown := [key[:100] for key in front if key not in _FIELDS]:
        yield f"does nothing here: {', '.join(unknown)}"
    if (tokens := estimate(body)) > RECOMMENDED_TOKENS:
        yield f"its instructions take about {tokens:,} tokens in every turn that needs them"


def _text(front: Mapping[str, Any], key: str) -> str:
    return _line(front.get(key, ""))


def _line(text: str) -> str:
    return " ".join(hidden.clean(text).split())


def _metadata(front: Mapping[str, Any]) -> dict[str, str]:
    return dict(cast(dict[str, str], front["metadata"])) if front.get("metadata") else {}
