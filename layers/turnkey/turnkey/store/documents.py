"""Documents with all their versions: an index in the conversations table, the texts as objects.

Rows (partition TENANT#<id>#DOCUMENTS); <document> is <scope>#<hash of its name>:
  HEAD#<document>          the document as it stands now
  VERSION#<document>#<n>   one version; written once, never changed
  CALL#<hash>              what a call has made, for a month, as long as its turn's journal: it makes nothing twice
  LINK#<hash>              what a link leads to, for a week; by a hash of its token
A text is an object under its own hash, so none is ever overwritten by another. It is written before its rows.
"""

import hashlib
from datetime import datetime, timedelta
from typing import Any

from turnkey import ids
from turnkey.documents import naming
from turnkey.documents.document import LINK_DAYS, Head, Made, MediaType, Version, digest
from turnkey.documents.giving import File, new_token
from turnkey.store.objects import ObjectStore
from turnkey.store.table import ConditionFailed, Item, Table
from turnkey.values import Value

CALL_DAYS = 30
"""As long as a turn's journal."""
_NEW = "attribute_not_exists(pk)"


class Draft(Value):
    """A version that is to be. `call` is the key of the call that makes it; empty: the tenant's manifest does."""

    name: str
    title: str
    scope: str
    media_type: MediaType = "text/markdown"
    text: str
    action: str
    by: str = ""
    call: str = ""


class Overtaken(Exception):
    """The document is not any more, or not yet, what the change was made from."""


