"""Documents over moto's tables and bucket, worked on call by call as a turn works on them."""

from itertools import count
from typing import Any

import boto3
import pytest

from tests.support.attempts import NOW
from turnkey.deliverables import Document
from turnkey.documents.document import SHARED, Head, digest
from turnkey.documents.shared import SharedDocument
from turnkey.doing.documents import Documents
from turnkey.environment import required
from turnkey.store.documents import DocumentStore, Draft
from turnkey.store.objects import ObjectStore
from turnkey.store.stores import Stores
from turnkey.tenancy.settings import Agent, Tenant
from turnkey.turn.journal import ToolCall, ToolResult
from turnkey.turn.record import TurnRecord
from turnkey.turn.reference import TurnReference
from turnkey.turn.station import Done, Task

API = "https://api.example.com"
_numbers = count(1)


class Desk:
    """A tenant's documents. Each call is one of a turn of conversation c-1, unless told otherwise."""

    def __init__(self, stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
        bucket = f"documents-{next(_numbers)}"
        s3: Any = boto3.client("s3")
        s3.create_bucket(Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
        monkeypatch.setenv("TURNKEY_OBJECTS_BUCKET", bucket)
        monkeypatch.setenv("TURNKEY_API_URL", API)
        self.bucket = bucket
        self.stores = stores
        self.store = DocumentStore(required("TURNKEY_CONVERSATIONS_TABLE"), ObjectStore(bucket))
        self.documents = Documents.from_environment(stores)
        for tenant in ("shop", "rival"):
            stores.tenants.put(tenant, Tenant(id=tenant, name=tenant))

    def share(self, name: str, text: str, *, tenant: str = "shop", **fields: Any) -> Head:
        """A document of the tenant's own."""
        before = self.stores.tenants.tenant(tenant)
        shared = SharedDocument(name=name, title=name, sha256=digest(text), **fields)
        documents = {**before.documents, name: shared}
        self.stores.tenants.put(tenant, before.model_copy(update={"documents": documents}))
        self.store.write(tenant, None, Draft(name=name, title=name, scope=SHARED, text=text, action="manifest"), NOW)
        head = self.store.find(tenant, SHARED, name)
        assert head
        return head

    def task(
        self,
        *,
        tenant: str = "shop",
        conversation: str = "c-1",
        turn: int = 1,
        call: str = "",
        steps: tuple[ToolResult, ...] = (),
        **arguments: Any,
    ) -> Task:
        return Task(
            reference=TurnReference(tenant=tenant, connection="web", conversation=conversation, turn=turn),
            record=TurnRecord(turn=turn, agent="clerk", messages=(), opened_at=NOW, deadline=NOW),
            agent=Agent(name="clerk", instructions="x"),
            call=ToolCall(id=call or f"call_{next(_numbers)}_0", name="edit_document", arguments=arguments),
            steps=steps,
            now=NOW,
        )

    def do(self, action: str, name: str, **fields: Any) -> Done:
        return self.documents.edit(self.task(action=action, name=name, **fields))

    def fails(self, action: str, name: str, **fields: Any) -> str:
        """What the model is told."""
        done = self.do(action, name, **fields)
        assert done.outcome.status == "error"
        assert "deliverable" not in done.meaning
        return done.outcome.text

    def given(self, action: str, name: str, **fields: Any) -> Document:
        """What the customer gets."""
        done = self.do(action, name, **fields)
        assert done.outcome.status == "ok", done.outcome.text
        document = done.meaning["deliverable"]
        assert isinstance(document, Document)
        return document

    def text(self, name: str, **fields: Any) -> str:
        """The newest text, without the line above it."""
        return self.do("read", name, **fields).outcome.text.partition(":\n")[2]

    def rows(self, prefix: str) -> list[Any]:
        """Of all tenants, by how their sort keys begin."""
        dynamodb: Any = boto3.client("dynamodb")
        found = dynamodb.scan(TableName=required("TURNKEY_CONVERSATIONS_TABLE"))["Items"]
        return [row for row in found if row["sk"]["S"].startswith(prefix)]

    def keys(self, tenant: str = "shop", *, prefix: str = "") -> list[str]:
        """Of all objects of the tenant that stay, or of those under a prefix."""
        s3: Any = boto3.client("s3")
        found = s3.list_objects_v2(Bucket=self.bucket, Prefix=prefix or f"tenants/{tenant}/")
        return [entry["Key"] for entry in found.get("Contents", [])]


def as_step(task: Task, done: Done) -> ToolResult:
    """The call in the journal, come to its end."""
    return ToolResult(call=task.call, status=done.outcome.status, text=done.outcome.text, **done.meaning)
