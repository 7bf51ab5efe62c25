"""Deleting a tenant: nothing of it is left, nothing of another goes, and turns that run are waited for."""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from tests.support.manifests import MANIFEST, changed
from tests.support.provisioning import Provisioning, breaking_after
from turnkey import ids
from turnkey.channels import InboundMessage
from turnkey.environment import required
from turnkey.errors import TenantMisconfigured
from turnkey.store import erasing
from turnkey.store.conversations import LEASE_SECONDS
from turnkey.store.objects import ObjectStore
from turnkey.store.results import ResultStore
from turnkey.store.secrets import SecretStore
from turnkey.store.stores import Stores
from turnkey.store.tenants import TenantStore
from turnkey.tenancy import deletion
from turnkey.turn.reference import TurnReference

pytestmark = pytest.mark.long

TENANTS = ("shop", "shop2", "sho")
"""Each id begins as another does."""


@pytest.fixture(autouse=True)
def _nothing_from_other_tests(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deletion, "_LOOK_AGAIN_SECONDS", 0.001)
    for name in stores.secrets.names("turnkey/tenants/"):
        stores.secrets.delete(name)


def delete(provisioning: Provisioning, tenant: str = "shop", **more: Any) -> dict[str, Any]:
    return provisioning.ask("delete", tenant=tenant, confirm=tenant, quiet_seconds=0, **more)


def converse(tenant: str, conversation: str, messages: int = 1, **state: Any) -> TurnReference:
    """A conversation's rows as they are kept, without the transactions that write them: those are slow in moto."""
    reference = TurnReference(tenant=tenant, connection="web", conversation=conversation, turn=1)
    table = required("TURNKEY_CONVERSATIONS_TABLE")
    for number in range(messages):
        _put(table, {"pk": {"S": reference.key}, "sk": {"S": f"MESSAGE#m{number}"}})
    _put(table, {"pk": {"S": reference.key}, "sk": {"S": "STATE"}, "tenant": {"S": ids.tenant_key(tenant)}, **state})
    return reference


def furnish(provisioning: Provisioning, stores: Stores, tenant: str) -> None:
    """With something of every kind that a tenant can have."""
    provisioning.applied(changed("tenant.id", tenant))
    now, table = datetime.now(UTC), required("TURNKEY_CONVERSATIONS_TABLE")
    results = ResultStore(table, ObjectStore(provisioning.bucket))
    for conversation in ("c-1", "c#2", "ü" * 250):
        reference = converse(tenant, conversation, messages=3)
        results.put(reference, "r1", "a small result", now)
    ObjectStore(provisioning.bucket).put(f"tenants/{tenant}/results/x/1/r1", b"a large result")
    for partition, row in ((ids.QUOTA, "2026-01-01"), (ids.LOCKS, "TOKEN#x"), (ids.TOOLS, "CUT#a#b")):
        _put(table, {"pk": {"S": ids.partition(tenant, partition)}, "sk": {"S": row}})


def _put(table: str, item: dict[str, Any]) -> None:
    client: Any = boto3.client("dynamodb")
    client.put_item(TableName=table, Item=item)


def everything(provisioning: Provisioning, tenant: str) -> Iterator[str]:
    """Whatever there is of the tenant, found without the platform's help."""
    dynamodb: Any = boto3.client("dynamodb")
    for table in (required("TURNKEY_TENANTS_TABLE"), required("TURNKEY_CONVERSATIONS_TABLE")):
        for item in dynamodb.scan(TableName=table)["Items"]:
            key = item["pk"]["S"]
            if key == f"TENANT#{tenant}" or key.startswith(f"TENANT#{tenant}#"):
                yield f"{key} {item['sk']['S']}"
    s3: Any = boto3.client("s3")
    for entry in s3.list_objects_v2(Bucket=provisioning.bucket, Prefix=f"tenants/{tenant}/").get("Contents", []):
        yield entry["Key"]
    secrets: Any = boto3.client("secretsmanager")
    for secret in secrets.list_secrets(MaxResults=100)["SecretList"]:
        if secret["Name"].startswith(f"turnkey/tenants/{tenant}/"):
            yield secret["Name"]


