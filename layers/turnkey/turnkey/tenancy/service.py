"""Everything that the provision function does: from a request to its answer."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from turnkey.errors import TenantMisconfigured
from turnkey.store.acting import acting_for
from turnkey.store.locks import Busy
from turnkey.store.tallies import TallyStore
from turnkey.store.tenants import TenantStore
from turnkey.store.usage import UsageStore
from turnkey.telemetry import logger
from turnkey.tenancy import document, inspection
from turnkey.tenancy.answers import Errors, Listed, ServerList, TenantList, Tools
from turnkey.tenancy.apply import Provisioner
from turnkey.tenancy.changing import Changing
from turnkey.tenancy.circumstances import Circumstances
from turnkey.tenancy.contact_desk import ContactDesk
from turnkey.tenancy.desk import Desk
from turnkey.tenancy.document import ManifestUnreadable
from turnkey.tenancy.document_desk import DocumentDesk
from turnkey.tenancy.people_desk import PeopleDesk
from turnkey.tenancy.problems import Problem, Refused
from turnkey.tenancy.report import Report
from turnkey.tenancy.request import (
    ApplyRequest,
    ApproveRequest,
    AuditRequest,
    ContactsRequest,
    DeleteRequest,
    DocumentsRequest,
    EraseContactRequest,
    ExportRequest,
    GiveBackRequest,
    ListRequest,
    PeopleRequest,
    PlanRequest,
    Request,
    ResumeRequest,
    ReviewRequest,
    ReviewsRequest,
    RotateRequest,
    SchedulesRequest,
    ServersRequest,
    SuspendRequest,
    ToolsRequest,
    UsageRequest,
    read,
)
from turnkey.tenancy.reviews import ReviewDesk
from turnkey.tenancy.schedule_desk import ScheduleDesk
from turnkey.tenancy.server_reports import ServerStatus
from turnkey.tenancy.servers import ApprovalReport, ServerDesk
from turnkey.tenancy.usage_report import UsageReport, usage
from turnkey.values import Value

Handler = Callable[[Any, Circumstances], Value]


class Service:
    def __init__(
        self,
        provisioner: Provisioner,
        desk: Desk,
        servers: ServerDesk,
        contacts: ContactDesk,
        people: PeopleDesk,
        schedules: ScheduleDesk,
        documents: DocumentDesk,
        reviews: ReviewDesk,
        changing: Changing,
        tenants: TenantStore,
        tallies: TallyStore,
        used: UsageStore,
    ) -> None:
        self._provisioner = provisioner
        self._desk = desk
        self._servers = servers
        self._changing = changing
        self._tenants = tenants
        self._tallies = tallies
        self._used = used
        self._handlers: dict[type[Value], Handler] = {
            ApplyRequest: self._apply,
            PlanRequest: self._plan,
            ExportRequest: desk.export,
            ListRequest: self._list,
            RotateRequest: desk.rotate,
            SuspendRequest: desk.suspend,
            ResumeRequest: desk.suspend,
            DeleteRequest: desk.delete,
            AuditRequest: desk.audit,
            UsageRequest: self._usage,
            ToolsRequest: self._tools,
            ServersRequest: self._health,
            ApproveRequest: self._approve,
            ContactsRequest: contacts.read,
            EraseContactRequest: contacts.erase,
            PeopleRequest: people.people,
            SchedulesRequest: schedules.read,
            GiveBackRequest: people.give_back,
            DocumentsRequest: documents.read,
            ReviewsRequest: reviews.list,
            ReviewRequest: reviews.decide,
        }

    def answer(self, event: Any, circumstances: Circumstances) -> Value:
        """The answer, or everything that is wrong with the request. Raises for the platform's own faults alone."""
        request = read(event)
        if isinstance(request, tuple):
            return Errors(errors=request)
        answer = self._answer(request, circumstances)
        errors = len(answer.errors) if isinstance(answer, Errors | Report) else 0
        tenant = getattr(request, "tenant", None) or getattr(answer, "tenant", "")
        logger.info("provisioned", action=request.action, tenant=tenant, errors=errors)
        return answer

    def _answer(self, request: Request, circumstances: Circumstances) -> Value:
        try:
            return self._handlers[type(request)](request, circumstances)
        except Refused as refused:
            return Errors(errors=refused.problems)
        except Busy as busy:
            return Errors(errors=(Problem(path="tenant", problem=str(busy), error="Busy"),))
        except TenantMisconfigured as error:
            return Errors(errors=(Problem(path="tenant", problem=str(error)),))

    def _apply(self, request: ApplyRequest, circumstances: Circumstances) -> Report:
        return self._provisioner.apply(_document(request.manifest), request.actor, circumstances)

    def _plan(self, request: PlanRequest, circumstances: Circumstances) -> Report:
        return self._provisioner.plan(_document(request.manifest), circumstances)

    def _list(self, _: ListRequest, __: Circumstances) -> TenantList:
        fields = ("id", "name", "time_zone", "suspended")
        found = (tenant.model_dump(include=set(fields)) for tenant in self._tenants.all_tenants())
        return TenantList(tenants=tuple(Listed(**tenant) for tenant in found))

    def _usage(self, request: UsageRequest, _: Circumstances) -> UsageReport:
        with acting_for(request.tenant):
            return usage(self._tenants, self._used, request.tenant, request.days, datetime.now(UTC))

    def _tools(self, request: ToolsRequest, _: Circumstances) -> Tools:
        found: list[inspection.ToolReport] = []
        for tenant in self._asked(request.tenant):
            with acting_for(tenant):
                found += inspection.tools(self._tenants, self._tallies, tenant)
        return Tools(tools=tuple(found))

    def _health(self, request: ServersRequest, circumstances: Circumstances) -> ServerList:
        found: list[ServerStatus] = []
        for tenant in self._asked(request.tenant):
            found += self._servers.health(tenant, check=request.check, remaining=circumstances.remaining)
        return ServerList(servers=tuple(found))

    def _asked(self, tenant: str | None) -> tuple[str, ...]:
        """The tenant that is named, or all."""
        if tenant is None:
            return self._tenants.tenant_ids()
        with acting_for(tenant):
            self._desk.check(tenant)
        return (tenant,)

    def _approve(self, request: ApproveRequest, circumstances: Circumstances) -> ApprovalReport:
        asked = request.tools or ("all that wait",)
        with self._changing.open(request.tenant, "approve", request.actor, circumstances) as change:
            self._desk.check(request.tenant)
            change.begin(f"tool {request.server}/{tool}" for tool in asked)
            report = self._servers.approve(request.tenant, request.server, request.tools, digests=request.digests)
            change.became(f"tool {request.server}/{tool}" for tool in report.approved)
        return report


def _document(content: Any) -> Any:
    try:
        return document.read(content)
    except ManifestUnreadable as error:
        raise Refused(Problem(path="manifest", problem=str(error))) from error
