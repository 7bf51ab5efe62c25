"""A tenant's documents, for operators: which there are, their history, and what one says."""

from datetime import datetime

from turnkey.documents import naming
from turnkey.documents.document import Head, Version
from turnkey.store.acting import acting_for
from turnkey.store.documents import DocumentStore
from turnkey.tenancy.circumstances import Circumstances
from turnkey.tenancy.desk import Desk
from turnkey.tenancy.problems import Problem, Refused
from turnkey.tenancy.request import DocumentsRequest
from turnkey.values import Value


class VersionReport(Value):
    """`by` is the conversation that made it, as a scope; empty: the manifest did."""

    version: int
    at: datetime
    action: str
    by: str
    characters: int
    sha256: str


class DocumentReport(Value):
    """`scope` is "shared" for the tenant's own, else the conversation's. `history` is there where one name was asked
    for, the newest first; `text` where a version was."""

    name: str
    title: str
    scope: str
    media_type: str
    version: int
    history: tuple[VersionReport, ...] = ()
    text: str | None = None


class DocumentList(Value):
    tenant: str
    documents: tuple[DocumentReport, ...]


class DocumentDesk:
    def __init__(self, documents: DocumentStore, desk: Desk) -> None:
        self._documents = documents
        self._desk = desk

    def read(self, request: DocumentsRequest, _: Circumstances) -> DocumentList:
        """Raises Refused for a tenant, a name or a version that there is not."""
        tenant = request.tenant
        with acting_for(tenant):
            self._desk.check(tenant)
            heads = [head for head in self._documents.all_heads(tenant) if _is_meant(head, request)]
            if request.name and not heads:
                raise Refused(Problem(path="name", problem=f"there is no document {request.name!r}"))
            return DocumentList(tenant=tenant, documents=tuple(self._report(request, head) for head in heads))

    def _report(self, request: DocumentsRequest, head: Head) -> DocumentReport:
        report = DocumentReport.model_validate(head.model_dump(exclude={"sha256"}))
        if not request.name:
            return report
        history = tuple(map(_version, self._documents.versions(request.tenant, head)))
        text = self._text(request, head) if request.version else None
        return report.model_copy(update={"history": history, "text": text})

    def _text(self, request: DocumentsRequest, head: Head) -> str:
        text = self._documents.text(request.tenant, head, request.version)
        if text is None:
            told = f"there is no version {request.version} of {head.name!r}: the newest is {head.version}"
            raise Refused(Problem(path="version", problem=told))
        return text


def _is_meant(head: Head, request: DocumentsRequest) -> bool:
    of_name = not request.name or naming.key(head.name) == naming.key(request.name)
    return of_name and request.scope in ("", head.scope)


def _version(version: Version) -> VersionReport:
    return VersionReport(
        version=version.number, **version.model_dump(include={"at", "action", "by", "characters", "sha256"})
    )
