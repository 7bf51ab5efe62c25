"""Reads the files that a manifest's documents name, as they are."""

from pathlib import Path
from typing import Any, cast


class UnusableDocument(ValueError):
    """A document cannot be sent; the message says which and why."""


def with_texts(manifest: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The manifest with the text of each document in place of its path, which is meant from `folder` on. What else may
    be wrong with it is the provision function's to say. Raises UnusableDocument."""
    documents = manifest.get("documents")
    if not isinstance(documents, list):
        return manifest
    return {**manifest, "documents": [_with_text(one, folder) for one in cast(list[Any], documents)]}


def _with_text(document: Any, folder: Path) -> Any:
    if not isinstance(document, dict):
        return document
    fields = cast(dict[str, Any], document)
    path: Any = fields.get("path")
    if not isinstance(path, str) or not path:
        return fields
    file = folder / path
    rest = {name: value for name, value in fields.items() if name != "path"}
    kind = {} if "media_type" in rest or file.suffix.lower() != ".txt" else {"media_type": "text/plain"}
    return {"name": file.stem, **rest, **kind, "text": _text(file)}


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UnusableDocument(f"{file} cannot be read: {error}") from error
    except UnicodeDecodeError as error:
        raise UnusableDocument(f"{file} is not in UTF-8: save it as that") from error
