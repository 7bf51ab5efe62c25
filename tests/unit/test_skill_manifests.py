"""Skills in a manifest: checked as a whole, kept however large, given back as they were, and gone with the next one."""

import random
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.manifests import MANIFEST, without_values
from tests.support.provisioning import tool
from turnkey import ids
from turnkey.store.manifests import Applied, ManifestStore
from turnkey.store.stores import Stores
from turnkey.store.table import Table
from turnkey.store.tenants import TenantStore

pytestmark = pytest.mark.long

if TYPE_CHECKING:
    from tests.support.provisioning import Provisioning

TERMS = {"references/terms.md": "30 days."}


def skill(name: str, tools: str = "", **files: str) -> dict[str, Any]:
    allowed = f"allowed-tools: {tools}\n" if tools else ""
    return {"files": {"SKILL.md": f"---\nname: {name}\ndescription: Does {name}.\n{allowed}---\nDo {name}.", **files}}


def manifest(*skills: dict[str, Any], has: tuple[str, ...] = (), **agent: Any) -> dict[str, Any]:
    clerk = {**MANIFEST["agents"][0], "skills": list(has), **agent}
    return {**MANIFEST, "skills": list(skills), "agents": [clerk]}


def test_a_skill_is_kept_with_its_agent_knowing_its_head(provisioning: "Provisioning", stores: Stores) -> None:
    report = provisioning.applied(manifest(skill("refunds", "search", **TERMS), has=("refunds",)))
    [told] = report["skills"]
    assert told == {
        "name": "refunds",
        "agents": ["clerk"],
        "tools": ["catalogue:search"],
        "files": 1,
        "warnings": [],
    }
    [kept] = stores.tenants.skills("shop", ("refunds", "other"))
    assert (kept.body, kept.files) == ("Do refunds.", TERMS)
    [head] = stores.tenants.agent("shop", "clerk").skills
    assert (head.name, head.description, head.tools, head.has_files) == ("refunds", "Does refunds.", ("search",), True)
    assert stores.tenants.skills("other", ("refunds",)) == ()


def test_what_was_applied_comes_back_and_changes_nothing(provisioning: "Provisioning") -> None:
    wanted = manifest(skill("refunds", **TERMS), skill("returns"), has=("refunds", "returns"))
    provisioning.applied(wanted)
    exported = provisioning.ask("export", tenant="shop")["manifest"]
    assert exported == without_values(wanted)
    assert provisioning.applied(exported)["changed"] is False


def test_a_change_is_told_by_file_and_what_is_left_out_goes(provisioning: "Provisioning", stores: Stores) -> None:
    provisioning.applied(manifest(skill("refunds", **TERMS), skill("returns"), has=("refunds", "returns")))
    changed = manifest(skill("refunds", **{"references/terms.md": "60 days."}), has=("refunds",))
    planned = provisioning.ask("plan", manifest=changed)["changes"]
    told = {change["what"]: (change["change"], change["fields"]) for change in planned}
    assert told["skill refunds"] == ("updated", ["files.references/terms.md"])
    assert told["skill returns"] == ("removed", [])
    assert stores.tenants.skills("shop", ("returns",))
    assert provisioning.applied(changed)["changes"] == planned
    assert stores.tenants.skills("shop", ("returns",)) == ()


