"""A tenant's conversations that people have taken over: which there are, and giving one back."""

from datetime import datetime
from typing import Literal

from turnkey.people.handover import By, Handover
from turnkey.store.acting import acting_for
from turnkey.store.people import PeopleStore
from turnkey.tenancy.answers import Changed
from turnkey.tenancy.changing import Changing
from turnkey.tenancy.circumstances import Circumstances
from turnkey.tenancy.desk import Desk
from turnkey.tenancy.problems import Problem, Refused
from turnkey.tenancy.request import GiveBackRequest, PeopleRequest
from turnkey.values import Value


class HandoverReport(Value):
    """One hand-over. `told_at` is empty while the person could not be told: their hook or mail is at fault."""

    handover: str
    connection: str
    conversation: str
    by: By
    state: Literal["open", "returned"]
    since: datetime
    told_at: datetime | None
    returned_at: datetime | None
    summary: str
    note: str


class PeopleList(Value):
    """The newest first."""

    tenant: str
    handovers: tuple[HandoverReport, ...]


class PeopleDesk:
    def __init__(self, people: PeopleStore, desk: Desk, changing: Changing) -> None:
        self._people = people
        self._desk = desk
        self._changing = changing

    def people(self, request: PeopleRequest, _: Circumstances) -> PeopleList:
        """Raises Refused for a tenant that there is not."""
        with acting_for(request.tenant):
            self._desk.check(request.tenant)
            found = self._people.all(request.tenant)
        kept = (handover for handover in found if handover.is_open or request.returned)
        return PeopleList(tenant=request.tenant, handovers=tuple(map(_report, kept)))

    def give_back(self, request: GiveBackRequest, circumstances: Circumstances) -> Changed:
        """Doing it again changes nothing. Raises Busy, and Refused for a hand-over that there is not."""
        tenant, handover = request.tenant, request.handover
        with self._changing.open(tenant, "give_back", request.actor, circumstances) as change:
            self._desk.check(tenant)
            found = self._people.find(tenant, handover)
            if found is None:
                problem = f"{tenant!r} has no hand-over {handover!r}: see `turnkey people {tenant}`"
                raise Refused(Problem(path="handover", problem=problem))
            change.begin((f"hand-over {handover}",))
            changed = self._people.give_back(tenant, found, request.note, circumstances.now)
        return Changed(tenant=tenant, changed=changed, what=f"hand-over {handover}")


def _report(handover: Handover) -> HandoverReport:
    return HandoverReport(
        handover=handover.id,
        state="open" if handover.is_open else "returned",
        **handover.model_dump(exclude={"id", "language", "lines", "address"}),
    )
