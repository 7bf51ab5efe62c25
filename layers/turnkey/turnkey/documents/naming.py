"""Names of documents, in any script: how they are written, and when two are the same."""

import hashlib
import re
import unicodedata

from turnkey import hidden
from turnkey.documents.document import MediaType

MOST = 80
"""Characters of a name or title."""
_EXTENSION = re.compile(r"\.(?:md|markdown|txt)$", re.IGNORECASE)


def written(name: str) -> str:
    """The name as it is kept and shown: one line, without what hides in it."""
    return " ".join(unicodedata.normalize("NFC", hidden.clean(name)).split())


def problem(name: str) -> str:
    """What is wrong with a written name and what to do, or nothing."""
    if not _folded(name):
        return "is empty: give the document a name"
    if len(name) > MOST:
        return f"has {len(name)} characters: give it a name of at most {MOST}"
    return ""


def key(name: str) -> str:
    """Equal for names that mean the same document: case, file extension, width and the kind of blank do not matter."""
    return hashlib.sha256(_folded(name).encode()).hexdigest()[:32]


def media_type(name: str) -> MediaType:
    """Of a document that is made under this name: Markdown, unless its extension says that it is plain text."""
    return "text/plain" if name.casefold().endswith(".txt") else "text/markdown"


def _folded(name: str) -> str:
    plain = _EXTENSION.sub("", unicodedata.normalize("NFKC", written(name)).casefold())
    return " ".join(re.sub(r"[\s_-]+", " ", plain).split())
