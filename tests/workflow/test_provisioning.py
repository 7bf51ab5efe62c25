"""Onboarding through the provision function, with the real MCP server."""

from copy import deepcopy

from tests.support.shop import Shop


def test_applying_reports_what_each_server_offers(shop: Shop) -> None:
    (server,) = shop.apply()["servers"]
    assert server["tools"] == ["search_books", "get_book", "check_stock", "hold_for_pickup"]
    assert server["protocol"]


def test_a_second_apply_changes_nothing_and_says_so(shop: Shop) -> None:
    report = shop.apply()
    assert report["changed"] is False
    assert {change["change"] for change in report["changes"]} == {"unchanged"}


def test_a_server_that_does_not_answer_is_named_and_nothing_is_changed(shop: Shop) -> None:
    manifest = deepcopy(shop.manifest)
    manifest["servers"].append({"name": "gone", "url": "http://127.0.0.1:9/mcp"})
    manifest["agents"][0]["instructions"] = "Changed."
    report = shop.apply(manifest)
    assert [error["path"] for error in report["errors"]] == ["servers[1].url"]
    assert shop.apply()["changed"] is False


def test_a_bad_manifest_gets_every_error_at_once(shop: Shop) -> None:
    manifest = deepcopy(shop.manifest)
    manifest["tenant"]["id"] = "No Good"
    manifest["connections"][0]["channel"] = "pigeon"
    del manifest["agents"][0]["instructions"]
    paths = {error["path"] for error in shop.apply(manifest)["errors"]}
    assert {"tenant.id", "agents[0].instructions"} <= paths
