"""Reading a manifest. Every error is reported at once, each with its path and remedy."""

from collections.abc import Iterator
from typing import Any

from pydantic import TypeAdapter, ValidationError

from turnkey import channels
from turnkey.errors import AddressRefused
from turnkey.network import check_url
from turnkey.tenancy.person_section import secret_problems
from turnkey.tenancy.problems import Problem, of_validation, unknown
from turnkey.tenancy.public_section import problems as public_problems
from turnkey.tenancy.secret_field import given
from turnkey.tenancy.sections import Manifest
from turnkey.tenancy.skills import problems as skill_problems

__all__ = ["Manifest", "Problem", "parse"]

_MANIFEST: TypeAdapter[Manifest] = TypeAdapter(Manifest)


def parse(content: Any, *, allow_private: bool) -> Manifest | tuple[Problem, ...]:
    """The manifest, or everything that is wrong with it. No secret is repeated in a problem."""
    try:
        manifest = _MANIFEST.validate_python(content)
    except ValidationError as error:
        return of_validation(error)
    problems = (*_names(manifest), *_references(manifest), *_addresses(manifest, allow_private), *_channels(manifest))
    problems += tuple(_people(manifest))
    problems += tuple(skill_problems(manifest))
    return problems or manifest


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
        unknown(f"agents[{place}].servers[{index}]", name, servers, "in this manifest")
        for place, agent in enumerate(manifest.agents)
        for index, name in enumerate(agent.servers)
        if name not in servers
    ]
    return problems + [
        unknown(f"connections[{place}].agent", connection.agent, agents, "in this manifest")
        for place, connection in enumerate(manifest.connections)
        if connection.agent not in agents
    ]


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
    addresses += [
        (f"agents[{place}].person.hook.url", agent.person.hook.url)
        for place, agent in enumerate(manifest.agents)
        if agent.person and agent.person.hook
    ]
    searched = [
        (f"agents[{place}].public_sources", agent.public_sources)
        for place, agent in enumerate(manifest.agents)
        if agent.public_sources
    ]
    addresses += [(f"{path}.url", section.url) for path, section in searched if section.url]
    models = [("model", manifest.model)]
    models += [(f"agents[{place}].model", agent.model) for place, agent in enumerate(manifest.agents) if agent.model]
    addresses += [(f"{path}.base_url", model.base_url) for path, model in models if model.base_url]
    problems = [
        Problem(path=f"{path}.main", problem="is missing: name the model that base_url serves")
        for path, model in models
        if model.base_url and not model.main
    ]
    problems += [problem for path, section in searched for problem in public_problems(path, section)]
    for path, url in addresses:
        try:
            check_url(url, allow_private=allow_private)
        except AddressRefused as error:
            problems.append(Problem(path=path, problem=str(error)))
    return problems


def _people(manifest: Manifest) -> Iterator[Problem]:
    for place, agent in enumerate(manifest.agents):
        yield from secret_problems(agent.person, f"agents[{place}].person")


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
            value = given(getattr(connection, field))
            wrong = channel.check_secret(value) if value is not None else None
            if wrong:
                problems.append(Problem(path=f"{path}.{field}", problem=wrong))
    return problems
