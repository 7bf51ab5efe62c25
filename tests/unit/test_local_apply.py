"""`turnkey apply` sends the whole manifest or none of it, and says what came of it."""

from pathlib import Path

import pytest

from local import cli
from local.apply import report_lines
from local.manifest import UnusableManifest, read


def test_variables_are_filled_in_wherever_a_string_is(tmp_path: Path) -> None:
    path = tmp_path / "tenant.yaml"
    path.write_text("a: x-${ONE}-${TWO}\nb: [1, {c: '${ONE}'}]\nd: 2026-01-02\ne: $${ONE} costs $5")
    assert read(path, {"ONE": "1", "TWO": "zwei"}) == {
        "a": "x-1-zwei",
        "b": [1, {"c": "1"}],
        "d": "2026-01-02",
        "e": "${ONE} costs $5",
    }


def test_all_missing_variables_are_named_at_once(tmp_path: Path) -> None:
    path = tmp_path / "tenant.json"
    path.write_text('{"a": "${TWO}", "b": ["${ONE}", "${THREE}"]}')
    with pytest.raises(UnusableManifest, match="not set: ONE, TWO"):
        read(path, {"THREE": ""})


@pytest.mark.parametrize("text", ["- a", "a: [", ""])
def test_a_file_that_is_no_manifest_is_a_usage_error(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tenant.yaml"
    path.write_text(text)
    assert cli.main(["apply", str(path)]) == cli.USAGE
    assert str(path) in capsys.readouterr().err


def test_a_report_says_what_changed_and_what_the_servers_offer() -> None:
    report = {
        "tenant": "shop",
        "changed": True,
        "changes": [{"what": "agent clerk", "change": "created"}],
        "servers": [
            {
                "name": "books",
                "url": "http://b/mcp",
                "protocol": "2026-03-26",
                "tools": ["a", "b"],
                "set_aside": ["c"],
                "milliseconds": 13,
            }
        ],
        "errors": [],
    }
    assert list(report_lines(report, "on this machine")) == [
        "Tenant shop: changed on this machine.",
        "  created   agent clerk",
        "  server books at http://b/mcp: MCP 2026-03-26, 13 ms",
        "    2 tools: a, b",
        "    set aside: c",
    ]


def test_a_refusal_says_where_why_and_what_to_do() -> None:
    errors = [{"path": "agents[0].model", "problem": "is empty", "fix": "name a model"}, {"path": "a", "problem": "b"}]
    assert list(report_lines({"tenant": "shop", "errors": errors}, "here")) == [
        "Tenant shop: refused here, nothing changed.",
        "  agents[0].model: is empty",
        "    name a model",
        "  a: b",
    ]
