"""A function that is made to act for one tenant reaches nothing of another through any of its stores: IAM refuses.

Whatever a store can be asked is asked of the victim, in the attacker's name and in nobody's.
"""

from collections.abc import Iterator
from dataclasses import is_dataclass
from importlib import import_module
from inspect import getmembers, isclass, isfunction
from pkgutil import iter_modules
from typing import Any

import pytest
from botocore.exceptions import ClientError

import turnkey.store
from local.stack import Stack
from tests.support.attempts import PROVISION, TURN, Attempt, Victim, results_store
from tests.support.borrowed import borrowed
from tests.support.shop import Shop, open_shop
from tests.workflow.conftest import Denials, OpenShop
from turnkey import ids
from turnkey.errors import Permanent, TenantMisconfigured
from turnkey.store import clients, platform
from turnkey.store.acting import acting_for
from turnkey.store.objects import ObjectStore
from turnkey.store.stores import Stores
from turnkey.turn.reference import TurnReference
from turnkey.values import Value

pytestmark = pytest.mark.long

# They only put a write together, or work on what was read: the attempt is in whoever sends it.
PLAIN = {
    "ConversationStore.drain_write",
    "UsageStore.work_write",
    "TallyStore.add_write",
    "Table.put_write",
    "Table.update_write",
    "Table.delete_write",
    "Registrations.writes",
    "Registrations.of_heads",
}
# With the platform's own rights (tests/unit/test_policies.py).
PLATFORMS = {"TenantStore.tenant_ids", "TenantStore.all_tenants", "SecretStore.names"}
# Nothing of a tenant's is in them: turns are started, servers are run, due ones are found, sessions are kept.
NOT_STORES = {"DueStore", "ExecutionStore", "FunctionStore", "RefreshRequests", "TenantCredentials", "TenantSessions"}


def stores() -> Iterator[type]:
    """Every class in the stores' folder that does something."""
    for module in iter_modules(turnkey.store.__path__, "turnkey.store."):
        for name, kind in getmembers(import_module(module.name), isclass):
            is_value = issubclass(kind, (Value, Exception)) or is_dataclass(kind)
            if kind.__module__ == module.name and not is_value and name[0] != "_" and name not in NOT_STORES:
                yield kind


def test_whatever_a_store_can_be_asked_is_tried() -> None:
    public = {
        f"{store.__name__}.{name}"
        for store in stores()
        for name, _ in getmembers(store, isfunction)
        if not name.startswith("_")
    }
    assert public == {*TURN, *PROVISION, *PLAIN, *PLATFORMS}


@pytest.fixture(scope="module")
def tenants(stack: Stack, bookshop: str) -> Iterator[tuple[str, Victim]]:
    """An attacker's name, and its victim."""
    with (
        open_shop(stack, "http://127.0.0.1:9/v1", []) as attacker,
        open_shop(stack, "http://127.0.0.1:9/v1", [{"name": "catalogue", "url": bookshop}]) as victim,
    ):
        stack.client("s3").put_object(Bucket="turnkey-objectsbucket", Key=Victim(victim.tenant).object, Body=b"x")
        yield attacker.tenant, Victim(victim.tenant)


def refused(attempt: Attempt, victim: Victim) -> None:
    """By IAM, or before it by the stores themselves."""
    with pytest.raises((ClientError, TenantMisconfigured)) as error:
        attempt(victim)
    if isinstance(error.value, ClientError):
        response: Any = error.value.response
        assert response["Error"]["Code"] in ("AccessDeniedException", "AccessDenied"), error.value
    else:
        assert "another tenant's" in str(error.value)


@pytest.mark.parametrize("name", TURN)
def test_a_turn_of_one_tenant_reaches_nothing_of_another(
    stack: Stack, denials: Denials, tenants: tuple[str, Victim], name: str
) -> None:
    attacker, victim = tenants
    with borrowed(stack, "ToolLoop"), acting_for(attacker):
        refused(TURN[name], victim)


@pytest.mark.parametrize("name", PROVISION)
def test_provisioning_one_tenant_reaches_nothing_of_another(
    stack: Stack, denials: Denials, tenants: tuple[str, Victim], name: str
) -> None:
    attacker, victim = tenants
    with borrowed(stack, "Provision"), acting_for(attacker):
        refused(PROVISION[name], victim)


