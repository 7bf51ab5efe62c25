"""Paths of the files within a skill's folder."""

import re
import unicodedata

from turnkey import hidden
from turnkey.skills.limits import DEPTH, PATH_CHARACTERS

_DRIVE = re.compile(r"[A-Za-z]:")


def problem(path: str) -> str:
    """What is wrong with the path of a file in a skill, or nothing."""
    parts = path.split("/")
    if not path or len(path) > PATH_CHARACTERS:
        return f"has a path of {len(path)} characters: give it one of 1 to {PATH_CHARACTERS}"
    if "\\" in path or path.startswith("/") or _DRIVE.match(path) or any(part in ("", ".", "..") for part in parts):
        return "is no path within the skill's folder: write it from there, with / and without .."
    if next(hidden.find(path), None) or not path.isprintable():
        return "has characters in its path that do not show: rename it"
    if len(parts) > DEPTH:
        return f"lies more than {DEPTH} folders deep: move it up"
    return ""


def double(paths: list[str]) -> list[str]:
    """Those that differ from one before them in case or form alone, or stand where another has a folder."""
    seen: set[str] = set()
    folders = {_folded(path).rsplit("/", count)[0] for path in paths for count in range(1, path.count("/") + 1)}
    found: list[str] = []
    for path in paths:
        folded = _folded(path)
        if folded in seen or folded in folders:
            found.append(path)
        seen.add(folded)
    return found


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()