class DocumentStore:
    """Every read and write names its tenant, and stays in that tenant's partition and folder."""

    def __init__(self, table: str, objects: ObjectStore) -> None:
        self._table = Table(table)
        self._objects = objects

    def heads(self, tenant: str, scope: str) -> tuple[Head, ...]:
        """The documents of the scope, by their names."""
        return self._heads(tenant, f"HEAD#{scope}#")

    def all_heads(self, tenant: str) -> tuple[Head, ...]:
        """The tenant's own and those of all its conversations, by their names."""
        return self._heads(tenant, "HEAD#")

    def find(self, tenant: str, scope: str, name: str) -> Head | None:
        item = self._table.get((_partition(tenant), f"HEAD#{_document(scope, name)}"))
        return Head.model_validate_json(item["json"]) if item else None

    def versions(self, tenant: str, head: Head) -> tuple[Version, ...]:
        """All of them, the newest first."""
        prefix = f"VERSION#{_document(head.scope, head.name)}#"
        items = self._table.query(_partition(tenant), prefix, newest_first=True)
        return tuple(Version.model_validate_json(item["json"]) for item in items)

    def version(self, tenant: str, head: Head, number: int) -> Version | None:
        item = self._table.get((_partition(tenant), _version(_document(head.scope, head.name), number)))
        return Version.model_validate_json(item["json"]) if item else None

    def text(self, tenant: str, head: Head, number: int) -> str | None:
        """Of one version; None where there is none of that number."""
        version = self.version(tenant, head, number)
        content = self._objects.find(version.object) if version else None
        return None if content is None else content.decode()

    def made(self, tenant: str, call: str) -> Made | None:
        """What an earlier attempt of the call made."""
        item = self._table.get((_partition(tenant), _call(call)))
        return Made.model_validate_json(item["json"]) if item else None

    def write(self, tenant: str, before: Head | None, draft: Draft, now: datetime) -> Made:
        """The next version of the document, or its first. The same call again makes none, and comes to the same. Raises
        Overtaken unless `before` is how the document still stands; None: there is none of that name."""
        number = before.version + 1 if before else 1
        version = _described(tenant, draft, number, now)
        made = Made(name=draft.name, scope=draft.scope, version=number, token=new_token())
        self._objects.put(version.object, draft.text.encode())
        try:
            self._table.transact(
                *(self._writes(tenant, made, draft.call, now) if draft.call else ()),
                *self._version_writes(tenant, before, draft, version),
            )
        except ConditionFailed as error:
            if draft.call and (earlier := self.made(tenant, draft.call)):
                return earlier
            raise Overtaken from error
        return made

    def give(self, tenant: str, head: Head, call: str, now: datetime) -> Made:
        """A new link to the document as it stands; the same call again comes to the same link."""
        made = Made(name=head.name, scope=head.scope, version=head.version, token=new_token())
        try:
            self._table.transact(*self._writes(tenant, made, call, now))
        except ConditionFailed:
            return self.made(tenant, call) or made
        return made

    def follow(self, tenant: str, token: str, now: datetime) -> File | None:
        """What a link leads to, while it is valid."""
        item = self._table.get((_partition(tenant), _link(token)))
        if item is None or item["expires_at"] <= int(now.timestamp()):
            return None
        head = self.find(tenant, item["scope"], item["name"])
        version = self.version(tenant, head, item["version"]) if head else None
        content = self._objects.find(version.object) if version else None
        if head is None or content is None:
            return None
        return File(title=head.title, media_type=head.media_type, content=content)

    def forget(self, tenant: str, head: Head) -> None:
        """The document with its whole history. What names the rest goes last."""
        for version in self.versions(tenant, head):
            self._objects.delete(version.object)
            self._table.delete((_partition(tenant), _version(_document(head.scope, head.name), version.number)))
        self._table.delete((_partition(tenant), f"HEAD#{_document(head.scope, head.name)}"))

    def _heads(self, tenant: str, prefix: str) -> tuple[Head, ...]:
        items = self._table.query(_partition(tenant), prefix)
        return tuple(sorted((Head.model_validate_json(item["json"]) for item in items), key=lambda head: head.name))

    def _version_writes(
        self, tenant: str, before: Head | None, draft: Draft, version: Version
    ) -> tuple[dict[str, Any], ...]:
        document = _document(draft.scope, draft.name)
        head = Head(
            name=draft.name,
            title=draft.title,
            scope=draft.scope,
            media_type=draft.media_type,
            version=version.number,
            sha256=version.sha256,
        )
        row = {"pk": _partition(tenant), "sk": f"HEAD#{document}", "json": head.model_dump_json(), "n": head.version}
        kept = {"pk": _partition(tenant), "sk": _version(document, version.number), "json": version.model_dump_json()}
        condition, values = ("n = :n", {":n": before.version}) if before else (_NEW, None)
        return (
            self._table.put_write(row, condition=condition, values=values),
            self._table.put_write(kept, condition=_NEW),
        )

    def _writes(self, tenant: str, made: Made, call: str, now: datetime) -> tuple[dict[str, Any], ...]:
        """What a call made, and the link to it."""
        partition = _partition(tenant)
        row: Item = {
            "pk": partition,
            "sk": _call(call),
            "json": made.model_dump_json(),
            "expires_at": _in(now, CALL_DAYS),
        }
        link: Item = {
            "pk": partition,
            "sk": _link(made.token),
            **made.model_dump(include={"name", "scope", "version"}),
            "expires_at": _in(now, LINK_DAYS),
        }
        return self._table.put_write(row, condition=_NEW), self._table.put_write(link, condition=_NEW)


def _described(tenant: str, draft: Draft, number: int, now: datetime) -> Version:
    sha256 = digest(draft.text)
    return Version(
        number=number,
        at=now,
        action=draft.action,
        by=draft.by,
        call=draft.call,
        characters=len(draft.text),
        size=len(draft.text.encode()),
        sha256=sha256,
        object=f"tenants/{tenant}/documents/{draft.scope}/{naming.key(draft.name)}/{sha256}",
    )


def _partition(tenant: str) -> str:
    return ids.partition(tenant, ids.DOCUMENTS)


def _document(scope: str, name: str) -> str:
    return f"{scope}#{naming.key(name)}"


def _version(document: str, number: int) -> str:
    return f"VERSION#{document}#{number:08d}"


def _call(call: str) -> str:
    return f"CALL#{hashlib.sha256(call.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _link(token: str) -> str:
    return f"LINK#{hashlib.sha256(token.encode()).hexdigest()}"


def _in(now: datetime, days: int) -> int:
    return int((now + timedelta(days=days)).timestamp())
