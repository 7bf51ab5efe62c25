"""What the provision function is asked. `actor` is whom the caller says he is, for the audit log."""

from typing import Annotated, Any, Literal

from pydantic import Field, SecretStr, TypeAdapter, ValidationError, model_validator

from turnkey import ids
from turnkey.people.handover import NOTE_CHARACTERS
from turnkey.public.review import ANSWER_CHARACTERS
from turnkey.store.usage import USAGE_DAYS
from turnkey.tenancy.deletion import QUIET_SECONDS
from turnkey.tenancy.problems import Problem, path_of, remedy
from turnkey.values import Value


class _Request(Value):
    actor: str = Field(default="", max_length=500)


class _OfTenant(_Request):
    tenant: ids.Name


class ApplyRequest(_Request):
    """`manifest` is the document, or its text in YAML or JSON."""

    action: Literal["apply"]
    manifest: Any


class PlanRequest(_Request):
    """Says what applying would do, and changes nothing."""

    action: Literal["plan"]
    manifest: Any


class ExportRequest(_OfTenant):
    """The manifest as it was applied, every secret as {kept: true}."""

    action: Literal["export"]


class ListRequest(_Request):
    """All tenants."""

    action: Literal["list"]


class RotateRequest(_OfTenant):
    """Gives one secret a new value; `name` is its place in the manifest, such as connections.web.secret. `at_once`: the
    old value is not accepted for another day."""

    action: Literal["rotate_secret"]
    name: str = Field(max_length=500)
    value: SecretStr
    at_once: bool = False


class SuspendRequest(_OfTenant):
    """Has the tenant's webhooks refused. Turns that run come to their end."""

    action: Literal["suspend"]
    reason: str = Field(default="", max_length=1000)


class ResumeRequest(_OfTenant):
    """Has the tenant's webhooks taken again."""

    action: Literal["resume"]
    reason: str = Field(default="", max_length=1000)


class DeleteRequest(_OfTenant):
    """Removes everything of the tenant; called again until it is done. `confirm` repeats the tenant's id."""

    action: Literal["delete"]
    confirm: str
    quiet_seconds: float = Field(default=QUIET_SECONDS, ge=0, le=60)


class AuditRequest(_OfTenant):
    """Who changed what, the newest first."""

    action: Literal["audit"]
    limit: int = Field(default=100, ge=1, le=1000)


class UsageRequest(_OfTenant):
    """What the tenant used in the last `days` (UTC, today included), beside its quotas."""

    action: Literal["usage"]
    days: int = Field(default=7, ge=1, le=USAGE_DAYS)


class DocumentsRequest(_OfTenant):
    """The tenant's documents, and those of its conversations: all, or those of a name with their history; with
    `version` what that version says. `scope`: only the tenant's own (shared), or those of one conversation."""

    action: Literal["documents"]
    name: str = Field(default="", max_length=500)
    scope: str = Field(default="", max_length=32)
    version: int = Field(default=0, ge=0)


class ToolsRequest(_Request):
    """Without a tenant: of all."""

    action: Literal["tools"]
    tenant: ids.Name | None = None


class ServersRequest(_Request):
    """The health of the tenant's servers, or of all tenants'; with `check` they are asked now."""

    action: Literal["servers"]
    tenant: ids.Name | None = None
    check: bool = False

    @model_validator(mode="after")
    def _named(self) -> "ServersRequest":
        if self.check and self.tenant is None:
            raise ValueError("check asks the servers of one tenant: name it")
        return self


class ApproveRequest(_OfTenant):
    """Lets turns show tools that are held: all of the server, or those in `tools`. `digests` has, by tool, the hash
    that was looked at, or how it begins."""

    action: Literal["approve"]
    server: ids.Name
    tools: tuple[str, ...] = ()
    digests: dict[str, str] = {}


class ContactsRequest(_OfTenant):
    """What is kept of customers, in the order of their ids; `after` is what the answer before named as following."""

    action: Literal["contacts"]
    after: str = Field(default="", max_length=100)
    limit: int = Field(default=100, ge=1, le=150)


class EraseContactRequest(_OfTenant):
    """Erases all that is kept of a customer: of the one with that id, or of all who have, or had, that phone number
    (with its country code, or as they wrote it) or e-mail address."""

    action: Literal["erase_contact"]
    id: str = Field(default="", pattern=r"^([0-9a-f]{24})?$")
    phone: str = Field(default="", max_length=100)
    email: str = Field(default="", max_length=300)

    @property
    def by(self) -> str:
        """The field that says who is meant."""
        return "id" if self.id else "phone" if self.phone else "email"

    @model_validator(mode="after")
    def _one(self) -> "EraseContactRequest":
        if sum(bool(given) for given in (self.id, self.phone, self.email)) != 1:
            raise ValueError("say who is meant by one of id, phone and email")
        return self


class SchedulesRequest(_OfTenant):
    """The tenant's reminders and follow-ups that are to come or are held; only those that are `held` or
    overdue, or `all`."""

    action: Literal["schedules"]
    held: bool = False
    all: bool = False


class PeopleRequest(_OfTenant):
    """The tenant's conversations that people have taken over; with `returned` also those given back in the last
    month."""

    action: Literal["people"]
    returned: bool = False


class GiveBackRequest(_OfTenant):
    """Has the agent answer again. `note` goes into the conversation, for the agent to know."""

    action: Literal["give_back"]
    handover: str = Field(min_length=1, max_length=100)
    note: str = Field(default="", max_length=NOTE_CHARACTERS)


class ReviewsRequest(_OfTenant):
    """Replies that were written from public pages, the newest first."""

    action: Literal["reviews"]
    state: Literal["open", "approved", "corrected", "all"] = "open"
    limit: int = Field(default=50, ge=1, le=200)


class ReviewRequest(_OfTenant):
    """Says of one that it stands, or what is right instead; later turns go by it."""

    action: Literal["review"]
    id: str = Field(min_length=1, max_length=100)
    verdict: Literal["approve", "correct"]
    text: str = Field(default="", max_length=ANSWER_CHARACTERS)

    @model_validator(mode="after")
    def _said(self) -> "ReviewRequest":
        if (self.verdict == "correct") != bool(self.text.strip()):
            raise ValueError("give text with verdict correct, and with no other: what is right instead")
        return self


Request = (
    ApplyRequest
    | PlanRequest
    | ExportRequest
    | ListRequest
    | RotateRequest
    | SuspendRequest
    | ResumeRequest
    | DeleteRequest
    | AuditRequest
    | UsageRequest
    | DocumentsRequest
    | ToolsRequest
    | ServersRequest
    | ApproveRequest
    | ContactsRequest
    | EraseContactRequest
    | SchedulesRequest
    | PeopleRequest
    | GiveBackRequest
    | ReviewsRequest
    | ReviewRequest
)
_REQUEST: TypeAdapter[Request] = TypeAdapter(Annotated[Request, Field(discriminator="action")])


def read(event: Any) -> Request | tuple[Problem, ...]:
    """The request, or everything that is wrong with it."""
    try:
        return _REQUEST.validate_python(event)
    except ValidationError as error:
        return tuple(_problem(entry) for entry in error.errors(include_input=False, include_url=False))


def _problem(entry: Any) -> Problem:
    if entry["type"] == "union_tag_not_found":
        return Problem(path="action", problem="is missing: say what is to be done")
    # What comes first is the action, which nobody wrote there.
    path = path_of(entry["loc"][1:])
    return Problem(path="action" if entry["type"] == "union_tag_invalid" else path, problem=remedy(entry))
