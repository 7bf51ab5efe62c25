"""Secrets: kept for minutes by tenant, read again when refused, rotated with the previous one accepted for a day."""

from __future__ import annotations

import boto3
import pytest

from turnkey.errors import TenantMisconfigured
from turnkey.store.acting import acting_for
from turnkey.store.secrets import ACCEPTED_SECONDS, CACHE_SECONDS, RECHECK_SECONDS, SecretStore, tenant_secret_name
from turnkey.store.stores import Stores

pytestmark = pytest.mark.usefixtures("stores")


class Clock:
    def __init__(self) -> None:
        import time

        self.now = time.time()

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def secrets(stores: Stores, clock: Clock) -> SecretStore:
    return SecretStore(clock)


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    return tenant_secret_name("shop", request.node.name)


def write(name: str, value: str) -> None:
    """As another process would, behind the store's back."""
    boto3.client("secretsmanager").put_secret_value(SecretId=name, SecretString=value)


def test_a_value_is_kept_for_minutes_and_then_read_again(secrets: SecretStore, name: str, clock: Clock) -> None:
    secrets.put(name, "one")
    assert secrets.get(name) == "one"
    write(name, "two")
    clock.now += CACHE_SECONDS - 1
    assert secrets.get(name) == "one"
    clock.now += 2
    assert secrets.get(name) == "two"


def test_a_refused_value_is_read_again_at_once_and_the_new_one_kept(secrets: SecretStore, name: str) -> None:
    secrets.put(name, "one")
    assert secrets.get(name) == "one"
    write(name, "two")
    assert secrets.fresh(name) == "two"
    assert secrets.get(name) == "two"


def test_a_missing_secret_is_named_with_what_to_do(secrets: SecretStore, name: str) -> None:
    with pytest.raises(TenantMisconfigured, match=f"secret '{name}' does not exist: apply the manifest again"):
        secrets.get(name)
    assert secrets.find(name) is None
    secrets.put(name, "now")
    assert secrets.get(name) == "now"


def test_no_tenant_is_served_what_another_has_in_warm_memory(
    secrets: SecretStore, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets.put(name, "of the shop")
    with acting_for("shop"):
        assert secrets.get(name) == "of the shop"
    with acting_for("thief"), pytest.raises(TenantMisconfigured, match="another tenant's"):
        secrets.get(name)
    # Without our own check it is still Secrets Manager that is asked, with the thief's credentials.
    asked: list[str] = []
    monkeypatch.setattr("turnkey.store.secrets._check_owner", asked.append)
    with acting_for("thief"):
        secrets.get(name)
        secrets.get(name)
    assert asked == [name]


@pytest.mark.parametrize("other", ["sho", "shop2", "shop/x", "SHOP"])
def test_a_name_that_begins_like_a_tenants_is_not_that_tenants(secrets: SecretStore, name: str, other: str) -> None:
    with acting_for(other), pytest.raises(TenantMisconfigured):
        secrets.get(name)


def test_after_a_rotation_both_values_are_accepted_for_a_day_the_new_one_first(
    secrets: SecretStore, name: str, clock: Clock
) -> None:
    secrets.put(name, "old")
    assert secrets.accepted(name) == ("old",)
    secrets.rotate(name, "new")
    assert secrets.accepted(name) == ("new", "old")
    clock.now += ACCEPTED_SECONDS + 1
    assert secrets.accepted(name) == ("new",)


def test_the_day_ends_for_a_value_in_warm_memory_too(secrets: SecretStore, name: str, clock: Clock) -> None:
    secrets.put(name, "old")
    secrets.rotate(name, "new")
    clock.now += ACCEPTED_SECONDS - 10
    assert secrets.accepted(name) == ("new", "old")
    clock.now += 11
    assert secrets.accepted(name) == ("new",)


def test_a_rotation_at_once_leaves_the_new_value_alone(secrets: SecretStore, name: str) -> None:
    secrets.put(name, "leaked")
    secrets.rotate(name, "new", at_once=True)
    assert secrets.accepted(name) == ("new",)
    assert SecretStore().accepted(name) == ("new",)


def test_values_before_the_previous_one_are_not_accepted(secrets: SecretStore, name: str) -> None:
    for value in ("one", "two", "three"):
        secrets.put(name, value)
    assert secrets.accepted(name) == ("three", "two")


def test_rotating_what_is_not_there_says_so(secrets: SecretStore, name: str) -> None:
    with pytest.raises(TenantMisconfigured, match="does not exist"):
        secrets.rotate(name, "value")


def test_several_secrets_are_accepted_in_order_and_each_value_once(secrets: SecretStore, name: str) -> None:
    secrets.put(f"{name}-a", "one")
    secrets.put(f"{name}-b", "two")
    secrets.rotate(f"{name}-a", "two")
    assert secrets.accepted(f"{name}-a", f"{name}-b") == ("two", "one")


def test_looking_again_is_limited_to_once_a_minute(secrets: SecretStore, name: str, clock: Clock) -> None:
    secrets.put(name, "old")
    assert secrets.accepted(name) == ("old",)
    write(name, "new")
    assert secrets.accepted(name, at_most=RECHECK_SECONDS) == ("old",)
    clock.now += RECHECK_SECONDS
    assert secrets.accepted(name, at_most=RECHECK_SECONDS) == ("new", "old")


def test_deleted_is_deleted_and_listed_no_more(secrets: SecretStore, name: str) -> None:
    secrets.put(f"{name}/a", "x")
    secrets.put(f"{name}/b", "x")
    secrets.put(f"{name}2/c", "x")
    assert secrets.names(f"{name}/") == (f"{name}/a", f"{name}/b")
    assert secrets.get(f"{name}/a") == "x"
    secrets.delete(f"{name}/a")
    secrets.delete(f"{name}/a")
    assert secrets.names(f"{name}/") == (f"{name}/b",)
    with pytest.raises(TenantMisconfigured):
        secrets.get(f"{name}/a")
    secrets.put(f"{name}/a", "anew")
    assert secrets.accepted(f"{name}/a") == ("anew",)


def test_binary_is_refused_in_words(secrets: SecretStore, name: str) -> None:
    boto3.client("secretsmanager").create_secret(Name=name, SecretBinary=b"\x00\x01")
    with pytest.raises(TenantMisconfigured, match="store it as text"):
        secrets.get(name)


def test_no_representation_shows_a_value(secrets: SecretStore, name: str) -> None:
    secrets.put(name, "canary-value")
    secrets.get(name)
    assert "canary-value" not in f"{secrets!r} {vars(secrets)!r}"
