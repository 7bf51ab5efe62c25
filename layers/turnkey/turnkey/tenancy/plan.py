"""From a manifest to the rows and secrets it stands for. Plain; applying them is apply.py."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import SecretStr

from turnkey.mcp.auth import Auth, BearerAuth, ClientCredentials, HeaderAuth, NoAuth
from turnkey.mcp.registration import Registration, ToolCorrection
from turnkey.people.handover import SIGNED_AS
from turnkey.public.settings import PublicSources
from turnkey.skills.skill import Skill
from turnkey.store.secrets import tenant_secret_name
from turnkey.tenancy.document_section import shared_documents
from turnkey.tenancy.person_section import PersonSection
from turnkey.tenancy.problems import path_of, step
from turnkey.tenancy.secret_field import Kept, given
from turnkey.tenancy.sections import AgentSection, ConnectionSection, Manifest, ModelSection
from turnkey.tenancy.server_section import (
    BearerAuthSection,
    ClientCredentialsSection,
    HeaderAuthSection,
    NoAuthSection,
    ServerSection,
)
from turnkey.tenancy.settings import Agent, Connection, ModelSettings, Person, PersonHook, PersonMail, Tenant
from turnkey.tenancy.skills import heads, skills_of


@dataclass(frozen=True)
class SecretPart:
    """A secret of the manifest, or one field of one."""

    keys: tuple[int | str, ...]
    """Where it stands in the document."""
    alias: str
    """The same by names, such as connections.web.secret."""
    name: str
    """In full, in Secrets Manager."""
    value: str | None
    """None: the stored one stays."""
    place: str
    """Where it is sent, or what it is for: it is kept for that alone."""
    field: str = ""
    """Where one secret holds several values, as JSON."""

    @property
    def path(self) -> str:
        """Such as connections[0].secret."""
        return path_of(self.keys)

    @property
    def label(self) -> str:
        """Of the whole secret, by names."""
        return self.alias.removesuffix(step(self.field)) if self.field else self.alias


@dataclass(frozen=True)
class Desired:
    """Registrations are without their tools until the servers have been asked."""

    settings: tuple[Tenant | Agent | Connection, ...]
    registrations: tuple[Registration, ...]
    secrets: tuple[SecretPart, ...]
    skills: Mapping[str, Skill]
    """By name."""


def desired(manifest: Manifest) -> Desired:
    """Everything that is to be, whatever there is now."""
    skills = skills_of(manifest)
    reading = _Reading(manifest.tenant.id, skills)
    shared = reading.model(manifest.model, "model/api-key", _Spot(("model",), ("model",)))
    settings = (
        Tenant(**manifest.tenant.model_dump(), documents=shared_documents(manifest.documents)),
        *(reading.agent(agent, place, shared) for place, agent in enumerate(manifest.agents)),
        *(reading.connection(connection, place) for place, connection in enumerate(manifest.connections)),
    )
    registrations = tuple(reading.registration(server, place) for place, server in enumerate(manifest.servers))
    return Desired(settings, registrations, tuple(reading.secrets), skills)


@dataclass(frozen=True)
class _Spot:
    """A place in the manifest, by position and by names."""

    keys: tuple[int | str, ...]
    names: tuple[str, ...]

    def at(self, *steps: str) -> "_Spot":
        return _Spot((*self.keys, *steps), (*self.names, *steps))


class _Reading:
    """Turns sections into rows, and sets aside the secrets that they name."""

    def __init__(self, tenant: str, skills: Mapping[str, Skill]) -> None:
        self._tenant = tenant
        self._skills = skills
        self.secrets: list[SecretPart] = []

    def model(self, section: ModelSection, name: str, spot: _Spot) -> ModelSettings:
        place = _origin(section.base_url)
        return ModelSettings(
            base_url=section.base_url,
            api_key_secret=self._keep(name, section.api_key, spot.at("api_key"), place) if section.api_key else "",
            main=section.main,
            small=section.small,
            call_format=section.call_format,
        )

    def agent(self, section: AgentSection, place: int, shared: ModelSettings) -> Agent:
        here = _spot("agents", place, section.name)
        spot, own = here.at("model"), section.model
        return Agent(
            name=section.name,
            instructions=section.instructions,
            model=self.model(own, f"agent/{section.name}/model-api-key", spot) if own else shared,
            servers=section.servers,
            skills=heads(section, self._skills),
            always_shown=section.always_shown,
            contacts=section.contacts,
            limits=section.limits,
            plain=section.plain,
            public=self._public(section, here.at("public_sources")),
            person=self._person(section.person, section.name, here.at("person")) if section.person else None,
            **({"apology": section.apology} if section.apology else {}),
        )

    def _public(self, section: AgentSection, spot: _Spot) -> PublicSources | None:
        own = section.public_sources
        if own is None:
            return None
        name = f"agent/{section.name}/search-key"
        kept = self._keep(name, own.api_key, spot.at("api_key"), _origin(own.address)) if own.api_key else ""
        return PublicSources(provider=own.provider, url=own.url, api_key_secret=kept)

    def _person(self, section: PersonSection, agent: str, spot: _Spot) -> Person:
        hook, email = section.hook, section.email
        if hook is None:
            return Person(mail=PersonMail(to=email.to, sender=email.sender) if email else None)
        secrets = {"secret": hook.secret, "previous_secret": hook.previous_secret}
        names = (
            self._keep(f"agent/{agent}/person-{field}", secret, spot.at("hook", field), SIGNED_AS)
            for field, secret in secrets.items()
            if secret
        )
        return Person(hook=PersonHook(url=hook.url, secrets=tuple(names)))

    def connection(self, section: ConnectionSection, place: int) -> Connection:
        spot = _spot("connections", place, section.name)
        secrets = {"secret": section.secret, "previous_secret": section.previous_secret}
        return Connection(
            name=section.name,
            channel=section.channel,
            agent=section.agent,
            secrets=tuple(
                self._keep(f"connection/{section.name}/{field}", secret, spot.at(field), section.channel)
                for field, secret in secrets.items()
                if secret
            ),
            reply_url=section.reply_url,
            settle_seconds=section.settle_seconds,
            progress=section.progress,
        )

    def registration(self, section: ServerSection, place: int) -> Registration:
        spot = _spot("servers", place, section.name)
        return Registration(
            name=section.name,
            transport=section.transport,
            url=section.url,
            catalogue=section.catalogue,
            settings_secret=self._settings(section, spot.at("settings")),
            auth=self._auth(section, spot.at("auth")),
            timeouts=section.timeouts,
            allowed=section.allow,
            corrections={name: ToolCorrection(**tool.model_dump()) for name, tool in section.tools.items()},
        )

    def _settings(self, section: ServerSection, spot: _Spot) -> str:
        names = {
            self._keep(f"server/{section.name}/settings", value, spot.at(name), section.catalogue, field=name)
            for name, value in section.settings.items()
        }
        return next(iter(names), "")

    def _auth(self, section: ServerSection, spot: _Spot) -> Auth:
        within, auth, place = f"server/{section.name}", section.auth, _origin(section.url)
        match auth:
            case NoAuthSection():
                return NoAuth()
            case BearerAuthSection():
                return BearerAuth(token_secret=self._keep(f"{within}/token", auth.token, spot.at("token"), place))
            case HeaderAuthSection():
                kept = {
                    name: self._keep(f"{within}/header/{name}", value, spot.at("headers", name), place)
                    for name, value in auth.headers.items()
                }
                return HeaderAuth(secrets=kept)
            case ClientCredentialsSection():
                # The secret goes to the issuer, and what it brings to the server.
                return self._client(auth, within, spot, f"{auth.issuer} {place}")

    def _client(self, auth: ClientCredentialsSection, within: str, spot: _Spot, place: str) -> ClientCredentials:
        # Under names of their own: one that is kept must not be taken for the other.
        name, field, value = ("client-secret", "client_secret", auth.client_secret)
        if auth.private_key:
            name, field, value = ("private-key", "private_key", auth.private_key)
        return ClientCredentials(
            issuer=auth.issuer,
            client_id=auth.client_id,
            method=auth.method,
            client_secret=self._keep(f"{within}/{name}", value or Kept(), spot.at(field), place),
            algorithm=auth.algorithm,
            scope=auth.scope,
            token_secret=tenant_secret_name(self._tenant, f"{within}/oauth-token"),
        )

    def _keep(self, name: str, value: SecretStr | Kept, spot: _Spot, place: str, *, field: str = "") -> str:
        """The secret's full name."""
        full = tenant_secret_name(self._tenant, name)
        self.secrets.append(SecretPart(spot.keys, path_of(spot.names), full, given(value), place, field))
        return full


def _spot(section: str, place: int, name: str) -> _Spot:
    return _Spot((section, place), (section, name))


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower() if url else ""
