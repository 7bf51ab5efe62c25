"""What a tenant is shown of its servers is what it approves, and nothing else."""

import pytest

from tests.support.asking import Asking, onboard, seen, server, tool, usable
from turnkey.mcp.trust import Remembered
from turnkey.store.servers import After, Seen, ServerStore
from turnkey.store.stores import Stores
from turnkey.tenancy.refreshing import NEEDED_SECONDS
from turnkey.tenancy.servers import ServerDesk


@pytest.fixture
def desk(stores: Stores, kept: ServerStore, asking: Asking) -> ServerDesk:
    """Of a tenant with one tool changed, one new and one as it was."""
    onboard(stores, "shop", server(tool("a"), tool("b")))
    asking.answers["crm"] = (tool("a"), tool("b", "Other."), tool("c"))
    asking.refresh("shop", "crm")
    return ServerDesk(kept, asking)


def test_what_is_held_is_shown_with_what_changed(desk: ServerDesk) -> None:
    [status] = desk.health("shop")
    changed, new = status.held
    assert (changed.tool, changed.change, new.tool, new.change) == ("b", "changed", "c", "new")
    assert [(found.before, found.after) for found in changed.differences] == [("Finds books.", "Other.")]
    assert new.differences == ()
    assert (status.usable, new.description) == (("a",), "Finds books.")


def test_one_tool_or_all_can_be_approved(desk: ServerDesk, kept: ServerStore) -> None:
    report = desk.approve("shop", "crm", ("b",))
    assert (report.approved, report.problems, usable(kept)) == (("b",), (), ["a", "b"])
    assert desk.approve("shop", "crm").approved == ("c",)
    found = seen(kept)
    assert usable(kept) == ["a", "b", "c"]
    assert found.health
    assert (found.health.status, found.health.held, found.health.problem) == ("ok", (), "")
    assert found.remembered == Remembered(name="crm")


def test_an_approval_is_refused_when_the_tool_is_no_longer_what_was_shown(
    desk: ServerDesk, asking: Asking, kept: ServerStore
) -> None:
    shown = {held.tool: held.digest for held in desk.health("shop")[0].held}
    asking.answers["crm"] = (tool("a"), tool("b", "Worse."), tool("c"))
    asking.refresh("shop", "crm")
    report = desk.approve("shop", "crm", ("b", "c"), digests=shown)
    assert (report.approved, usable(kept)) == ((), ["a"])
    assert [("'b' is no longer" in problem, shown["b"][:12] in problem) for problem in report.problems] == [
        (True, True)
    ]
    assert report.status
    assert [found.after for found in report.status.held[0].differences] == ["Worse."]
    assert desk.approve("shop", "crm", ("c",), digests={"c": shown["c"][:8]}).approved == ("c",)


def test_a_refresh_between_looking_and_writing_cannot_slip_another_tool_in(
    desk: ServerDesk, asking: Asking, kept: ServerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = kept.write

    def interrupted(tenant: str, before: Seen, then: After) -> bool:
        monkeypatch.setattr(kept, "write", write)
        asking.answers["crm"] = (tool("a"), tool("b", "Worse."), tool("c"), tool("d"))
        asking.refresh("shop", "crm")
        return write(tenant, before, then)

    monkeypatch.setattr(kept, "write", interrupted)
    report = desk.approve("shop", "crm")
    assert (report.approved, usable(kept)) == ((), ["a"])
    assert "no longer what was shown" in report.problems[0]


@pytest.mark.parametrize(
    ("tools", "digests", "word"),
    [
        (("nothing",), {}, "'nothing' is no tool"),
        (("b", "nothing"), {}, "'nothing' is no tool"),
        (("b",), {"b": "ab"}, "too short"),
        (("b",), {"c": "0" * 64}, "no longer what was shown"),
    ],
)
def test_an_approval_that_is_not_meant_approves_nothing(
    desk: ServerDesk, kept: ServerStore, tools: tuple[str, ...], digests: dict[str, str], word: str
) -> None:
    report = desk.approve("shop", "crm", tools, digests=digests)
    assert any(word in problem for problem in report.problems), report.problems
    assert usable(kept) == ["a"]


def test_approving_again_or_what_does_not_wait_changes_nothing(desk: ServerDesk, kept: ServerStore) -> None:
    before = seen(kept)
    report = desk.approve("shop", "crm", ("a",))
    assert (report.approved, report.problems) == ((), ())
    assert seen(kept) == before
    assert "has no server" in desk.approve("shop", "other").problems[0]


def test_a_tool_that_the_manifest_does_not_allow_neither_waits_nor_can_be_approved(
    stores: Stores, kept: ServerStore, asking: Asking
) -> None:
    onboard(stores, "shop", server(tool("a")).model_copy(update={"allowed": ("a",)}))
    asking.answers["crm"] = (tool("a"), tool("b"))
    desk = ServerDesk(kept, asking)
    [status] = desk.health("shop", check=True)
    assert status.health
    assert (status.health.status, status.held) == ("ok", ())
    assert "no tool that this server lists and the manifest allows" in desk.approve("shop", "crm", ("b",)).problems[0]


def test_what_is_gone_is_told_and_comes_back_only_as_it_was(
    desk: ServerDesk, asking: Asking, kept: ServerStore
) -> None:
    asking.answers["crm"] = (tool("a"),)
    [status] = desk.health("shop", check=True)
    assert status.gone == ("b",)
    asking.answers["crm"] = (tool("a"), tool("b", "Worse."))
    [status] = desk.health("shop", check=True)
    assert [(found.before, found.after) for found in status.held[0].differences] == [("Finds books.", "Worse.")]
    asking.answers["crm"] = (tool("a"), tool("b"))
    desk.refresh("shop")
    assert usable(kept) == ["a", "b"]


def test_every_server_of_a_tenant_is_asked_and_no_other_tenants(
    stores: Stores, kept: ServerStore, asking: Asking
) -> None:
    onboard(stores, "one", *(server(tool("a"), name=f"s{number}") for number in range(20)))
    onboard(stores, "two", server(tool("a"), name="s1"))
    asking.answers.update({f"s{number}": (tool("a"),) for number in range(20)})
    statuses = ServerDesk(kept, asking).health("one", check=True)
    assert sorted(asking.asked) == sorted(f"one/s{number}" for number in range(20))
    assert {status.health.status for status in statuses if status.health} == {"ok"}


def test_servers_for_which_there_is_no_time_are_not_asked(stores: Stores, kept: ServerStore, asking: Asking) -> None:
    onboard(stores, "shop", *(server(tool("a"), name=f"s{number}") for number in range(4)))
    asking.answers.update({f"s{number}": (tool("a"),) for number in range(4)})
    budget = [NEEDED_SECONDS, NEEDED_SECONDS + 1, NEEDED_SECONDS + 1]
    statuses = ServerDesk(kept, asking).health("shop", check=True, remaining=lambda: budget.pop() if budget else 0)
    assert asking.asked == ["shop/s0", "shop/s1"]
    assert [status.health is None for status in statuses] == [False, False, True, True]