@pytest.mark.parametrize(
    ("wanted", "path", "problem"),
    [
        (manifest({"files": {}}), "skills[0]", "has no SKILL.md"),
        (manifest({}), "skills[0]", "has no SKILL.md"),
        (manifest({"path": "./skills/refunds"}), "skills[0].path", "is read by the turnkey command"),
        (manifest({"folder": "x", **skill("refunds")}), 'skills[0].files["SKILL.md"].name', "is not what the folder"),
        (manifest({"files": {"SKILL.md": 5}}), 'skills[0].files["SKILL.md"]', "valid string"),
        (manifest({"file": {}}), "skills[0].file", "is not a known field"),
        (manifest(skill("refunds", **{"../x.md": "x"})), 'skills[0].files["../x.md"]', "no path within"),
        (manifest(skill("a"), skill("a")), 'skills[1].files["SKILL.md"].name', "is there twice"),
        (manifest(skill("a"), has=("b",)), "agents[0].skills[0]", "'b' is not a skill of this manifest: use one of a"),
        (manifest(skill("a"), has=("a", "a")), "agents[0].skills[1]", "is there twice"),
        (manifest(*(skill(f"s{n}") for n in range(51))), "skills", "at most 50"),
        (
            manifest(*(skill(f"s{n}", **{"x": "x" * 250_000}) for n in range(11))),
            "skills",
            "more than 2,500,000 in all",
        ),
        (
            manifest(skill("a", "serch")),
            'skills[0].files["SKILL.md"].allowed-tools',
            "'serch' is not a tool that this manifest has: use one of catalogue:search",
        ),
        (
            manifest(skill("a", "search"), has=("a",), servers=[]),
            'skills[0].files["SKILL.md"].allowed-tools',
            "is not a tool that agent 'clerk' has",
        ),
        (manifest(skill("a"), always_shown=["serch"]), "agents[0].always_shown[0]", "use one of catalogue:search"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(
    provisioning: "Provisioning", wanted: dict[str, Any], path: str, problem: str
) -> None:
    problems = provisioning.refused("apply", manifest=wanted)
    assert problem in problems[path]


def test_every_problem_of_every_skill_is_said_at_once(provisioning: "Provisioning") -> None:
    wanted = manifest({"files": {"SKILL.md": "x"}}, skill("A"), skill("b", **{"..": "x"}), has=("c",))
    assert set(provisioning.refused("apply", manifest=wanted)) == {
        'skills[0].files["SKILL.md"]',
        'skills[1].files["SKILL.md"].name',
        'skills[2].files[".."]',
    }


def test_tools_are_held_against_what_the_agents_own_servers_offer(provisioning: "Provisioning") -> None:
    two = {**MANIFEST, "servers": [*MANIFEST["servers"], {"name": "till", "url": "https://till.example.com/mcp"}]}
    provisioning.offers["https://till.example.com/mcp"] = (tool("refund_order"), tool("refund_part"))
    wanted = {**manifest(skill("refunds", "refund_*"), has=("refunds",)), "servers": two["servers"]}
    assert "is not a tool that agent 'clerk' has" in str(provisioning.refused("apply", manifest=wanted))
    wanted["agents"] = [{**wanted["agents"][0], "servers": ["catalogue", "till"]}]
    [told] = provisioning.applied(wanted)["skills"]
    assert told["tools"] == ["till:refund_order", "till:refund_part"]


def test_a_tool_that_its_server_may_not_show_is_none(provisioning: "Provisioning") -> None:
    wanted = manifest(skill("a", "search"), has=("a",))
    servers = [{**MANIFEST["servers"][0], "allow": []}]
    assert "'search' is not a tool" in str(provisioning.refused("apply", manifest={**wanted, "servers": servers}))


def test_no_text_that_cannot_be_kept_is_taken(provisioning: "Provisioning") -> None:
    for text in ("\ud800", "\x00"):
        wanted = manifest({"files": {"SKILL.md": f"---\nname: a\ndescription: d\n---\n{text}"}})
        assert 'skills[0].files["SKILL.md"]' in provisioning.refused("apply", manifest=wanted)


def test_built_in_tools_may_be_named(provisioning: "Provisioning") -> None:
    provisioning.applied(manifest(skill("visits", "create_reminder search"), has=("visits",)))


def _noise(size: int) -> str:
    return "".join(
        random.Random(size).choices("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", k=size)
    )


def test_skills_larger_than_a_row_are_kept_whole_with_the_manifest(
    provisioning: "Provisioning", stores: Stores
) -> None:
    large = [skill(f"s{number}", **{"x.md": _noise(240_000 + number)}) for number in range(8)]
    wanted = manifest(*large, has=tuple(f"s{number}" for number in range(8)))
    provisioning.applied(wanted)
    assert provisioning.ask("export", tenant="shop")["manifest"] == without_values(wanted)
    assert provisioning.applied(wanted)["changed"] is False
    assert len(_rows()) > 2
    provisioning.applied(manifest())
    assert len(_rows()) == 1, "nothing is left of the parts"


def _rows() -> list[str]:
    from turnkey.environment import required

    table = Table(required("TURNKEY_TENANTS_TABLE"))
    return [item["sk"] for item in table.query(ids.partition("shop", ids.MANIFEST), "")]


def test_a_large_manifest_that_is_cut_off_while_it_is_written_stays_what_it_was(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    from turnkey.environment import required

    store = ManifestStore(required("TURNKEY_TENANTS_TABLE"))
    before = Applied(document={"x": _noise(900_000)})
    store.put("shop", before)
    after = Applied(document={"x": _noise(900_001)})
    real = Table.put
    left = iter(range(2))

    def put(self: Table, *arguments: Any, **named: Any) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt
        real(self, *arguments, **named)

    with monkeypatch.context() as patch:
        patch.setattr(Table, "put", put)
        with pytest.raises(KeyboardInterrupt):
            store.put("shop", after)
    assert store.find("shop") == before
    store.put("shop", after)
    assert store.find("shop") == after
    assert len(_rows()) == 3 + 1 - (len(_rows()) == 3)
    store.delete("shop")
    assert (store.find("shop"), _rows()) == (None, [])


def test_a_secret_is_still_kept_beside_skills(provisioning: "Provisioning") -> None:
    provisioning.applied(manifest(skill("a"), has=("a",)))
    report = provisioning.applied(without_values(manifest(skill("a"), skill("b"), has=("a",))))
    assert not report["errors"]


def test_the_tenant_store_reads_no_row_of_another_kind(provisioning: "Provisioning", stores: Stores) -> None:
    provisioning.applied(manifest(skill("a"), has=("a",)))
    tenants: TenantStore = stores.tenants
    assert {key.split("#")[0] for key in tenants.all_rows("shop")} >= {"SKILL", "AGENT"}