def test_nothing_is_left_of_a_tenant_but_its_audit_log(provisioning: Provisioning, stores: Stores) -> None:
    furnish(provisioning, stores, "shop")
    answer = delete(provisioning)
    assert answer["done"]
    assert set(answer["left"].values()) == {0}
    assert answer["removed"]["conversations"] == 3
    assert answer["removed"]["objects"] == 1
    assert answer["removed"]["secrets"] == 3
    assert {"tools", "quota", "locks", "settings", "manifest"} <= {kind for kind, n in answer["removed"].items() if n}
    assert [place for place in everything(provisioning, "shop") if "#AUDIT" not in place] == []
    assert answer["kept"] == {"entries of the audit log": 2}
    entries = provisioning.ask("audit", tenant="shop")["entries"]
    assert [(entry["action"], entry["ended"]) for entry in entries] == [("delete", True), ("apply", True)]
    assert "removed 3 conversations" in entries[0]["changes"]


def test_a_tenant_whose_id_begins_as_the_deleted_ones_keeps_everything(
    provisioning: Provisioning, stores: Stores
) -> None:
    for tenant in TENANTS:
        furnish(provisioning, stores, tenant)
    before = {tenant: list(everything(provisioning, tenant)) for tenant in TENANTS if tenant != "shop"}
    assert all(before.values())
    assert delete(provisioning)["done"]
    assert {tenant: list(everything(provisioning, tenant)) for tenant in before} == before


def test_a_deleted_tenant_is_no_longer_there_and_can_be_applied_anew(
    provisioning: Provisioning, stores: Stores
) -> None:
    furnish(provisioning, stores, "shop")
    delete(provisioning)
    assert "no tenant 'shop'" in provisioning.refused("delete", tenant="shop", confirm="shop")["tenant"]
    assert provisioning.ask("list")["tenants"] == []
    provisioning.applied(MANIFEST)
    assert not stores.tenants.tenant("shop").suspended


def test_deleting_needs_the_tenants_id_once_more(provisioning: Provisioning, stores: Stores) -> None:
    provisioning.applied(MANIFEST)
    for wrong in ("", "shop2", "SHOP"):
        assert list(provisioning.refused("delete", tenant="shop", confirm=wrong)) == ["confirm"]
    assert not stores.tenants.tenant("shop").suspended


def test_a_tenant_is_closed_before_anything_else(provisioning: Provisioning, stores: Stores) -> None:
    furnish(provisioning, stores, "shop")
    answer = provisioning.ask("delete", tenant="shop", confirm="shop", looks=1)
    assert not answer["done"]
    assert answer["removed"] == {}
    assert stores.tenants.tenant("shop").suspended


def test_turns_that_run_are_waited_for(provisioning: Provisioning, stores: Stores) -> None:
    furnish(provisioning, stores, "shop")
    until = int(datetime.now(UTC).timestamp()) + LEASE_SECONDS
    held = converse("shop", "held", lease_turn={"N": "1"}, lease_until={"N": str(until)})
    answer = delete(provisioning, looks=200)
    assert not answer["done"]
    assert "turns that run: 1" in answer["waiting_for"]
    assert answer["removed"]["conversations"] == 3
    assert stores.tenants.agent("shop", "clerk"), "what the turn still needs"
    assert stores.secrets.names("turnkey/tenants/shop/")
    _end_lease(held)
    answer = delete(provisioning)
    assert answer["done"]
    assert answer["removed"]["conversations"] == 4


def _end_lease(reference: TurnReference) -> None:
    """As if its turn had died long ago."""
    client: Any = boto3.client("dynamodb")
    past = int((datetime.now(UTC) - timedelta(seconds=LEASE_SECONDS)).timestamp())
    client.update_item(
        TableName=required("TURNKEY_CONVERSATIONS_TABLE"),
        Key={"pk": {"S": reference.key}, "sk": {"S": "STATE"}},
        UpdateExpression="SET lease_until = :past",
        ExpressionAttributeValues={":past": {"N": str(past)}},
    )


def test_a_tenant_that_is_being_deleted_can_only_be_deleted(provisioning: Provisioning, stores: Stores) -> None:
    furnish(provisioning, stores, "shop")
    provisioning.ask("delete", tenant="shop", confirm="shop", looks=1)
    for action, fields in {
        "apply": {"manifest": MANIFEST},
        "resume": {"tenant": "shop"},
        "rotate_secret": {"tenant": "shop", "name": "model.api_key", "value": "x"},
        "approve": {"tenant": "shop", "server": "catalogue"},
    }.items():
        assert "is being deleted" in provisioning.refused(action, **fields)["tenant"]
    assert delete(provisioning)["done"]


