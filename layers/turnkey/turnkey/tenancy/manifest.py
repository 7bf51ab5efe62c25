"""The one document that describes a tenant. Validation reports every error at once, each with its path and remedy."""

from collections.abc import Sequence
from typing import Annotated, Any
from zoneinfo import available_timezones

from pydantic import Field, SecretStr, TypeAdapter, ValidationError, field_validator

from turnkey import channels, ids
from turnkey.errors import AddressRefused
from turnkey.network import check_url
from turnkey.tenancy.server_section import AUTH_KINDS, Secret, ServerSection
from turnkey.tenancy.settings import CallFormat, Limits, Quotas
from turnkey.values import Value


class TenantSection(Value):
    id: ids.Name
    name: Annotated[str, Field(min_length=1, max_length=100)]
    time_zone: str = "UTC"
    quotas: Quotas = Quotas()

    @field_validator("time_zone")
    @classmethod
    def _known(cls, value: str) -> str:
        if value not in available_timezones():
            raise ValueError("is no IANA time zone: use one such as Europe/Berlin")
        return value


class ModelSection(Value):
    """Left out: the platform's own model."""

    base_url: str = ""
    api_key: Secret | None = None
    main: str = ""
    small: str = ""
    call_format: CallFormat | None = None


class AgentSection(Value):
    name: ids.Name
    instructions: Annotated[str, Field(min_length=1, max_length=20_000)]
    model: ModelSection | None = None
    servers: tuple[ids.Name, ...] = ()
    limits: Limits = Limits()
    plain: bool = False
    apology: Annotated[str, Field(min_length=1, max_length=1000)] | None = None


class ConnectionSection(Value):
    name: ids.Name
    channel: str
    agent: ids.Name
    secret: Secret
    previous_secret: Secret | None = Field(default=None, description="still accepted while senders change over")
    reply_url: str = ""
    settle_seconds: int = Field(default=1, ge=0, le=30)
    progress: bool = False


class Manifest(Value):
    """A tenant, whole: what is not in it is removed."""

    tenant: TenantSection
    model: ModelSection = ModelSection()
    servers: tuple[ServerSection, ...] = ()
    agents: Annotated[tuple[AgentSection, ...], Field(min_length=1)]
    connections: tuple[ConnectionSection, ...] = ()


class Problem(Value):
    """One thing wrong with a manifest: where, what, and what to do."""

    path: str
    problem: str


_MANIFEST: TypeAdapter[Manifest] = TypeAdapter(Manifest)


def parse(content: Any, *, allow_private: bool) -> Manifest | tuple[Problem, ...]:
    """The manifest, or everything that is wrong with it. No secret is repeated in a problem."""
    try:
        manifest = _MANIFEST.validate_python(content)
    except ValidationError as error:
        entries = error.errors(include_input=False, include_url=False)
        return tuple(_problem(entry) for entry in entries if not _is_echo(entry, entries))
    problems = (*_names(manifest), *_references(manifest), *_addresses(manifest, allow_private), *_channels(manifest))
    return problems or manifest


def _is_echo(entry: Any, entries: Sequence[Any]) -> bool:
    """A list counts as too short once its only entry is at fault: the entry's own problem says it all."""
    place = entry["loc"]
    return entry["type"] == "too_short" and any(
        len(other["loc"]) > len(place) and other["loc"][: len(place)] == place for other in entries
    )


def _problem(entry: Any) -> Problem:
    # A union's own tag stands in the path; nobody wrote it.
    path = _path(part for part in entry["loc"] if part not in AUTH_KINDS)
    return Problem(path=path, problem=_REMEDIES.get(entry["type"], str(entry["msg"]).removeprefix("Value error, ")))


_REMEDIES = {
    "missing": "is missing: add it",
    "extra_forbidden": "is not a known field: correct its name or remove it",
}


def _path(parts: Any) -> str:
    """Such as agents[0].limits.seconds."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts).lstrip(".") or "(document)"


def _names(manifest: Manifest) -> list[Problem]:
    problems: list[Problem] = []
    for section in ("servers", "agents", "connections"):
        seen: set[str] = set()
        for place, entry in enumerate(getattr(manifest, section)):
            if entry.name in seen:
                problem = f"{entry.name!r} is there twice: give each a name of its own"
                problems.append(Problem(path=f"{section}[{place}].name", problem=problem))
            seen.add(entry.name)
    return problems


def _references(manifest: Manifest) -> list[Problem]:
    servers = [server.name for server in manifest.servers]
    agents = [agent.name for agent in manifest.agents]
    problems = [
        _unknown(f"agents[{place}].servers[{index}]", name, servers)
        for place, agent in enumerate(manifest.agents)
        for index, name in enumerate(agent.servers)
        if name not in servers
    ]
    return problems + [
        _unknown(f"connections[{place}].agent", connection.agent, agents)
        for place, connection in enumerate(manifest.connections)
        if connection.agent not in agents
    ]


def _unknown(path: str, name: str, known: list[str]) -> Problem:
    return Problem(
        path=path, problem=f"{name!r} is not in this manifest: use one of {', '.join(known) or 'none there'}"
    )


def _addresses(manifest: Manifest, allow_private: bool) -> list[Problem]:
    addresses = [
        (f"servers[{place}].{field}", url)
        for place, server in enumerate(manifest.servers)
        for field, url in server.addresses.items()
    ]
    addresses += [
        (f"connections[{place}].reply_url", connection.reply_url)
        for place, connection in enumerate(manifest.connections)
        if connection.reply_url
    ]
    models = [("model", manifest.model)]
    models += [(f"agents[{place}].model", agent.model) for place, agent in enumerate(manifest.agents) if agent.model]
    addresses += [(f"{path}.base_url", model.base_url) for path, model in models if model.base_url]
    problems = [
        Problem(path=f"{path}.main", problem="is missing: name the model that base_url serves")
        for path, model in models
        if model.base_url and not model.main
    ]
    for path, url in addresses:
        try:
            check_url(url, allow_private=allow_private)
        except AddressRefused as error:
            problems.append(Problem(path=path, problem=str(error)))
    return problems


def _channels(manifest: Manifest) -> list[Problem]:
    problems: list[Problem] = []
    for place, connection in enumerate(manifest.connections):
        path = f"connections[{place}]"
        if connection.channel not in channels.kinds():
            known = ", ".join(channels.kinds())
            problems.append(Problem(path=f"{path}.channel", problem=f"{connection.channel!r} is none of: {known}"))
            continue
        channel = channels.find(connection.channel)
        if channel.needs_reply_url and not connection.reply_url:
            problems.append(Problem(path=f"{path}.reply_url", problem="is missing: replies are POSTed there"))
        for field in ("secret", "previous_secret"):
            secret: SecretStr | None = getattr(connection, field)
            wrong = channel.check_secret(secret.get_secret_value()) if secret else None
            if wrong:
                problems.append(Problem(path=f"{path}.{field}", problem=wrong))
    return problems
