"""From a manifest to the rows and secrets it stands for. Plain; applying them is apply.py."""

from dataclasses import dataclass

from turnkey.mcp.registration import Registration
from turnkey.store.secrets import tenant_secret_name
from turnkey.tenancy.manifest import BearerAuth, Manifest, ModelSection, ServerSection
from turnkey.tenancy.settings import Agent, Connection, ModelSettings, Tenant


@dataclass(frozen=True)
class Desired:
    """`secrets` by full name. Registrations are without their tools until the servers have been asked."""

    settings: tuple[Tenant | Agent | Connection, ...]
    registrations: tuple[Registration, ...]
    secrets: dict[str, str]


def desired(manifest: Manifest) -> Desired:
    tenant = manifest.tenant.id
    secrets: dict[str, str] = {}

    def keep(name: str, value: str) -> str:
        full = tenant_secret_name(tenant, name)
        secrets[full] = value
        return full

    def model(section: ModelSection, name: str) -> ModelSettings:
        key = section.api_key
        return ModelSettings(
            base_url=section.base_url,
            api_key_secret=keep(name, key.get_secret_value()) if key else "",
            main=section.main,
            small=section.small,
            call_format=section.call_format,
        )

    def registration(server: ServerSection) -> Registration:
        auth = server.auth
        token = (
            keep(f"server/{server.name}/token", auth.token.get_secret_value()) if isinstance(auth, BearerAuth) else ""
        )
        return Registration(name=server.name, transport=server.transport, url=server.url, token_secret=token)

    shared = model(manifest.model, "model/api-key")
    settings: list[Tenant | Agent | Connection] = [
        Tenant(id=tenant, name=manifest.tenant.name, time_zone=manifest.tenant.time_zone)
    ]
    settings += [
        Agent(
            name=agent.name,
            instructions=agent.instructions,
            model=model(agent.model, f"agent/{agent.name}/model-api-key") if agent.model else shared,
            servers=agent.servers,
            limits=agent.limits,
            **({"apology": agent.apology} if agent.apology else {}),
        )
        for agent in manifest.agents
    ]
    settings += [
        Connection(
            name=connection.name,
            channel=connection.channel,
            agent=connection.agent,
            secrets=tuple(
                keep(f"connection/{connection.name}/{field}", secret.get_secret_value())
                for field in ("secret", "previous_secret")
                if (secret := getattr(connection, field)) is not None
            ),
            reply_url=connection.reply_url,
            settle_seconds=connection.settle_seconds,
        )
        for connection in manifest.connections
    ]
    return Desired(tuple(settings), tuple(registration(server) for server in manifest.servers), secrets)