@pytest.mark.parametrize("owner", ["erase", "erase_objects", "_erase_conversation"])
@pytest.mark.parametrize("calls", [0, 4])
def test_a_deletion_that_died_goes_on_where_it_was(
    provisioning: Provisioning, stores: Stores, monkeypatch: pytest.MonkeyPatch, owner: str, calls: int
) -> None:
    furnish(provisioning, stores, "shop")
    with monkeypatch.context() as dying:
        dying.setattr(erasing.Eraser, owner, breaking_after(getattr(erasing.Eraser, owner), calls))
        with suppress(KeyboardInterrupt):
            delete(provisioning)
    if "shop" in [tenant["id"] for tenant in provisioning.ask("list")["tenants"]]:
        assert delete(provisioning)["done"]
    assert [place for place in everything(provisioning, "shop") if "#AUDIT" not in place] == []


def test_a_large_tenant_goes_page_by_page(
    provisioning: Provisioning, stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasing, "PAGE", 2)
    provisioning.applied(MANIFEST)
    table = required("TURNKEY_CONVERSATIONS_TABLE")
    for number in range(5):
        converse("shop", f"c-{number}")
    long = TurnReference(tenant="shop", connection="web", conversation="c-0", turn=1)
    for number in range(60):
        _put(table, {"pk": {"S": long.key}, "sk": {"S": f"TURN#{number:010d}"}})
    answer = delete(provisioning)
    assert answer["done"]
    assert answer["removed"]["conversations"] == 5
    assert answer["removed"]["rows of conversations"] == 5 * 2 + 60
    assert [place for place in everything(provisioning, "shop") if "#AUDIT" not in place] == []


def test_what_a_first_manifest_left_that_died_can_be_deleted(
    provisioning: Provisioning, stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as dying:
        dying.setattr(TenantStore, "put", breaking_after(TenantStore.put, 0))
        with pytest.raises(KeyboardInterrupt):
            provisioning.apply(MANIFEST)
    assert stores.secrets.names("turnkey/tenants/shop/")
    answer = delete(provisioning)
    assert answer["done"]
    assert answer["removed"]["secrets"] == 3
    assert [place for place in everything(provisioning, "shop") if "#AUDIT" not in place] == []


def test_a_conversation_is_found_by_its_first_message(provisioning: Provisioning, stores: Stores) -> None:
    provisioning.applied(MANIFEST)
    now = datetime.now(UTC)
    for conversation in ("c-1", "a#b#CONVERSATION#c", "\U0001f40b" * 256):
        key = ids.conversation_key("shop", "web", conversation)
        message = InboundMessage(id="m1", conversation=conversation, text="hello", sent_at=now)
        stores.conversations.accept(key, message, now)
    assert delete(provisioning)["removed"]["conversations"] == 3


def test_every_partition_that_the_layer_writes_is_one_that_deletion_knows() -> None:
    written = {
        name
        for path in Path("layers/turnkey/turnkey").rglob("*.py")
        for name in re.findall(r"ids\.partition\([^,]+, (?:ids\.)?(\w+)\)", path.read_text())
    }
    assert written - {"name", "partition"} <= {"AUDIT", "MANIFEST", *ids.PARTITIONS}
    assert {"TOOLS", "LOCKS", "MANIFEST"} <= written
    spelt = [
        path.name
        for path in Path("layers/turnkey/turnkey").rglob("*.py")
        if path.name != "ids.py" and re.search(r'tenant_key\([^)]*\)\}#|f"TENANT#\{', path.read_text())
    ]
    assert spelt == ["belongings.py"], (
        "a partition key is made in ids.py; a sort key of the tenant's row in belongings.py"
    )


@pytest.mark.usefixtures("_aws")
def test_a_secret_that_aws_is_still_deleting_is_gone() -> None:
    class Marked:
        """Secrets Manager as it answers in the moments after a deletion at once."""

        def __getattr__(self, operation: str) -> Any:
            def refuse(**_: Any) -> Any:
                raise ClientError({"Error": {"Code": "InvalidRequestException", "Message": "marked"}}, operation)

            return refuse

    store = SecretStore(client=Marked)
    assert store.find("turnkey/tenants/shop/x") is None
    store.delete("turnkey/tenants/shop/x")
    with pytest.raises(TenantMisconfigured, match="in a minute"):
        store.put("turnkey/tenants/shop/x", "value")
