"""Every action of provisioning through the real function, with the bookshop's real MCP server."""

import json
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from tests.support.manifests import without_values
from tests.support.model_server import Answer, ModelServer
from tests.support.shop import Shop
from tests.support.signing import new_secret
from turnkey import ids

pytestmark = pytest.mark.long


def ask(shop: Shop, action: str, **fields: Any) -> dict[str, Any]:
    """The function's answer."""
    payload = json.dumps({"action": action, "actor": "tester", **fields})
    answer = shop.stack.client("lambda").invoke(FunctionName=shop.stack.function_name("Provision"), Payload=payload)
    result: dict[str, Any] = json.loads(answer["Payload"].read())
    assert "FunctionError" not in answer, result
    return result


def of(shop: Shop, action: str, **fields: Any) -> dict[str, Any]:
    """The same for the shop's tenant, and not refused."""
    answer = ask(shop, action, tenant=shop.tenant, **fields)
    assert not answer.get("errors"), answer
    return answer


def problems(answer: dict[str, Any]) -> dict[str, str]:
    return {error["path"]: error["problem"] for error in answer["errors"]}


def with_server(shop: Shop, **fields: Any) -> dict[str, Any]:
    """The shop's manifest with something said of its server."""
    manifest = deepcopy(shop.manifest)
    manifest["servers"][0] |= fields
    return manifest


def test_applying_reports_what_each_server_offers(shop: Shop) -> None:
    (server,) = shop.apply()["servers"]
    tools = {tool["name"]: tool for tool in server["tools"]}
    assert {name: (tool["kind"], tool["hints"]["read_only"], tool["state"]) for name, tool in tools.items()} == {
        "search_books": ("items", True, "approved"),
        "get_book": ("lookup", True, "approved"),
        "check_stock": ("lookup", True, "approved"),
        "hold_for_pickup": ("action", False, "approved"),
    }
    assert all(tool["model_names"] == [name] and len(tool["digest"]) == 64 for name, tool in tools.items())
    assert server["protocol"]
    assert server["transport"] == "streamable_http"
    assert server["milliseconds"] > 0


def test_a_second_apply_changes_nothing_and_says_so(shop: Shop) -> None:
    report = shop.apply()
    assert report["changed"] is False
    assert {change["change"] for change in report["changes"]} == {"unchanged"}


def test_a_server_that_does_not_answer_is_named_and_nothing_is_changed(shop: Shop) -> None:
    manifest = deepcopy(shop.manifest)
    manifest["servers"].append({"name": "gone", "url": "http://127.0.0.1:9/mcp"})
    manifest["agents"][0]["instructions"] = "Changed."
    report = shop.apply(manifest)
    [error] = report["errors"]
    assert (error["path"], error["error"], error["http_status"]) == ("servers[1].url", "Unreachable", 0)
    assert [bool(server["tools"]) for server in report["servers"]] == [True, False]
    assert shop.apply()["changed"] is False


def test_a_bad_manifest_gets_every_error_at_once(shop: Shop) -> None:
    manifest = deepcopy(shop.manifest)
    manifest["tenant"]["id"] = "No Good"
    manifest["connections"][0]["channel"] = "pigeon"
    del manifest["agents"][0]["instructions"]
    paths = {error["path"] for error in shop.apply(manifest)["errors"]}
    assert {"tenant.id", "agents[0].instructions"} <= paths


def test_a_plan_tells_what_applying_then_does(shop: Shop) -> None:
    manifest = with_server(shop, allow=["search_books"], tools={"search_books": {"title": "Find a book"}})
    planned = ask(shop, "plan", manifest=manifest)
    assert [change["what"] for change in planned["changes"] if change["change"] != "unchanged"] == ["server catalogue"]
    states = {tool["name"]: tool["state"] for tool in planned["servers"][0]["tools"]}
    assert states["search_books"] == "approved"
    assert states["hold_for_pickup"] == "not_allowed"
    assert shop.apply()["changed"] is False
    assert shop.apply(manifest)["changes"] == planned["changes"]


def test_a_test_call_shows_what_comes_back(shop: Shop) -> None:
    manifest = with_server(shop, test={"tool": "search_books", "arguments": {"query": "whales", "limit": 1}})
    report = shop.apply(manifest)
    assert not report["errors"]
    test = report["servers"][0]["test"]
    assert (test["outcome"], test["tool"]) == ("ok", "search_books")
    assert "price" in test["view"]


@pytest.mark.parametrize(
    ("test", "path", "problem"),
    [
        ({"tool": "get_book", "arguments": {"book_id": "no such book"}}, "servers[0].test", "the call failed"),
        ({"tool": "get_book", "arguments": {}}, "servers[0].test", "the call failed"),
        ({"tool": "hold_for_pickup", "arguments": {}}, "servers[0].test.tool", "only reads"),
        ({"tool": "burn_book"}, "servers[0].test.tool", "no such tool"),
    ],
)
def test_a_test_call_that_fails_changes_nothing(shop: Shop, test: dict[str, Any], path: str, problem: str) -> None:
    manifest = with_server(shop, test=test)
    manifest["agents"][0]["instructions"] = "Changed."
    report = shop.apply(manifest)
    assert problem in problems(report)[path]
    assert shop.apply()["changed"] is False


def test_what_was_exported_can_be_applied_and_changes_nothing(shop: Shop) -> None:
    exported = of(shop, "export")["manifest"]
    assert exported == without_values(shop.manifest)
    report = shop.apply(exported)
    assert (report["errors"], report["changed"]) == ([], False)
    assert shop.post("still signed with the same secret").status_code == 200


