"""The one document that describes a tenant, section by section."""

from typing import Annotated
from zoneinfo import available_timezones

from pydantic import Field, field_validator

from turnkey import ids
from turnkey.skills.limits import SKILLS
from turnkey.tenancy.contact_section import Contacts
from turnkey.tenancy.document_section import MOST as MOST_DOCUMENTS
from turnkey.tenancy.document_section import DocumentSections
from turnkey.tenancy.person_section import PersonSection
from turnkey.tenancy.public_section import PublicSection
from turnkey.tenancy.secret_field import Secret, Token
from turnkey.tenancy.server_section import ServerSection
from turnkey.tenancy.settings import CallFormat, Limits, Quotas
from turnkey.tenancy.skill_section import SkillSection
from turnkey.values import Value


class TenantSection(Value):
    """Who the tenant is."""

    id: ids.Name = Field(description="part of every address and key of the tenant; never changes", examples=["shop"])
    name: str = Field(min_length=1, max_length=100, description="as people know it", examples=["The Reading Room"])
    time_zone: str = Field(
        default="UTC", description="by which customers' words such as today are read (IANA)", examples=["Europe/Berlin"]
    )
    quotas: Quotas = Field(default=Quotas(), description="what the tenant may use")

    @field_validator("time_zone")
    @classmethod
    def _known(cls, value: str) -> str:
        if value not in available_timezones():
            raise ValueError("is no IANA time zone: use one such as Europe/Berlin")
        return value


class ModelSection(Value):
    """An OpenAI-compatible endpoint. Left out: the platform's own."""

    base_url: str = Field(
        default="", description="where /chat/completions is; https", examples=["https://models.example.com/v1"]
    )
    api_key: Token | None = Field(default=None, description="the endpoint's key", examples=["${MODEL_API_KEY}"])
    main: str = Field(default="", description="the model that runs the turns", examples=["some-model"])
    small: str = Field(
        default="", description="the model for small calls; left out: the same", examples=["some-small-model"]
    )
    call_format: CallFormat | None = Field(
        default=None, description="how tools are shown to it; text: for models whose chat template drops them"
    )


class AgentSection(Value):
    """Instructions, models, limits and switches."""

    name: ids.Name = Field(description="your name for it, by which connections refer to it", examples=["clerk"])
    instructions: str = Field(
        min_length=1,
        max_length=20_000,
        description="what it is and how it behaves; the model reads it in every turn",
        examples=["You are the clerk of a small bookshop. Be brief."],
    )
    model: ModelSection | None = Field(default=None, description="left out: the tenant's model")
    servers: tuple[ids.Name, ...] = Field(
        default=(), description="names of the servers whose tools it has", examples=[["catalogue"]]
    )
    skills: tuple[str, ...] = Field(
        default=(), max_length=SKILLS, description="names of the skills it may load", examples=[["refunds"]]
    )
    always_shown: tuple[str, ...] = Field(
        default=(),
        max_length=100,
        description="tools that it has without a skill, though a skill names them too; others come with the skill",
        examples=[["search_books"]],
    )
    contacts: Contacts = Field(default=Contacts(), description="what is kept of customers, if they say it themselves")
    limits: Limits = Field(default=Limits(), description="what ends a turn")
    plain: bool = Field(default=False, description="true: the bare loop; nothing read, nothing checked")
    person: PersonSection | None = Field(
        default=None, description="who takes conversations over; left out: the agent hands none over"
    )
    public_sources: PublicSection | None = Field(
        default=None, description="searching public pages and reading them; left out: off"
    )
    apology: Annotated[str, Field(min_length=1, max_length=1000)] | None = Field(
        default=None, description="what a customer gets when a turn fails; left out: the platform's own words"
    )


class ConnectionSection(Value):
    """A channel account."""

    name: ids.Name = Field(description="part of the webhook's address", examples=["web"])
    channel: str = Field(description="the kind of channel", examples=["standard_webhooks"])
    agent: ids.Name = Field(description="name of the agent that answers", examples=["clerk"])
    secret: Secret = Field(description="what the channel signs with", examples=["${WEBHOOK_SECRET}"])
    previous_secret: Secret | None = Field(
        default=None, description="still accepted while senders change over", examples=["${OLD_WEBHOOK_SECRET}"]
    )
    reply_url: str = Field(
        default="", description="where replies are POSTed; https", examples=["https://shop.example.com/replies"]
    )
    settle_seconds: int = Field(
        default=1, ge=0, le=30, description="quiet time before a turn starts, so that a burst gets one answer"
    )
    progress: bool = Field(default=False, description="true: also tells what a turn is busy with")


class Manifest(Value):
    """A tenant, whole: what is not in it is removed."""

    tenant: TenantSection = Field(description="who the tenant is")
    model: ModelSection = Field(default=ModelSection(), description="the models of its agents")
    servers: tuple[ServerSection, ...] = Field(default=(), max_length=50, description="the systems that its agents use")
    skills: tuple[SkillSection, ...] = Field(
        default=(), max_length=SKILLS, description="how its agents go about a task, loaded when it comes up"
    )
    documents: DocumentSections = Field(
        default=(), max_length=MOST_DOCUMENTS, description="its own documents and templates, which every agent can read"
    )
    agents: tuple[AgentSection, ...] = Field(min_length=1, max_length=100, description="who answers")
    connections: tuple[ConnectionSection, ...] = Field(default=(), max_length=200, description="where customers write")
