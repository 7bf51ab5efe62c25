"""Reads the folders of a manifest's skills, so that the provision function, which has no folders, gets their files."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from turnkey.skills.limits import ALL_BYTES, FILES, SKILL_BYTES

_LEFT_OUT = ("__pycache__", "node_modules")
"""Beside what begins with a dot: a version control's folder, an editor's or a system's notes."""


class UnusableSkill(ValueError):
    """A folder that cannot be sent; the message says why."""


def with_files(manifest: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The manifest with the files of each skill that is given by its path from `folder`, where the manifest lies.

    Raises `UnusableSkill`.
    """
    skills: Any = manifest.get("skills")
    if not isinstance(skills, list):
        return manifest
    read = [_read(entry, folder.resolve()) for entry in cast(list[Any], skills)]
    size = sum(len(text.encode()) for entry in read for text in _files(entry).values())
    if size > ALL_BYTES:
        raise UnusableSkill(f"The skills take {size:,} bytes, more than {ALL_BYTES:,} in all: leave files out.")
    return {**manifest, "skills": read}


def _files(entry: Any) -> dict[str, str]:
    """What can be counted of an entry's files; what is wrong with them the function says."""
    files: Any = cast(dict[str, Any], entry).get("files") if isinstance(entry, dict) else None
    texts: dict[str, Any] = cast(dict[str, Any], files) if isinstance(files, dict) else {}
    return {path: text for path, text in texts.items() if isinstance(text, str)}


def _read(entry: Any, folder: Path) -> Any:
    fields: dict[str, Any] = cast(dict[str, Any], entry) if isinstance(entry, dict) else {}
    path: Any = fields.get("path")
    if not isinstance(path, str) or not path or "files" in fields:
        return cast(Any, entry)
    place = (folder / path).resolve()
    if not place.is_relative_to(folder):
        raise UnusableSkill(f"The skill {path} lies outside {folder}, where the manifest is: put it beside it.")
    if not place.is_dir():
        raise UnusableSkill(f"The skill {path} is no folder in {folder}: correct its path.")
    rest = {name: value for name, value in fields.items() if name != "path"}
    return {**rest, "folder": place.name, "files": _texts(place, path)}


def _texts(folder: Path, told: str) -> dict[str, str]:
    found: dict[str, str] = {}
    size = 0
    for path in _paths(folder, told):
        name = path.relative_to(folder).as_posix()
        size += path.stat().st_size
        if len(found) >= FILES or size > SKILL_BYTES:
            raise UnusableSkill(
                f"The skill {told} has more than {FILES} files or {SKILL_BYTES:,} bytes: leave some out of its folder."
            )
        found[name] = _text(path, f"{told}/{name}")
    return found


def _paths(folder: Path, told: str) -> Iterator[Path]:
    """Of its files, in the order of their names."""
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _LEFT_OUT)
        for name in (*folders, *sorted(files)):
            path = Path(here) / name
            if name.startswith("."):
                continue
            if wrong := _wrong_with(path, folder):
                raise UnusableSkill(f"{told}/{path.relative_to(folder).as_posix()} {wrong}")
            if name in files:
                yield path


def _wrong_with(path: Path, folder: Path) -> str:
    if path.is_symlink() and not path.resolve().is_relative_to(folder):
        return "is a link that leads out of the skill: put a copy there."
    if path.is_symlink() and path.is_dir():
        return "is a link to a folder: put a copy there."
    return "" if path.is_dir() or path.is_file() else "is no file: leave it out of the folder."


def _text(path: Path, told: str) -> str:
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnusableSkill(
            f"{told} is no text in UTF-8: a skill has texts alone, leave it out of the folder."
        ) from error
    except OSError as error:
        raise UnusableSkill(f"{told} cannot be read: {error.strerror}.") from error
    if "\x00" in text:
        raise UnusableSkill(f"{told} is no text: a skill has texts alone, leave it out of the folder.")
    return text