def test_a_rotated_secret_signs_and_the_old_one_still_does(shop: Shop, model: ModelServer) -> None:
    model.script([Answer("one"), Answer("two")])
    new = replace(shop, secret=new_secret())
    of(shop, "rotate_secret", name="connections.web.secret", value=new.secret)
    assert new.post("signed with the new").status_code == 200
    assert shop.post("signed with the old").status_code == 200
    assert replace(shop, secret=new_secret()).post("signed with another").status_code == 401


def test_a_suspended_tenant_is_not_served_until_it_is_resumed(shop: Shop, model: ModelServer) -> None:
    model.script([Answer("hello")])
    of(shop, "suspend", reason="did not pay")
    assert shop.post("anybody there?").status_code == 403
    assert not shop.apply()["errors"]
    assert shop.post("anybody there?").status_code == 403
    of(shop, "resume")
    assert shop.post("anybody there?").status_code == 200
    assert shop.texts(1) == ["hello"]


def test_the_audit_log_names_the_request_that_cloudtrail_knows(shop: Shop) -> None:
    of(shop, "suspend")
    of(shop, "resume")
    entries = of(shop, "audit")["entries"]
    assert [(entry["action"], entry["actor"], entry["ended"]) for entry in entries[:2]] == [
        ("resume", "tester", True),
        ("suspend", "tester", True),
    ]
    lines = [json.loads(line) for line in shop.logs("Provision") if line.startswith("{")]
    known = {line.get("function_request_id") for line in lines}
    assert {entry["request"] for entry in entries[:2]} <= known


def test_tools_servers_and_tenants_are_told_of(shop: Shop) -> None:
    assert {tool["tool"] for tool in of(shop, "tools")["tools"]} >= {"search_books"}
    [server] = of(shop, "servers")["servers"]
    assert server["health"]["status"] == "ok"
    assert shop.tenant in {tenant["id"] for tenant in ask(shop, "list")["tenants"]}
    assert "nobody" in problems(ask(shop, "tools", tenant="nobody"))["tenant"]


def test_applies_at_the_same_time_do_not_mix(shop: Shop) -> None:
    """Whoever comes second waits or is told to; what stands in the end is one manifest, whole."""
    variants: list[dict[str, Any]] = []
    for name in ("red", "green", "blue"):
        manifest = deepcopy(shop.manifest)
        manifest["tenant"]["name"] = name
        manifest["agents"] = [{**manifest["agents"][0], "instructions": name, "name": f"a{n}"} for n in range(4)]
        manifest["connections"] = [{**shop.manifest["connections"][0], "agent": "a0", "name": name}]
        variants.append(manifest)
    with ThreadPoolExecutor(3) as pool:
        reports = list(pool.map(shop.apply, variants * 2))
    assert {error["error"] for report in reports for error in report["errors"]} <= {"Busy"}
    done = [manifest for manifest, report in zip(variants * 2, reports, strict=True) if not report["errors"]]
    assert done
    left = {key for key in _settings(shop) if not key.startswith(("HEALTH#", "TOOLS#"))}
    exported = of(shop, "export")["manifest"]
    name = exported["tenant"]["name"]
    assert exported in [without_values(manifest) for manifest in done]
    expected = {f"TENANT#{shop.tenant}", "SERVER#catalogue", f"CONNECTION#{name}"}
    assert left == expected | {f"AGENT#a{n}" for n in range(4)}
    assert shop.apply(next(manifest for manifest in variants if manifest["tenant"]["name"] == name))["changed"] is False


def test_an_apply_that_is_killed_is_repaired_by_the_next(shop: Shop) -> None:
    manifest = deepcopy(shop.manifest)
    manifest["agents"] = [{**manifest["agents"][0], "name": f"a{n}"} for n in range(60)]
    manifest["connections"][0]["agent"] = "a0"
    died = [_killed_after(shop, manifest, seconds) for seconds in (0.05, 0.1, 0.2)]
    assert any(died)
    assert not shop.apply(manifest)["errors"]
    assert {key for key in _settings(shop) if key.startswith("AGENT")} == {f"AGENT#a{n}" for n in range(60)}
    assert shop.apply(manifest)["changed"] is False


def _killed_after(shop: Shop, manifest: dict[str, Any], seconds: float) -> bool:
    """Whether the process that applies the manifest died of it; the lock it left ends as with the function's time."""
    shop.kill_next("Provision", seconds)
    payload = json.dumps({"action": "apply", "manifest": manifest})
    name = shop.stack.function_name("Provision")
    answer = shop.stack.client("lambda").invoke(FunctionName=name, Payload=payload)
    end_locks(shop)
    return "FunctionError" in answer


def _settings(shop: Shop) -> list[str]:
    """Sort keys of the tenant's settings."""
    table = shop.stack.deployment.outputs["TenantsTableName"]
    items = shop.stack.client("dynamodb").query(
        TableName=table,
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": ids.tenant_key(shop.tenant)}},
    )["Items"]
    return [item["sk"]["S"] for item in items]


def end_locks(shop: Shop) -> None:
    """As if the function's time had passed."""
    key = {"pk": {"S": ids.partition(shop.tenant, ids.LOCKS)}, "sk": {"S": "PROVISION"}}
    table = shop.stack.deployment.outputs["ConversationsTableName"]
    shop.stack.client("dynamodb").delete_item(TableName=table, Key=key)
