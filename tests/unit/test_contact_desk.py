"""The tenant's side of contacts: page by page, erased by whatever is known of somebody, and no value in the log."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from tests.support.manifests import MANIFEST, changed
from turnkey.contacts.contact import Customer, Given
from turnkey.store.stores import Stores

if TYPE_CHECKING:
    from tests.support.provisioning import Provisioning

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


def someone(number: int) -> Customer:
    return Customer(connection="web", conversation="c", sender=f"u-{number}")


@pytest.fixture
def shop(stores: Stores, provisioning: "Provisioning") -> "Provisioning":
    """With five customers: the first has changed numbers, the second has an address."""
    provisioning.applied(MANIFEST)
    for number in range(5):
        phone = Given(value=f"+493012345{number}", written=f"030 / 12345{number}")
        stores.contacts.keep("shop", someone(number), {"phone": phone}, NOW, "a")
    stores.contacts.keep("shop", someone(0), {"phone": Given(value="+4940999")}, NOW, "b")
    stores.contacts.keep("shop", someone(1), {"email": Given(value="Ann@x.de")}, NOW, "b")
    return provisioning


def ids(shop: "Provisioning") -> set[str]:
    return {one["id"] for one in shop.ask("contacts", tenant="shop")["contacts"]}


def test_all_are_read_page_by_page_once(shop: "Provisioning") -> None:
    found: list[str] = []
    after = ""
    while True:
        page = shop.ask("contacts", tenant="shop", after=after, limit=2)
        found += [one["id"] for one in page["contacts"]]
        after = page["following"]
        if not after:
            break
    assert sorted(found) == sorted(someone(number).id for number in range(5))
    reads = [entry for entry in shop.ask("audit", tenant="shop")["entries"] if entry["action"] == "contacts"]
    assert [entry["changes"] for entry in reads] == [["contacts were read"]]


@pytest.mark.parametrize(
    ("whom", "number"),
    [
        ({"phone": "+49 30 123450"}, 0),
        ({"phone": "+4940999"}, 0),
        ({"phone": "030/123452"}, 2),
        ({"email": "ann@X.DE"}, 1),
        ({"id": someone(3).id}, 3),
    ],
)
def test_somebody_is_erased_by_what_they_have_or_had_and_the_log_names_an_id(
    shop: "Provisioning", whom: dict[str, str], number: int
) -> None:
    answer = shop.send({"action": "erase_contact", "tenant": "shop", "actor": "desk", **whom})
    assert answer["erased"] == [someone(number).id]
    assert someone(number).id not in ids(shop)
    assert len(ids(shop)) == 4
    [entry] = [one for one in shop.ask("audit", tenant="shop")["entries"] if one["action"] == "erase_contact"]
    assert (entry["changes"], entry["actor"], entry["ended"]) == ([f"contact {someone(number).id}"], "desk", True)


@pytest.mark.parametrize(
    ("whom", "path"),
    [
        ({"phone": "+4911111"}, "phone"),
        ({"email": "bob@x.de"}, "email"),
        ({"id": "0" * 24}, "id"),
        ({"id": "not an id"}, "id"),
        ({}, "(document)"),
        ({"phone": "+4940999", "email": "ann@x.de"}, "(document)"),
    ],
)
def test_who_is_not_there_is_named_and_nothing_is_erased(shop: "Provisioning", whom: dict[str, str], path: str) -> None:
    assert set(shop.refused("erase_contact", tenant="shop", **whom)) == {path}
    assert len(ids(shop)) == 5


def test_a_tenant_that_is_not_there_has_no_contacts(shop: "Provisioning") -> None:
    assert "no tenant" in shop.refused("contacts", tenant="nobody")["tenant"]
    assert "no tenant" in shop.refused("erase_contact", tenant="nobody", phone="+4940999")["tenant"]


@pytest.mark.parametrize(
    ("contacts", "path"),
    [
        ({"region": "Germany"}, "agents[0].contacts.region"),
        ({"region": "de"}, "agents[0].contacts.region"),
        ({"fields": [{"name": "phone", "description": "x"}]}, "agents[0].contacts.fields"),
        (
            {"fields": [{"name": "a", "description": "x"}, {"name": "a", "description": "y"}]},
            "agents[0].contacts.fields",
        ),
        ({"fields": [{"name": "My Field", "description": "x"}]}, "agents[0].contacts.fields[0].name"),
        ({"fields": [{"name": "a"}]}, "agents[0].contacts.fields[0].description"),
        ({"colour": "red"}, "agents[0].contacts.colour"),
        ({"consent": 5}, "agents[0].contacts.consent"),
        ({"consent": {"de": 5}}, "agents[0].contacts.consent"),
        ({"consent": {"German": "x"}}, "agents[0].contacts.consent"),
        ({"consent": "x" * 1001}, "agents[0].contacts.consent"),
    ],
)
def test_a_wrong_section_is_refused_at_its_place(
    provisioning: "Provisioning", contacts: dict[str, object], path: str
) -> None:
    manifest = changed("agents.0.contacts", contacts)
    assert list(provisioning.refused("apply", manifest=manifest)) == [path]


@pytest.mark.parametrize("consent", ["We keep it.", {"de": "Wir behalten es.", "en": "We keep it."}])
def test_a_section_is_applied_and_exported_as_it_was(provisioning: "Provisioning", consent: object) -> None:
    contacts = {
        "enabled": True,
        "region": "CH",
        "fields": [{"name": "company", "description": "Where they work"}],
        "consent": consent,
    }
    provisioning.applied(changed("agents.0.contacts", contacts))
    assert provisioning.ask("export", tenant="shop")["manifest"]["agents"][0]["contacts"] == contacts
