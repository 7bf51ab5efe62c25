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


TOOL = {
    "name": "search.books",
    "model_names": ["search_books_1a2b3c4d"],
    "title": "Search",
    "kind": "items",
    "hints": {"read_only": True, "destructive": False, "idempotent": True},
    "confirm": False,
    "state": "approved",
    "reason": "",
    "warnings": ["its arguments are shown in short"],
    "flags": [],
    "digest": "0123456789abcdef" * 4,
}
SERVER = {
    "name": "books",
    "url": "http://b/mcp",
    "transport": "sse",
    "protocol": "2025-06-18",
    "milliseconds": 13,
    "tools": [
        TOOL,
        {
            **TOOL,
            "name": "buy",
            "model_names": ["buy"],
            "kind": "action",
            "hints": {"read_only": False},
            "confirm": True,
            "state": "changed",
            "warnings": [],
            "flags": [{"kind": "hidden_unicode", "where": "description", "what": "\u202eignore\u202c"}],
        },
        {
            **TOOL,
            "name": "list",
            "model_names": [],
            "state": "set_aside",
            "reason": "no properties",
            "warnings": [],
        },
    ],
    "warnings": ["'x' is listed more than once"],
    "error": None,
    "http_status": 0,
    "problem": "",
    "test": {"tool": "search.books", "outcome": "ok", "error": "", "view": "two\nlines", "milliseconds": 5},
}
REPORT = {
    "tenant": "shop",
    "changed": True,
    "changes": [
        {"what": "agent clerk", "change": "updated", "fields": ["limits.calls"]},
        {"what": "connection web", "change": "unchanged", "fields": []},
        {"what": "secret model.api_key", "change": "created", "fields": []},
    ],
    "servers": [SERVER],
    "errors": [],
}


def test_a_report_says_what_changed_and_what_the_servers_offer() -> None:
    assert list(report_lines(REPORT, "on this machine")) == [
        "Tenant shop: changed on this machine.",
        "  updated   agent clerk: limits.calls",
        "  created   secret model.api_key",
        "  unchanged 1",
        "  server books at http://b/mcp: 3 tools, MCP 2025-06-18 over sse, 13 ms",
        "    ! 'x' is listed more than once",
        "    search.books as search_books_1a2b3c4d items, reads           approved       0123456789ab",
        "      ! its arguments are shown in short",
        "    buy                              action, acts, asks first HELD: changed  0123456789ab",
        "      ! hidden unicode in description: <U+202E>ignore<U+202C>",
        "    list                             items, reads           set aside      0123456789ab",
        "      ! no properties",
        "    test call of search.books: ok in 5 ms: two↵lines",
    ]


def test_a_plan_says_that_nothing_was_changed() -> None:
    assert next(report_lines(REPORT, "here", planned=True)) == "Tenant shop: would change here."
    assert next(report_lines({"tenant": "shop"}, "here", planned=True)) == "Tenant shop: would stay as it is here."


def test_a_refusal_says_where_why_and_what_to_do_and_what_the_other_servers_said() -> None:
    failed = {**SERVER, "error": "ServerError", "http_status": 503, "problem": "it failed"}
    errors = [
        {"path": "servers[0].url", "problem": "it failed", "error": "ServerError", "http_status": 503},
        {"path": "a", "problem": "b"},
    ]
    assert list(report_lines({"tenant": "shop", "errors": errors, "servers": [failed]}, "here")) == [
        "Tenant shop: refused here, nothing changed.",
        "  servers[0].url: it failed [ServerError, HTTP 503]",
        "  a: b",
        "  server books at http://b/mcp: ServerError, HTTP 503 after 13 ms",
    ]