@pytest.mark.parametrize("name", [*TURN, *PROVISION])
def test_a_run_that_acts_for_nobody_reaches_nothing_at_all(
    stack: Stack, denials: Denials, tenants: tuple[str, Victim], name: str
) -> None:
    function = "ToolLoop" if name in TURN else "Provision"
    attempt = TURN.get(name) or PROVISION[name]
    with borrowed(stack, function), pytest.raises((Permanent, ClientError)) as error:
        attempt(tenants[1])
    # A scan is the platform's own, and not these functions'.
    if isinstance(error.value, ClientError):
        assert name == "Table.scan"
    else:
        assert "acting_for" in str(error.value)


RAW: dict[str, Attempt] = {
    "a row": lambda v: clients.dynamodb().get_item(
        TableName="turnkey-ConversationsTable", Key={"pk": {"S": v.key}, "sk": {"S": "STATE"}}
    ),
    "a list of conversations": lambda v: clients.dynamodb().query(
        TableName="turnkey-ConversationsTable",
        IndexName="by-tenant",
        KeyConditionExpression="tenant = :t",
        ExpressionAttributeValues={":t": {"S": ids.tenant_key(v.tenant)}},
    ),
    "a secret": lambda v: clients.secretsmanager().get_secret_value(SecretId=v.secret),
    "a list of secrets": lambda _: clients.secretsmanager().list_secrets(),
    "an object": lambda v: clients.s3().get_object(Bucket="turnkey-objectsbucket", Key=v.object),
    "a list of objects": lambda v: clients.s3().list_objects_v2(
        Bucket="turnkey-objectsbucket", Prefix=f"tenants/{v.tenant}/"
    ),
    "another function": lambda _: clients.awslambda().invoke(FunctionName="turnkey-provision", Payload=b"{}"),
    "a row with the function's own rights": lambda v: platform.dynamodb().get_item(
        TableName="turnkey-ConversationsTable", Key={"pk": {"S": v.key}, "sk": {"S": "STATE"}}
    ),
    "a secret with the function's own rights": lambda v: platform.secretsmanager().get_secret_value(SecretId=v.secret),
    "a turn with the function's own rights": lambda v: platform.stepfunctions().start_execution(
        stateMachineArn="arn:aws:states:us-east-1:123456789012:stateMachine:turnkey-turn", name=v.tenant
    ),
}


@pytest.mark.parametrize("what", RAW)
def test_no_client_of_the_tool_loops_reaches(
    stack: Stack, denials: Denials, tenants: tuple[str, Victim], what: str
) -> None:
    """Past the stores and whatever they check themselves."""
    attacker, victim = tenants
    with borrowed(stack, "ToolLoop"), acting_for(attacker), pytest.raises(ClientError, match="AccessDenied"):
        RAW[what](victim)
    assert len(denials()) == 1


def test_the_same_stores_reach_all_that_is_their_tenants_own(
    stack: Stack, denials: Denials, tenants: tuple[str, Victim]
) -> None:
    """So that the refusals above are about the tenant, and about nothing else."""
    _, victim = tenants
    with borrowed(stack, "ToolLoop"), acting_for(victim.tenant):
        stores = Stores.from_environment()
        assert stores.tenants.entry(victim.tenant, "web")[0].id == victim.tenant
        assert stores.secrets.get(victim.secret)
        assert stores.turns.find(victim.reference) is None
        assert ObjectStore("turnkey-objectsbucket").find(victim.object) == b"x"
        assert stores.tokens.claim(victim.grant).holder
    assert denials() == []


def test_a_result_that_names_anothers_object_gives_nothing_away(
    stack: Stack, shops: OpenShop, denials: Denials, tenants: tuple[str, Victim]
) -> None:
    """As if an attacker had got a row of its own to say where a large result is kept."""
    own: Shop = shops([])
    reference = TurnReference(tenant=own.tenant, connection="web", conversation="c-1", turn=1)
    row = {"pk": {"S": reference.key}, "sk": {"S": "RESULT#0000000001#r1"}, "object": {"S": tenants[1].object}}
    stack.client("dynamodb").put_item(TableName="turnkey-ConversationsTable", Item=row)
    with borrowed(stack, "ToolLoop"), acting_for(own.tenant), pytest.raises(ClientError, match="AccessDenied"):
        results_store().find(reference, "r1")
