"""The `turnkey` command's side of provisioning, against the real function on the one-machine stack."""

import io
import os
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from local import cli
from local.announcement import Announcement, announce
from local.stack import Stack
from tests.support.manifests import without_values
from tests.support.shop import Shop
from tests.support.signing import new_secret

pytestmark = pytest.mark.long


class Command:
    """Runs `turnkey` where the stack is announced."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *words: str, typed: str = "") -> tuple[int, str]:
        """Exit status, and all that was said."""
        self._monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        status = cli.main(words)
        said = self._capsys.readouterr()
        return status, said.out + said.err


@pytest.fixture
def turnkey(
    stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    monkeypatch.chdir(tmp_path)
    announce(Announcement(stack.api_url, stack.aws_endpoint, stack.function_name("Provision"), os.getpid()))
    return Command(monkeypatch, capsys)


def write(manifest: Any) -> str:
    Path("tenant.yaml").write_text(yaml.safe_dump(manifest))
    return "tenant.yaml"


def test_what_is_exported_is_a_file_that_can_be_applied(turnkey: Command, shop: Shop) -> None:
    manifest = {**shop.manifest, "agents": [{**shop.manifest["agents"][0], "instructions": "Say ${5}.\nBe kind.\n"}]}
    shop.apply(manifest)
    status, text = turnkey("export", shop.tenant)
    assert status == 0
    assert "instructions: |" in text
    Path("exported.yaml").write_text(text)
    status, report = turnkey("apply", "exported.yaml")
    assert (status, "already so" in report) == (0, True), report
    assert turnkey("export", shop.tenant)[1].splitlines()[1:] == text.splitlines()[1:]
    assert yaml.safe_load(text.replace("$${", "${")) == without_values(manifest)


def test_a_plan_and_what_it_becomes(turnkey: Command, shop: Shop) -> None:
    file = write({**shop.manifest, "tenant": {**shop.manifest["tenant"], "name": "Another name"}})
    status, planned = turnkey("plan", file)
    assert (status, "would change" in planned, "updated   tenant" in planned) == (0, True, True)
    assert "search_books" in planned
    assert "would change" in turnkey("plan", file)[1], "nothing was changed by the first plan"
    assert turnkey("apply", file)[0] == 0
    assert "would stay as it is" in turnkey("plan", file)[1]


def test_a_secret_is_rotated_from_standard_input_or_the_environment(
    turnkey: Command, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = new_secret()
    status, text = turnkey("rotate-secret", shop.tenant, "connections.web.secret", typed=f"{value}\n")
    assert (status, value in text) == (0, False)
    assert "accepted for a day" in text
    monkeypatch.setenv("NEW_SECRET", new_secret())
    words = ("rotate-secret", shop.tenant, "connections.web.secret", "--from-env", "NEW_SECRET", "--at-once")
    assert turnkey(*words)[0] == 0
    assert turnkey("rotate-secret", shop.tenant, "connections.web.secret", typed="")[0] == cli.USAGE
    assert turnkey("rotate-secret", shop.tenant, "connections.web.secret", "--from-env", "NOT_SET")[0] == cli.USAGE
    status, text = turnkey("rotate-secret", shop.tenant, "nothing.there", typed="x")
    assert (status, "connections.web.secret" in text) == (cli.REFUSED, True)


def test_a_tenant_is_listed_suspended_resumed_and_looked_up_in_the_log(turnkey: Command, shop: Shop) -> None:
    assert turnkey("suspend", shop.tenant, "--reason", "did not pay") == (
        0,
        f"Tenant {shop.tenant}: suspended on this machine.\n",
    )
    [line] = [line for line in turnkey("list")[1].splitlines() if line.split()[0] == shop.tenant]
    assert "suspended" in line
    assert "as it was" in turnkey("suspend", shop.tenant)[1]
    assert "resumed" in turnkey("resume", shop.tenant)[1]
    status, log = turnkey("audit", shop.tenant, "--limit", "3")
    assert status == 0
    assert "because: did not pay" in log
    assert "@" in log, "who it was on this machine"
    assert log.count("request ") == 3


def test_deleting_counts_what_went_and_what_is_left(turnkey: Command, shop: Shop) -> None:
    status, text = turnkey("delete", shop.tenant, "--yes-delete", "another")
    assert (status, "confirm" in text) == (cli.REFUSED, True)
    status, text = turnkey("delete", shop.tenant, "--yes-delete", shop.tenant, "--quiet-seconds", "0")
    assert status == 0
    assert "deleted on this machine" in text
    assert "left     0 conversations, 0 objects, 0 secrets" in text
    assert "entries of the audit log" in text
    assert turnkey("export", shop.tenant)[0] == cli.REFUSED


@pytest.mark.parametrize(
    "words",
    [("export", "nobody"), ("audit", "nobody"), ("suspend", "nobody"), ("tools", "nobody"), ("servers", "nobody")],
)
def test_a_tenant_that_there_is_not_is_named(turnkey: Command, words: tuple[str, ...]) -> None:
    status, text = turnkey(*words)
    assert status in (cli.REFUSED, cli.USAGE)
    assert "no tenant 'nobody'" in text


def test_the_schema_is_printed(turnkey: Command) -> None:
    status, text = turnkey("schema")
    assert status == 0
    assert '"$schema": "https://json-schema.org/draft/2020-12/schema"' in text
