"""From a manifest to the rows and secrets it stands for. Plain; applying them is apply.py."""

import json
from dataclasses import dataclass

from pydantic import SecretStr

from turnkey.mcp.auth import Auth, BearerAuth, ClientCredentials, HeaderAuth, NoAuth
from turnkey.mcp.registration import Registration, ToolCorrection
from turnkey.store.secrets import tenant_secret_name
from turnkey.tenancy.manifest import AgentSection, ConnectionSection, Manifest, ModelSection
from turnkey.tenancy.server_section import (
    BearerAuthSection,
    ClientCredentialsSection,
    HeaderAuthSection,
    NoAuthSection,
    ServerSection,
)
from turnkey.tenancy.settings import Agent, Connection, ModelSettings, Tenant


@dataclass(frozen=True)
class Desired:
    """`secrets` by full name. Registrations are without their tools until the servers have been asked."""

    settings: tuple[Tenant | Agent | Connection, ...]
    registrations: tuple[Registration, ...]
    secrets: dict[str, str]


def desired(manifest: Manifest) -> Desired:
    """Everything that is to be, whatever there is now."""
    reading = _Reading(manifest.tenant.id)
    shared = reading.model(manifest.model, "model/api-key")
    settings = (
        Tenant(**manifest.tenant.model_dump()),
        *(reading.agent(agent, shared) for agent in manifest.agents),
        *(reading.connection(connection) for connection in manifest.connections),
    )
    registrations = tuple(reading.registration(server) for server in manifest.servers)
    return Desired(settings, registrations, reading.secrets)


class _Reading:
    """Turns sections into rows, and sets aside the secrets that they name."""

    def __init__(self, tenant: str) -> None:
        self._tenant = tenant
        self.secrets: dict[str, str] = {}

    def model(self, section: ModelSection, name: str) -> ModelSettings:
        return ModelSettings(
            base_url=section.base_url,
            api_key_secret=self._keep(name, section.api_key) if section.api_key else "",
            main=section.main,
            small=section.small,
            call_format=section.call_format,
        )

    def agent(self, section: AgentSection, shared: ModelSettings) -> Agent:
        return Agent(
            name=section.name,
            instructions=section.instructions,
            model=self.model(section.model, f"agent/{section.name}/model-api-key") if section.model else shared,
            servers=section.servers,
            limits=section.limits,
            plain=section.plain,
            **({"apology": section.apology} if section.apology else {}),
        )

    def connection(self, section: ConnectionSection) -> Connection:
        secrets = {"secret": section.secret, "previous_secret": section.previous_secret}
        return Connection(
            name=section.name,
            channel=section.channel,
            agent=section.agent,
            secrets=tuple(
                self._keep(f"connection/{section.name}/{field}", secret) for field, secret in secrets.items() if secret
            ),
            reply_url=section.reply_url,
            settle_seconds=section.settle_seconds,
            progress=section.progress,
        )

    def registration(self, section: ServerSection) -> Registration:
        return Registration(
            name=section.name,
            transport=section.transport,
            url=section.url,
            catalogue=section.catalogue,
            settings_secret=self._settings(section),
            auth=self._auth(section),
            timeouts=section.timeouts,
            allowed=section.allow,
            corrections={name: ToolCorrection(**tool.model_dump()) for name, tool in section.tools.items()},
        )

    def _settings(self, section: ServerSection) -> str:
        if not section.settings:
            return ""
        plain = {name: value.get_secret_value() for name, value in section.settings.items()}
        return self._keep(f"server/{section.name}/settings", SecretStr(json.dumps(plain, sort_keys=True)))

    def _auth(self, section: ServerSection) -> Auth:
        place, auth = f"server/{section.name}", section.auth
        match auth:
            case NoAuthSection():
                return NoAuth()
            case BearerAuthSection():
                return BearerAuth(token_secret=self._keep(f"{place}/token", auth.token))
            case HeaderAuthSection():
                kept = {name: self._keep(f"{place}/header/{name}", value) for name, value in auth.headers.items()}
                return HeaderAuth(secrets=kept)
            case ClientCredentialsSection():
                return ClientCredentials(
                    issuer=auth.issuer,
                    client_id=auth.client_id,
                    method=auth.method,
                    client_secret=self._keep(f"{place}/client-secret", auth.credential),
                    algorithm=auth.algorithm,
                    scope=auth.scope,
                    token_secret=tenant_secret_name(self._tenant, f"{place}/oauth-token"),
                )

    def _keep(self, name: str, value: SecretStr) -> str:
        """The secret's full name."""
        full = tenant_secret_name(self._tenant, name)
        self.secrets[full] = value.get_secret_value()
        return full
