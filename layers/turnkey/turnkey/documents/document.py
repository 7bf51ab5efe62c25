"""A document and its versions, as they are kept."""

import hashlib
from datetime import datetime
from typing import Literal

from pydantic import Field

from turnkey.values import Value

MAX_CHARACTERS = 200_000
"""Of one document: it is read whole whenever it is changed."""
LINK_DAYS = 7
"""For which a link is valid. Another one can be asked for at any time."""

MediaType = Literal["text/markdown", "text/plain"]
SHARED = "shared"
"""The scope of the tenant's own documents, which every conversation can read."""


class Version(Value):
    """One state of a document. None is ever changed or taken back."""

    number: int = Field(description="1 is the first")
    at: datetime
    action: str = Field(description="what made it, such as create or replace")
    by: str = Field(description="the conversation it was made in, as `scope_of` gives it; empty: the tenant's manifest")
    call: str = Field(default="", description="key of the call that made it")
    characters: int
    size: int = Field(description="bytes in UTF-8")
    sha256: str = Field(description="of the text in UTF-8: the version's etag")
    object: str = Field(description="key of its text in the objects bucket")


class Head(Value):
    """A document as it stands now."""

    name: str
    title: str
    scope: str = Field(description="SHARED, or the conversation's, as `scope_of` gives it")
    media_type: MediaType = "text/markdown"
    version: int
    sha256: str


class Made(Value):
    """What a call made, or gave out: the same at every attempt. `token` is the link's secret part."""

    name: str
    scope: str
    version: int
    token: str = Field(repr=False)


def scope_of(conversation_key: str) -> str:
    """The scope of one conversation's documents: a hash, because a conversation's id may hold anything."""
    return hashlib.sha256(conversation_key.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
