"""The round through the servers of all tenants, and who may ask for a refresh."""

import json
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError
from pydantic import ValidationError

from local.iam.authority import Authority
from local.iam.values import Access, Principal
from local.stack import TEMPLATE
from local.template import load
from tests.support.asking import NOW, Asking, Clock, onboard, seen, server, tool
from turnkey.environment import required
from turnkey.mcp.failures import Failure
from turnkey.store.due import Due, DueStore
from turnkey.store.functions import AGAIN_SECONDS, RefreshRequests
from turnkey.store.servers import ServerStore
from turnkey.store.stores import Stores
from turnkey.tenancy.refresh_request import REFRESH_REQUEST, DueRequest, ServerRequest
from turnkey.tenancy.refreshing import NEEDED_SECONDS
from turnkey.tenancy.rounds import Round


@pytest.fixture
def due(stores: Stores) -> DueStore:
    return DueStore(required("TURNKEY_TENANTS_TABLE"))


def ample() -> float:
    return 500.0


def test_servers_are_due_when_they_never_were_looked_at_or_not_for_hours(
    stores: Stores, kept: ServerStore, due: DueStore, asking: Asking, clock: Clock
) -> None:
    onboard(stores, "shop", server(tool("a")), server(tool("a"), name="erp"))
    asking.answers.update(crm=(tool("a"),), erp=Failure(kind="Unreachable", message="no"))
    assert {entry.server for entry in due.page(None, NOW).due} == {"crm", "erp"}
    for name in ("crm", "erp"):
        asking.refresh("shop", name)
    assert due.page(None, NOW).due == ()
    [ill] = due.page(None, NOW + timedelta(minutes=61)).due
    assert (ill.tenant, ill.server) == ("shop", "erp")
    assert len(due.page(None, NOW + timedelta(hours=6, seconds=1)).due) == 2
    stores.tenants.put("shop", seen(kept).registration)
    assert [entry.server for entry in due.page(None, NOW).due] == ["crm"]


def test_a_round_looks_at_every_tenants_servers_and_one_tenants_failure_is_its_own(
    stores: Stores, kept: ServerStore, due: DueStore, asking: Asking
) -> None:
    for number in range(5):
        onboard(stores, f"shop{number}", server(tool("a")), server(tool("a"), name="erp"))
    stores.tenants.delete("shop2", "TENANT#shop2")
    asking.answers.update(crm=(tool("a"), tool("new")), erp=Failure(kind="TimedOut", message="no"))
    report = Round(due, asking, lambda: NOW).run(ample)
    assert (report.looked_at, report.failed, report.finished) == (8, 2, True)
    assert {seen(kept, f"shop{number}").health.status for number in (0, 1, 3, 4)} == {"changed"}  # type: ignore[union-attr]
    assert Round(due, asking, lambda: NOW).run(ample).looked_at == 0


