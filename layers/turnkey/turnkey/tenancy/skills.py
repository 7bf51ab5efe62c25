"""A manifest's skills: read, held against the tools that their agents have, and told of."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from turnkey.skills.head import SkillHead
from turnkey.skills.limits import ALL_BYTES
from turnkey.skills.naming import Pair, matching
from turnkey.skills.parsing import Parsed, Wrong, parse, size_of
from turnkey.skills.skill import BODY, Skill
from turnkey.tenancy.problems import Problem, path_of, unknown
from turnkey.tenancy.sections import AgentSection, Manifest
from turnkey.tenancy.settings import Agent
from turnkey.tenancy.skill_section import SkillSection
from turnkey.tools.builtins import NAMES
from turnkey.values import Value

ByName = Mapping[str, Skill]


class SkillReport(Value):
    """What a manifest's skill came to. `tools` are those that arrive with it, each as server:tool."""

    name: str
    agents: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    files: int = 0
    warnings: tuple[str, ...] = ()


def skills_of(manifest: Manifest) -> dict[str, Skill]:
    """By name, of a manifest without problems."""
    found = (_parsed(section).skill for section in manifest.skills)
    return {skill.name: skill for skill in found if skill}


def heads(agent: AgentSection, skills: ByName) -> tuple[SkillHead, ...]:
    """What the agent's turns know of its skills."""
    return tuple(skills[name].head for name in agent.skills if name in skills)


def problems(manifest: Manifest) -> Iterator[Problem]:
    """Everything that is wrong with the skills, whatever the servers offer."""
    names: list[str] = []
    for place, section in enumerate(manifest.skills):
        parsed = _parsed(section)
        yield from (_problem(place, wrong) for wrong in parsed.wrong)
        name = parsed.skill.name if parsed.skill else ""
        if name and name in names:
            yield _problem(place, Wrong(f"{name!r} is there twice: give each a name of its own", BODY, "name"))
        names.append(name)
    size = sum(size_of(section.files) for section in manifest.skills)
    if size > ALL_BYTES:
        yield Problem(path="skills", problem=f"take {size:,} bytes, more than {ALL_BYTES:,} in all: leave files out")
    if "" not in names:
        yield from _unknown(manifest, names)


def _parsed(section: SkillSection) -> Parsed:
    if section.path:
        return Parsed(None, (Wrong("path is read by the turnkey command: give the files themselves", key="path"),))
    return parse(section.files, section.folder)


def _problem(place: int, wrong: Wrong) -> Problem:
    keys: list[int | str] = ["skills", place]
    keys += ["files", wrong.file] if wrong.file else []
    keys += [wrong.key] if wrong.key else []
    return Problem(path=path_of(keys), problem=wrong.problem)


def _unknown(manifest: Manifest, names: Sequence[str]) -> Iterator[Problem]:
    for place, agent in enumerate(manifest.agents):
        for index, name in enumerate(agent.skills):
            if name not in names:
                yield unknown(f"agents[{place}].skills[{index}]", name, names, "a skill of this manifest")
            elif name in agent.skills[:index]:
                problem = f"{name!r} is there twice: leave one out"
                yield Problem(path=f"agents[{place}].skills[{index}]", problem=problem)


def tool_problems(manifest: Manifest, skills: ByName, offered: Mapping[str, Sequence[str]]) -> Iterator[Problem]:
    """Tools in allowed-tools, and among an agent's always_shown, that none of its servers offers. `offered`: the
    servers' tools by server."""
    places = {name: place for place, name in enumerate(skills)}
    for agent in manifest.agents:
        tools = _pairs(agent.servers, offered)
        for name in agent.skills:
            yield from _strange(skills[name], places[name], tools, f"agent {agent.name!r}")
    used = {name for agent in manifest.agents for name in agent.skills}
    every = _pairs(offered, offered)
    for skill in skills.values():
        if skill.name not in used:
            yield from _strange(skill, places[skill.name], every, "this manifest")
    for place, agent in enumerate(manifest.agents):
        for index, entry in enumerate(agent.always_shown):
            if not matching(entry, _pairs(agent.servers, offered)):
                path = f"agents[{place}].always_shown[{index}]"
                yield unknown(path, entry, _names(agent.servers, offered), "a tool of the agent's servers")


def _strange(skill: Skill, place: int, tools: Sequence[Pair], whose: str) -> Iterator[Problem]:
    for entry in skill.tools:
        if entry not in NAMES and not matching(entry, tools):
            path = path_of(("skills", place, "files", BODY, "allowed-tools"))
            yield unknown(path, entry, [f"{server}:{tool}" for server, tool in tools], f"a tool that {whose} has")


def _pairs(servers: Iterable[str], offered: Mapping[str, Sequence[str]]) -> list[Pair]:
    return [(server, tool) for server in servers for tool in offered.get(server, ())]


def _names(servers: Iterable[str], offered: Mapping[str, Sequence[str]]) -> list[str]:
    return [f"{server}:{tool}" for server, tool in _pairs(servers, offered)]


def reports(
    manifest: Manifest, agents: Iterable[Agent], offered: Mapping[str, Sequence[str]]
) -> tuple[SkillReport, ...]:
    """In the order of the manifest, which has no problems."""
    having = list(agents)
    return tuple(_report(_parsed(section), having, offered) for section in manifest.skills)


def _report(parsed: Parsed, agents: Sequence[Agent], offered: Mapping[str, Sequence[str]]) -> SkillReport:
    if parsed.skill is None:
        raise ValueError("a skill with problems has no report")
    skill = parsed.skill
    own = [agent for agent in agents if any(head.name == skill.name for head in agent.skills)]
    servers = dict.fromkeys(server for agent in own for server in agent.servers)
    found = dict.fromkeys(pair for entry in skill.tools for pair in matching(entry, _pairs(servers, offered)))
    return SkillReport(
        name=skill.name,
        agents=tuple(agent.name for agent in own),
        tools=tuple(f"{server}:{tool}" for server, tool in found),
        files=len(skill.files),
        warnings=parsed.warnings,
    )
