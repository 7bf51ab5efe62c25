"""What a written string means."""

import json
import re
from typing import Any

_PYTHON = re.compile(r"\\(?:(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2})|(.))", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\\": "\\", "'": "'", '"': '"', "/": "/", "\n": ""}
_WINDOWS = re.compile(r"[A-Za-z]:\\|\\\\?\w")
_SURROGATE = re.compile("[\ud800-\udfff]")
_PAIRS = re.compile(r"\\(.)", re.DOTALL)


def unescaped(written: str, *, python: bool) -> str:
    """The text between the quotes with its escapes resolved. An escape that is none keeps its backslash; beside one,
    the backslashes of a Windows path are all meant: `C:\\new\\dir` has no newline."""
    if "\\" not in written:
        return written
    if not python:
        try:
            value: Any = json.loads(f'"{written}"', strict=False)
        except ValueError:
            if _WINDOWS.match(written):
                return _PAIRS.sub(_path, written)
        else:
            return str(value)
    return encodable(_PYTHON.sub(_escape, written))


def _escape(found: re.Match[str]) -> str:
    code, simple = found.groups()
    if code is None:
        return _SIMPLE.get(simple, found.group())
    number = int(code[1:], 16)
    return chr(number) if number < 0x110000 else found.group()


def _path(found: re.Match[str]) -> str:
    return found[1] if found[1] in '"\\' else found.group()


def encodable(text: str) -> str:
    """Surrogates written as two escapes are one character; half of one is none."""
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
