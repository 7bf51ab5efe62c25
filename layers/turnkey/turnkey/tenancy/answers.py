"""What provisioning answers, beside reports that have a module of their own. With errors, nothing was done."""

from datetime import datetime

from turnkey.store.audit import Entry
from turnkey.tenancy.inspection import ToolReport
from turnkey.tenancy.problems import Problem
from turnkey.tenancy.server_reports import ServerStatus
from turnkey.tools import JsonObject
from turnkey.values import Value


class Errors(Value):
    errors: tuple[Problem, ...]


class Exported(Value):
    """The manifest as it was applied; applying it again changes nothing."""

    tenant: str
    manifest: JsonObject
    applied_at: datetime | None


class Listed(Value):
    """One tenant."""

    id: str
    name: str
    time_zone: str
    suspended: bool


class TenantList(Value):
    tenants: tuple[Listed, ...]


class Changed(Value):
    """A change that has no report of its own. `changed` is False where it was so already."""

    tenant: str
    changed: bool
    what: str


class AuditLog(Value):
    """The newest entry first."""

    tenant: str
    entries: tuple[Entry, ...]


class ServerList(Value):
    servers: tuple[ServerStatus, ...]


class Tools(Value):
    tools: tuple[ToolReport, ...]