def test_a_round_goes_on_where_it_stopped(
    stores: Stores, due: DueStore, asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        onboard(stores, f"shop{number}", server(tool("a")))
    asking.answers["crm"] = (tool("a"),)
    page, budget = due.page, [NEEDED_SECONDS + 1] * 4

    def paged(start: Any, now: datetime) -> Any:
        """Pages of two servers, as a large table has."""
        found = page(None, now).model_copy(update={"following": None})
        fresh = sorted((entry for entry in found.due if not start or entry.tenant > start[0][7:]), key=_tenant)
        return found.model_copy(
            update={"due": tuple(fresh[:2]), "following": (f"TENANT#{fresh[1].tenant}", "") if fresh[2:] else None}
        )

    monkeypatch.setattr(due, "page", paged)
    first = Round(due, asking, lambda: NOW).run(lambda: budget.pop() if budget else 0)
    assert (first.looked_at, first.finished) == (2, False)
    place = due.place()
    second = Round(due, asking, lambda: NOW).run(ample)
    assert (place, second.looked_at, second.finished) == (("TENANT#shop1", ""), 4, True)
    assert due.place() is None
    assert sorted(asking.asked) == [f"shop{number}/crm" for number in range(6)]


def test_a_table_of_many_pages_is_gone_through_to_its_end(stores: Stores, due: DueStore, asking: Asking) -> None:
    """A page is at most 1 MB of what is stored, whatever of it is asked for."""
    for number in range(8):
        noise = "".join(sha256(f"{number} {block}".encode()).hexdigest() for block in range(4500))
        onboard(stores, f"shop{number}", server(tool("a", noise)))
    asking.answers["crm"] = (tool("a"),)
    assert due.page(None, NOW).following is not None
    report = Round(due, asking, lambda: NOW).run(ample)
    assert (report.looked_at, report.finished) == (8, True)


def _tenant(entry: Due) -> str:
    return entry.tenant


def test_the_longest_due_is_looked_at_first(stores: Stores, kept: ServerStore, due: DueStore, asking: Asking) -> None:
    for number, hours in enumerate((1, 3, 2)):
        onboard(stores, f"shop{number}", server(tool("a")))
        kept.put_off(f"shop{number}", "crm", NOW - timedelta(hours=hours))
    asking.answers["crm"] = (tool("a"),)
    Round(due, asking, lambda: NOW).run(ample)
    assert asking.asked == ["shop1/crm", "shop2/crm", "shop0/crm"]


def test_the_rounds_place_is_no_tenants(stores: Stores, due: DueStore) -> None:
    onboard(stores, "shop", server(tool("a")))
    due.keep_place(("TENANT#shop", "SERVER#crm"))
    assert due.place() == ("TENANT#shop", "SERVER#crm")
    assert stores.tenants.tenant_ids() == ("shop",)
    assert [entry.tenant for entry in due.page(None, NOW).due] == ["shop"]


def test_a_refresh_is_asked_for_once_in_a_while_and_a_failure_to_ask_is_nobodys_trouble() -> None:
    moment, invoked = [0.0], list[dict[str, Any]]()
    requests = RefreshRequests("refresh", lambda: moment[0])

    class Lambda:
        def invoke(self, **request: Any) -> None:
            invoked.append(request)
            if request["Payload"] == b'{"tenant": "shop", "server": "down"}':
                raise EndpointConnectionError(endpoint_url="http://aws")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("turnkey.store.platform.awslambda", Lambda)
        for name in ("crm", "crm", "down", "erp"):
            requests.ask("shop", name)
        requests.ask("other", "crm")
        moment[0] = AGAIN_SECONDS + 1
        requests.ask("shop", "crm")
        RefreshRequests("").ask("shop", "crm")
    assert [json.loads(request["Payload"])["server"] for request in invoked] == ["crm", "down", "erp", "crm", "crm"]
    assert {request["InvocationType"] for request in invoked} == {"Event"}


def test_refreshing_is_asked_by_its_schedule_and_by_turns_and_for_nothing_else() -> None:
    [schedule] = load(TEMPLATE).schedules
    assert isinstance(REFRESH_REQUEST.validate_json(schedule.input), DueRequest)
    sample = (TEMPLATE.parent / "events/refresh.json").read_text()
    assert isinstance(REFRESH_REQUEST.validate_json(sample), ServerRequest)
    for other in ({}, {"due": False}, {"tenant": "shop"}, {"tenant": "A B", "server": "crm"}, {"action": "apply"}):
        with pytest.raises(ValidationError):
            REFRESH_REQUEST.validate_python(other)


def test_turns_and_the_schedule_alone_can_have_servers_looked_at_and_a_turn_can_keep_nothing_of_it() -> None:
    deployment = load(TEMPLATE)
    authority = Authority(deployment.roles, deployment.resource_policies)
    roles = {role.logical_id: Principal(role.arn, {"tenant": "shop"}) for role in deployment.roles}
    invoking = Access("lambda:InvokeFunction", deployment.function("Refresh").arn)
    callers = {name for name, role in roles.items() if authority.decide(role, [invoking]).allowed}
    assert callers == {"ToolLoopFunctionRole", "RefreshFunctionDueRole"}
    table = deployment.outputs["TenantsTableName"]
    writing = Access(
        "dynamodb:PutItem",
        f"arn:aws:dynamodb:us-east-1:123456789012:table/{table}",
        {"dynamodb:leadingkeys": ("TENANT#shop",)},
    )
    writers = {name for name, role in roles.items() if authority.decide(role, [writing]).allowed}
    assert writers == {"ProvisionTenantRole", "RefreshTenantRole"}
