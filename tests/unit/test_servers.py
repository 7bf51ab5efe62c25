"""What is kept of tenants' servers: nothing newer is overwritten, what was looked at is what is approved, and the round
through all of them goes on where it stopped."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError
from pydantic import ValidationError

from local.iam.authority import Authority
from local.iam.values import Access, Principal
from local.stack import TEMPLATE
from local.template import load
from turnkey.environment import required
from turnkey.errors import Permanent
from turnkey.mcp import checkup, trust
from turnkey.mcp.checkup import Answer
from turnkey.mcp.failures import Failure
from turnkey.mcp.registration import Registration, ToolDefinition, approved_as_found
from turnkey.mcp.snapshot import Snapshot
from turnkey.mcp.trust import Remembered
from turnkey.store.due import Due, DueStore
from turnkey.store.functions import AGAIN_SECONDS, RefreshRequests
from turnkey.store.servers import After, Seen, ServerStore
from turnkey.store.stores import Stores
from turnkey.tenancy import refreshing, rounds, servers
from turnkey.tenancy.refresh_request import REFRESH_REQUEST, DueRequest, ServerRequest
from turnkey.tenancy.refreshing import NEEDED_SECONDS, PATIENCE, Asked, Outcome, Refresher
from turnkey.tenancy.rounds import Round
from turnkey.tenancy.servers import ServerDesk
from turnkey.tenancy.settings import Tenant

NOW = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)


def tool(name: str, description: str = "Finds books.") -> ToolDefinition:
    return ToolDefinition(name=name, description=description, input_schema={"type": "object", "properties": {}})


def server(*tools: ToolDefinition, name: str = "crm", url: str = "https://crm.example.com/mcp") -> Registration:
    return approved_as_found(Registration(name=name, url=url, tools=tools))


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def kept(stores: Stores) -> ServerStore:
    return ServerStore(required("TURNKEY_TENANTS_TABLE"))


@pytest.fixture(autouse=True)
def _one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """moto within a process is not made for threads; that many work at once is tested on the stack."""
    for module in (rounds, servers):
        monkeypatch.setattr(module, "AT_ONCE", 1)


Answers = dict[str, tuple[ToolDefinition, ...] | Failure]


class Asking(Refresher):
    """A refresher whose servers answer what the test says; for what happens around the asking."""

    def __init__(self, stores: Stores, kept: ServerStore, clock: Clock, answers: Answers) -> None:
        super().__init__(stores.tenants, kept, stores.secrets, stores.tokens, allow_private=True, clock=clock)
        self.answers = answers
        self.asked: list[str] = []
        self.meanwhile: Callable[[], None] = lambda: None

    def _ask(self, tenant: str, registration: Registration) -> Asked:
        self.asked.append(f"{tenant}/{registration.name}")
        answer = self.answers[registration.name]
        found: Snapshot | Failure = answer if isinstance(answer, Failure) else _snapshot(registration, answer)
        self.meanwhile()
        return Asked(found, 20, self._clock())


def _snapshot(registration: Registration, tools: tuple[ToolDefinition, ...], **more: Any) -> Snapshot:
    return Snapshot(registration=registration.model_copy(update={"tools": tools}), milliseconds=20, **more)


@pytest.fixture
def asking(stores: Stores, kept: ServerStore, clock: Clock) -> Asking:
    return Asking(stores, kept, clock, {})


def onboard(stores: Stores, tenant: str, *registrations: Registration, suspended: bool = False) -> None:
    stores.tenants.put(tenant, Tenant(id=tenant, name="A shop", suspended=suspended))
    for registration in registrations:
        stores.tenants.put(tenant, registration)


def seen(kept: ServerStore, tenant: str = "shop", name: str = "crm") -> Seen:
    found = kept.find(tenant, name)
    assert found
    return found


def usable(kept: ServerStore, tenant: str = "shop", name: str = "crm") -> list[str]:
    return [tool.name for tool in seen(kept, tenant, name).registration.usable]


def after(registration: Registration, **more: Any) -> After:
    health = checkup.answered(registration, Answer(milliseconds=1), NOW)
    return After(registration, health, Remembered(name=registration.name), more.get("due_at"))


def test_what_was_changed_since_it_was_read_is_not_overwritten(stores: Stores, kept: ServerStore) -> None:
    onboard(stores, "shop", server(tool("a")))
    old = seen(kept)
    newer = server(tool("a"), tool("b"))
    stores.tenants.put("shop", newer)
    assert kept.write("shop", old, after(old.registration)) is False
    assert kept.write("shop", old, after(server(tool("c")))) is False
    assert (seen(kept).registration, seen(kept).health) == (newer, None)


def test_a_server_that_was_removed_meanwhile_is_not_brought_back(stores: Stores, kept: ServerStore) -> None:
    onboard(stores, "shop", server(tool("a")))
    old = seen(kept)
    stores.tenants.delete("shop", "SERVER#crm")
    assert kept.write("shop", old, after(server(tool("b")))) is False
    kept.put_off("shop", "crm", NOW)
    assert kept.claim("shop", "crm", NOW, NOW) is False
    assert kept.find("shop", "crm") is None
    assert list(stores.tenants.all_rows("shop")) == ["TENANT#shop"]


def test_an_unchanged_registration_keeps_its_row_and_gets_its_health(stores: Stores, kept: ServerStore) -> None:
    onboard(stores, "shop", server(tool("a")))
    first = seen(kept)
    assert kept.write("shop", first, after(first.registration, due_at=NOW))
    second = seen(kept)
    assert (second.stamp, second.due_at) == (first.stamp, int(NOW.timestamp()))
    assert second.health
    assert second.health.status == "ok"


def test_one_at_a_time_looks_at_a_server(stores: Stores, kept: ServerStore) -> None:
    onboard(stores, "shop", server(tool("a")))
    minute = timedelta(minutes=1)
    assert [kept.claim("shop", "crm", NOW, NOW + minute) for _ in range(2)] == [True, False]
    assert kept.claim("shop", "crm", NOW + 2 * minute, NOW + 3 * minute)
    found = seen(kept)
    kept.write("shop", found, after(found.registration))
    assert kept.claim("shop", "crm", NOW, NOW + minute)


def test_a_refresh_holds_what_changed_and_remembers_what_was_approved(
    stores: Stores, kept: ServerStore, asking: Asking
) -> None:
    onboard(stores, "shop", server(tool("a"), tool("b"), tool("c")))
    asking.answers["crm"] = (tool("a"), tool("b", "Other."), tool("d"))
    assert asking.refresh("shop", "crm") == "checked"
    found = seen(kept)
    assert usable(kept) == ["a"]
    assert found.health
    assert (found.health.status, found.health.held) == ("changed", ("b", "d"))
    assert found.remembered
    assert [tool.name for tool in found.remembered.tools] == ["b", "c"]
    asking.answers["crm"] = (tool("a"), tool("b"), tool("c"))
    asking.refresh("shop", "crm")
    assert usable(kept) == ["a", "b", "c"]


def test_a_server_that_fails_keeps_its_tools_and_is_due_sooner(
    stores: Stores, kept: ServerStore, asking: Asking
) -> None:
    onboard(stores, "shop", server(tool("a")))
    asking.answers["crm"] = Failure(kind="AuthFailed", message="no", http_status=401)
    asking.refresh("shop", "crm")
    found = seen(kept)
    assert usable(kept) == ["a"]
    assert found.health
    assert (found.health.status, found.health.http_status) == ("auth_failed", 401)
    assert found.due_at == int((NOW + refreshing.DUE_WHEN_ILL).timestamp())


def test_an_empty_list_is_believed_when_it_is_said_twice_or_a_call_was_told_so(
    stores: Stores, kept: ServerStore, asking: Asking
) -> None:
    onboard(stores, "shop", server(tool("a"), tool("b")))
    asking.answers["crm"] = ()
    asking.refresh("shop", "crm")
    found = seen(kept)
    assert usable(kept) == ["a", "b"]
    assert found.health
    assert (found.health.status, found.health.error) == ("degraded", "NoTools")
    asking.refresh("shop", "crm")
    assert usable(kept) == []
    asking.answers["crm"] = (tool("a"), tool("b", "Other."))
    asking.refresh("shop", "crm")
    assert usable(kept) == ["a"]
    asking.answers["crm"] = ()
    asking.refresh("shop", "crm", gone=True)
    assert usable(kept) == []


def test_an_approval_during_a_refresh_stands(stores: Stores, kept: ServerStore, asking: Asking) -> None:
    onboard(stores, "shop", server(tool("a")))
    asking.answers["crm"] = (tool("a", "Other."), tool("b"))
    asking.refresh("shop", "crm")
    desk = ServerDesk(kept, asking)
    asking.meanwhile = lambda: _approved(desk, "a")
    assert asking.refresh("shop", "crm") == "checked"
    assert usable(kept) == ["a"]


def _approved(desk: ServerDesk, *tools: str) -> None:
    assert desk.approve("shop", "crm", tools).approved == tools


@pytest.mark.parametrize(
    "applied",
    [
        server(tool("a"), url="https://other.example.com/mcp"),
        server(tool("a"), tool("newer")),
        None,
    ],
)
def test_a_refresh_never_overwrites_what_was_applied_meanwhile(
    stores: Stores, kept: ServerStore, asking: Asking, applied: Registration | None
) -> None:
    onboard(stores, "shop", server(tool("a")))
    asking.answers["crm"] = (tool("a", "Other."),)

    def apply() -> None:
        if applied:
            stores.tenants.put("shop", applied)
        else:
            stores.tenants.delete("shop", "SERVER#crm")

    asking.meanwhile = apply
    assert asking.refresh("shop", "crm") == "superseded"
    found = kept.find("shop", "crm")
    assert (found.registration if found else None) == applied
    assert not found or found.health is None


def test_what_was_just_asked_is_not_asked_again_by_those_who_are_patient(
    stores: Stores, asking: Asking, clock: Clock
) -> None:
    onboard(stores, "shop", server(tool("a")))
    asking.answers["crm"] = (tool("a"),)
    outcomes: list[Outcome] = [asking.refresh("shop", "crm", patient=True) for _ in range(3)]
    assert outcomes == ["checked", "recent", "recent"]
    clock.now += PATIENCE
    assert asking.refresh("shop", "crm", patient=True) == "checked"
    assert asking.refresh("shop", "crm") == "checked"
    assert len(asking.asked) == 3


def test_two_at_once_ask_once(stores: Stores, asking: Asking) -> None:
    onboard(stores, "shop", server(tool("a")))
    asking.answers["crm"] = (tool("a"),)
    second: list[Outcome] = []
    asking.meanwhile = lambda: second.append(asking.refresh("shop", "crm", patient=True))
    assert asking.refresh("shop", "crm", patient=True) == "checked"
    assert second == ["recent"]


def test_a_suspended_tenants_servers_are_left_alone_and_an_unknown_one_is_said(
    stores: Stores, kept: ServerStore, asking: Asking
) -> None:
    onboard(stores, "shop", server(tool("a")), suspended=True)
    assert asking.refresh("shop", "crm", patient=True) == "suspended"
    assert asking.refresh("shop", "none", patient=True) == "missing"
    assert asking.asked == []
    assert seen(kept).due_at


def test_definitions_too_large_to_keep_are_a_failure_of_the_server(
    stores: Stores, kept: ServerStore, asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    onboard(stores, "shop", server(tool("a")))
    asking.answers["crm"] = tuple(tool(f"t{number}", sha256(bytes([number])).hexdigest()) for number in range(60))
    monkeypatch.setattr("turnkey.store.registrations.MAX_ROW_BYTES", 100)
    assert asking.refresh("shop", "crm") == "checked"
    found = seen(kept)
    assert usable(kept) == ["a"]
    assert found.health
    assert (found.health.status, found.health.error) == ("unreachable", "TooLarge")


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


def test_a_refresh_without_the_tenants_credentials_is_no_refresh(
    stores: Stores, kept: ServerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is read of a tenant is read while acting for it."""
    from turnkey.store import table
    from turnkey.store.acting import tenant_acted_for

    onboard(stores, "shop", server(tool("a")))
    real = table.clients.dynamodb

    def guarded() -> Any:
        if tenant_acted_for() != "shop":
            raise Permanent("nobody is acted for")
        return real()

    monkeypatch.setattr(table.clients, "dynamodb", guarded)
    asking = Asking(stores, kept, Clock(), {"crm": (tool("a"),)})
    desk = ServerDesk(kept, asking)
    assert asking.refresh("shop", "crm", patient=True) == "checked"
    assert desk.health("shop", check=True)[0].usable == ("a",)
    assert desk.approve("shop", "crm").problems == ()


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


def test_the_trust_record_alone_decides_what_a_turn_shows(stores: Stores, kept: ServerStore, asking: Asking) -> None:
    onboard(stores, "shop", server(tool("a")))
    asking.answers["crm"] = (tool("a", "Other."),)
    asking.refresh("shop", "crm")
    [registration] = stores.tenants.registrations("shop", ("crm",))
    assert registration.usable == ()
    assert trust.held(registration)[0].name == "a"
