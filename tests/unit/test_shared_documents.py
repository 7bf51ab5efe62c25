"""A manifest gives a tenant its documents: new ones, changed ones, and none that it does not name."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import boto3
import pytest

from local.manifest import UnusableManifest
from local.manifest import read as read_manifest
from tests.support.attempts import NOW
from tests.support.manifests import MANIFEST
from tests.support.provisioning import Provisioning, breaking_after
from turnkey.documents.document import SHARED, Head
from turnkey.environment import required
from turnkey.store.documents import DocumentStore, Draft
from turnkey.store.objects import ObjectStore
from turnkey.store.tenants import TenantStore

Json = dict[str, Any]
LEASE: Json = {"name": "lease", "title": "Lease", "text": "For {{tenant}}.\r\n", "template": True}
BOARD: Json = {"name": "board", "text": "one\n", "writable": True}


def with_documents(*documents: Json) -> Json:
    return {**MANIFEST, "servers": [], "agents": [{"name": "clerk", "instructions": "x"}], "documents": list(documents)}


@pytest.fixture
def store(provisioning: Provisioning) -> DocumentStore:
    return DocumentStore(required("TURNKEY_CONVERSATIONS_TABLE"), ObjectStore(provisioning.bucket))


def head(store: DocumentStore, name: str) -> Head:
    found = store.find("shop", SHARED, name)
    assert found
    return found


def written(store: DocumentStore, name: str, text: str) -> None:
    """As a conversation changes it."""
    before = head(store, name)
    draft = Draft(name=name, title=before.title, scope=SHARED, text=text, action="append", by="c", call="k")
    store.write("shop", before, draft, NOW)


def test_applying_twice_makes_one_version_and_exporting_gives_the_same(
    provisioning: Provisioning, store: DocumentStore
) -> None:
    first = provisioning.applied(with_documents(LEASE, BOARD))
    assert first["changed"]
    assert not provisioning.applied(with_documents(LEASE, BOARD))["changed"]
    exported = provisioning.ask("export", tenant="shop")["manifest"]
    assert exported["documents"] == [LEASE, BOARD]
    assert not provisioning.applied(exported)["changed"]
    assert (head(store, "lease").version, head(store, "lease").title) == (1, "Lease")
    assert store.text("shop", head(store, "lease"), 1) == LEASE["text"]


def test_what_conversations_changed_stays_until_the_manifest_says_another_thing(
    provisioning: Provisioning, store: DocumentStore
) -> None:
    provisioning.applied(with_documents(BOARD))
    written(store, "board", "one\ntwo\n")
    provisioning.applied(with_documents(BOARD, LEASE))
    provisioning.applied(with_documents({**BOARD, "title": "Notices"}))
    renamed = head(store, "board")
    assert (renamed.version, renamed.title) == (3, "Notices")
    assert store.text("shop", renamed, 3) == "one\ntwo\n"
    report = provisioning.applied(with_documents({**BOARD, "text": "new\n"}))
    assert "documents.board" in report["changes"][0]["fields"]
    assert store.text("shop", head(store, "board"), 4) == "new\n"


def test_what_the_manifest_does_not_name_goes_with_its_history(
    provisioning: Provisioning, store: DocumentStore
) -> None:
    provisioning.applied(with_documents(BOARD, LEASE))
    written(store, "board", "one\ntwo\n")
    provisioning.applied(with_documents(LEASE))
    assert [one.name for one in store.heads("shop", SHARED)] == ["lease"]
    s3: Any = boto3.client("s3")
    assert len(s3.list_objects_v2(Bucket=provisioning.bucket, Prefix="tenants/shop/documents/")["Contents"]) == 1


@pytest.mark.parametrize("calls", [0, 1])
@pytest.mark.parametrize("where", [(DocumentStore, "write"), (TenantStore, "put"), (DocumentStore, "forget")])
def test_an_apply_that_died_is_repaired_by_the_next(
    provisioning: Provisioning, store: DocumentStore, monkeypatch: pytest.MonkeyPatch, where: Any, calls: int
) -> None:
    provisioning.applied(with_documents(BOARD, {**LEASE, "name": "old"}, {**LEASE, "name": "older"}))
    wanted = with_documents({**BOARD, "text": "new\n"}, LEASE)
    with monkeypatch.context() as patched:
        owner, name = where
        patched.setattr(owner, name, breaking_after(getattr(owner, name), calls))
        with suppress(KeyboardInterrupt):
            provisioning.apply(wanted)
    provisioning.applied(wanted)
    assert [(one.name, one.version) for one in store.heads("shop", SHARED)] == [("board", 2), ("lease", 1)]
    assert store.text("shop", head(store, "board"), 2) == "new\n"


@pytest.mark.parametrize(
    ("document", "path", "problem"),
    [
        ({"name": "x"}, "documents[0]", "has no text"),
        ({"name": "x", "path": "x.md"}, "documents[0]", "read by the turnkey command"),
        ({"name": " ", "text": "x"}, "documents[0]", "give the document a name"),
        ({"name": "x", "text": "y", "template": True, "writable": True}, "documents[0]", "exclude each other"),
        ({"name": "x", "text": "y", "media_type": "text/html"}, "documents[0].media_type", "text/markdown"),
        ({"name": "LEASE.md", "text": "y"}, "documents", "'LEASE.md' is there twice"),
        ({"name": "x", "text": "y" * 200_001}, "documents[0].text", "200000"),
    ],
)
def test_a_document_that_is_none_is_refused_with_what_to_do(
    provisioning: Provisioning, document: Json, path: str, problem: str
) -> None:
    documents = [LEASE, document] if "twice" in problem else [document]
    problems = provisioning.refused("apply", manifest=with_documents(*documents))
    assert path in problems
    assert problem in problems[path]


def test_an_operator_sees_documents_their_history_and_texts(provisioning: Provisioning, store: DocumentStore) -> None:
    provisioning.applied(with_documents(BOARD, LEASE))
    written(store, "board", "one\ntwo\n")
    listed = provisioning.ask("documents", tenant="shop")["documents"]
    assert [(one["name"], one["version"], one["scope"]) for one in listed] == [
        ("board", 2, SHARED),
        ("lease", 1, SHARED),
    ]
    (board,) = provisioning.ask("documents", tenant="shop", name="Board", version=1)["documents"]
    assert [(one["version"], one["action"], one["by"]) for one in board["history"]] == [
        (2, "append", "c"),
        (1, "manifest", ""),
    ]
    assert board["text"] == "one\n"
    assert "name" in provisioning.refused("documents", tenant="shop", name="nothing")
    assert "version" in provisioning.refused("documents", tenant="shop", name="board", version=9)
    assert "tenant" in provisioning.refused("documents", tenant="nobody")


def test_the_command_reads_the_files_that_documents_name(tmp_path: Path) -> None:
    (tmp_path / "lease.md").write_bytes("\ufeffFür {{tenant}}: ${NOT_FILLED}\r\n".encode())
    (tmp_path / "rules.txt").write_text("No noise.\n")
    manifest = tmp_path / "tenant.yaml"
    manifest.write_text(
        "documents:\n- {path: lease.md, template: true}\n- {name: house rules, path: rules.txt}\n- {name: x, text: y}\n"
    )
    assert read_manifest(manifest, {})["documents"] == [
        {"name": "lease", "template": True, "text": "Für {{tenant}}: ${NOT_FILLED}\r\n"},
        {"name": "house rules", "media_type": "text/plain", "text": "No noise.\n"},
        {"name": "x", "text": "y"},
    ]
    (tmp_path / "lease.md").write_bytes(b"\xff\xfe")
    with pytest.raises(UnusableManifest, match=r"lease\.md is not in UTF-8"):
        read_manifest(manifest, {})
    (tmp_path / "lease.md").unlink()
    with pytest.raises(UnusableManifest, match=r"lease\.md cannot be read"):
        read_manifest(manifest, {})
