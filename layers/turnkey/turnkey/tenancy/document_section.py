"""The part of a manifest that gives documents."""

from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from turnkey.documents import naming
from turnkey.documents.cleaning import kept
from turnkey.documents.document import MAX_CHARACTERS, MediaType, digest
from turnkey.documents.shared import SharedDocument
from turnkey.values import Value

MOST = 100
ALL_BYTES = 1_000_000
"""Of all texts: they travel in one request, with everything else of the manifest."""


class DocumentSection(Value):
    """A document of the tenant's: its text, or the path of a file with it."""

    name: Annotated[str, AfterValidator(naming.written)] = Field(
        min_length=1, max_length=naming.MOST, description="by which people and agents call it", examples=["lease"]
    )
    title: Annotated[str, AfterValidator(naming.written)] = Field(
        default="", max_length=naming.MOST, description="above it, and in its file's name; left out: the name"
    )
    path: str = Field(
        default="",
        max_length=1000,
        description="its file, from where the manifest lies; the turnkey command reads it and sends its text",
        examples=["./documents/lease.md"],
    )
    text: Annotated[str, AfterValidator(kept)] = Field(
        default="",
        max_length=MAX_CHARACTERS,
        description="what it says",
        examples=["# Lease\n\nFor {{tenant name}}.\n"],
    )
    media_type: MediaType = Field(default="text/markdown", description="Markdown or plain text")
    template: bool = Field(
        default=False, description="true: others are made from it, with its {{placeholders}} filled; it never changes"
    )
    writable: bool = Field(
        default=False, description="true: customers' conversations may change it, and every other one sees that"
    )

    @model_validator(mode="after")
    def _whole(self) -> "DocumentSection":
        if problem := naming.problem(self.name):
            raise ValueError(f"name {problem}")
        if self.path:
            raise ValueError("path is read by the turnkey command: give the text itself")
        if not self.text.strip():
            raise ValueError("has no text: give text, or path where the turnkey command sends it")
        if self.template and self.writable:
            raise ValueError("template and writable exclude each other: a template never changes")
        return self


def _fitting(sections: tuple[DocumentSection, ...]) -> tuple[DocumentSection, ...]:
    keys = [naming.key(section.name) for section in sections]
    for place, key in enumerate(keys):
        if key in keys[:place]:
            raise ValueError(f"{sections[place].name!r} is there twice: give each document a name of its own")
    size = sum(len(section.text.encode()) for section in sections)
    if size > ALL_BYTES:
        raise ValueError(f"take {size:,} bytes, more than {ALL_BYTES:,} in all: shorten them")
    return sections


DocumentSections = Annotated[tuple[DocumentSection, ...], AfterValidator(_fitting)]


def shared_documents(sections: tuple[DocumentSection, ...]) -> dict[str, SharedDocument]:
    """What the tenant's settings know of them, by name."""
    return {section.name: _shared(section) for section in sections}


def _shared(section: DocumentSection) -> SharedDocument:
    return SharedDocument(
        name=section.name,
        title=section.title or section.name,
        media_type=section.media_type,
        template=section.template,
        writable=section.writable,
        sha256=digest(section.text),
    )
