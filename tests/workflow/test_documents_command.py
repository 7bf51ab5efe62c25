"""The `turnkey` command's side of documents, against the real function on the one-machine stack."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from local import cli
from local.announcement import Announcement, announce
from local.stack import Stack
from tests.support.shop import Shop

Run = Callable[..., str]


@pytest.fixture
def turnkey(stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command where the stack is announced, and returns what it says."""
    monkeypatch.chdir(tmp_path)
    announce(Announcement(stack.api_url, stack.aws_endpoint, stack.function_name("Provision"), os.getpid()))

    def run(*words: str, status: int = 0) -> str:
        assert cli.main(words) == status
        said = capsys.readouterr()
        return said.out + said.err

    return run


def test_documents_come_from_files_and_are_listed_shown_and_exported(turnkey: Run, shops: Callable[..., Shop]) -> None:
    shop = shops([])
    Path("契約.md").write_bytes("# 契約\r\n甲：{{借主}}\r\n".encode())
    manifest = {
        **shop.manifest,
        "documents": [{"path": "契約.md", "template": True}, {"name": "rules", "text": "${X}\n"}],
    }
    Path("tenant.yaml").write_text(yaml.safe_dump(manifest, allow_unicode=True).replace("${", "$${"))
    assert "documents.rules" in turnkey("apply", "tenant.yaml")
    assert turnkey("documents", shop.tenant).splitlines() == [
        "rules: version 1, text/markdown, shared",
        "契約: version 1, text/markdown, shared",
    ]
    history = turnkey("documents", shop.tenant, "契約.md").splitlines()
    assert len(history) == 2
    assert "manifest" in history[1]
    assert turnkey("documents", shop.tenant, "契約", "--version", "1") == "# 契約\r\n甲：{{借主}}\r\n\n"
    assert "there is no document 'x'" in turnkey("documents", shop.tenant, "x", status=1)
    Path("exported.yaml").write_text(turnkey("export", shop.tenant))
    assert "already so" in turnkey("apply", "exported.yaml")
