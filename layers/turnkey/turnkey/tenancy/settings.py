"""A tenant's settings as the tenants table keeps them: written by provisioning alone, read by every turn."""

from typing import Literal

from pydantic import Field

from turnkey import ids
from turnkey.documents.shared import SharedDocument
from turnkey.public.settings import PublicSources
from turnkey.skills.head import SkillHead
from turnkey.tenancy.contact_section import Contacts
from turnkey.values import Value

CallFormat = Literal["native", "text"]


class Limits(Value):
    """What ends a turn of this agent, with a reply."""

    iterations: int = Field(default=8, ge=1, le=50, description="model answers in the tool loop, over all invocations")
    calls: int = Field(default=40, ge=1, le=500, description="tool calls in one turn")
    tokens: int = Field(default=200_000, ge=1000, description="prompt and completion, over the loop's model answers")
    parallel: int = Field(default=4, ge=1, le=16, description="calls to one server at the same time")
    seconds: int = Field(default=120, ge=5, le=600, description="wall time from routing to the last tool call")
    model_seconds: int = Field(default=60, ge=1, le=170, description="one model call")
    call_seconds: int = Field(default=30, ge=1, le=120, description="one tool call")
    result_tokens: int = Field(default=2000, ge=200, le=30_000, description="estimated, what is shown of one result")
    results_tokens: int = Field(default=8000, ge=200, le=200_000, description="the same for all results of a turn")
    tools: int = Field(default=20, ge=1, le=128, description="tools shown in one turn")


class ModelSettings(Value):
    """An OpenAI-compatible endpoint. Empty fields fall back to the platform's own."""

    base_url: str = ""
    api_key_secret: str = Field(default="", description="name of the secret, never the key")
    main: str = ""
    small: str = ""
    call_format: CallFormat | None = None


class Quotas(Value):
    """What a tenant may use in a day (UTC), and at the same time."""

    turns: int = Field(default=10_000, ge=1, description="a day")
    tokens: int = Field(default=50_000_000, ge=1000, description="prompt and completion, a day")
    calls: int = Field(default=100_000, ge=1, description="tool calls a day")
    concurrent_turns: int = Field(default=50, ge=1, le=1000, description="turns that run at the same time")


class Tenant(Value):
    """Who the tenant is."""

    id: ids.Name
    name: str
    time_zone: str = "UTC"
    quotas: Quotas = Quotas()
    documents: dict[str, SharedDocument] = Field(default={}, description="its own, by name")
    suspended: bool = Field(
        default=False, description="its webhooks are refused; set by the operator, not by a manifest"
    )


class PersonHook(Value):
    """Told by a signed POST."""

    url: str
    secrets: tuple[str, ...] = Field(description="names of the secrets it is signed with, the current one first")


class PersonMail(Value):
    """Told by e-mail."""

    to: str
    sender: str


class Person(Value):
    """How the people are told who take conversations over: one of the two."""

    hook: PersonHook | None = None
    mail: PersonMail | None = None


class Agent(Value):
    """A tenant's instructions, model, limits and servers."""

    name: ids.Name
    instructions: str
    model: ModelSettings = ModelSettings()
    servers: tuple[ids.Name, ...] = ()
    skills: tuple[SkillHead, ...] = Field(default=(), description="those it may load")
    public: PublicSources | None = Field(default=None, description="None: it neither searches nor reads public pages")
    always_shown: tuple[str, ...] = Field(default=(), description="patterns of tools that need no skill to be shown")
    contacts: Contacts = Contacts()
    limits: Limits = Limits()
    plain: bool = Field(
        default=False,
        description="the bare loop: no reading of facts, no clean reply, no delivery check; to compare with",
    )
    person: Person | None = Field(default=None, description="who takes conversations over; None: nobody does")
    apology: str = "Sorry, something went wrong on our side and I could not answer. Please try again in a few minutes."


class Connection(Value):
    """A channel account of a tenant."""

    name: ids.Name
    channel: ids.Name
    agent: ids.Name
    secrets: tuple[str, ...] = Field(default=(), description="names of the signing secrets, the current one first")
    reply_url: str = ""
    settle_seconds: int = Field(default=1, ge=0, le=30, description="burst window: quiet time before a turn starts")
    progress: bool = Field(default=False, description="tell the channel while a turn works, where it can show it")
