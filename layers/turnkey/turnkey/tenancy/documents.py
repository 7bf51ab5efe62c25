"""A tenant's own documents, brought to what its manifest says."""

from collections.abc import Mapping
from datetime import datetime

from turnkey.documents import naming
from turnkey.documents.document import SHARED, Head, digest
from turnkey.documents.shared import SharedDocument
from turnkey.errors import Transient
from turnkey.store.documents import DocumentStore, Draft, Overtaken
from turnkey.tenancy.document_section import DocumentSection, shared_documents

_ATTEMPTS = 5


class SharedDocuments:
    def __init__(self, store: DocumentStore) -> None:
        self._store = store

    def put(
        self,
        tenant: str,
        sections: tuple[DocumentSection, ...],
        before: Mapping[str, SharedDocument],
        now: datetime,
    ) -> None:
        """Before the settings that name them. A text that the manifest has not changed stays as conversations have left
        it; one that it has becomes the next version. Applying again makes none."""
        for section, wanted in zip(sections, shared_documents(sections).values(), strict=True):
            if before.get(wanted.name) != wanted:
                self._put(tenant, section, wanted, before.get(wanted.name), now)

    def forget_others(self, tenant: str, sections: tuple[DocumentSection, ...]) -> None:
        """Those that the manifest does not name, after the settings that named them."""
        named = {naming.key(section.name) for section in sections}
        for head in self._store.heads(tenant, SHARED):
            if naming.key(head.name) not in named:
                self._store.forget(tenant, head)

    def _put(
        self,
        tenant: str,
        section: DocumentSection,
        wanted: SharedDocument,
        before: SharedDocument | None,
        now: datetime,
    ) -> None:
        for _ in range(_ATTEMPTS):
            head = self._store.find(tenant, SHARED, section.name)
            text = section.text
            if head and before and before.sha256 == wanted.sha256:
                # Only what is said about it changes.
                text = self._store.text(tenant, head, head.version) or text
            if head and _is(head, wanted) and head.sha256 == digest(text):
                return
            try:
                self._store.write(tenant, head, _draft(wanted, text), now)
                return
            except Overtaken:
                continue
        raise Transient(f"the document {section.name!r} is being changed: apply the manifest again")


def _is(head: Head, wanted: SharedDocument) -> bool:
    return (head.name, head.title, head.media_type) == (wanted.name, wanted.title, wanted.media_type)


def _draft(wanted: SharedDocument, text: str) -> Draft:
    return Draft(
        name=wanted.name,
        title=wanted.title,
        scope=SHARED,
        media_type=wanted.media_type,
        text=text,
        action="manifest",
    )
