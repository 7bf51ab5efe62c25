"""Skills in a turn: those that are loaded, the tools that come with them, and how the model is given them. Plain."""

from collections.abc import Iterable, Sequence

from turnkey.loop.tokens import estimate, reach
from turnkey.skills.naming import Pair, own
from turnkey.skills.skill import Skill
from turnkey.tenancy.settings import Agent
from turnkey.tools import Toolset
from turnkey.tools.builtins import invoke_skill
from turnkey.turn.journal import Journal, ModelAnswer, ToolCall, answers, results
from turnkey.turn.record import TurnRecord

MOST_LOADED = 3
"""In one turn, those that it began with included."""
MOST_CARRIED = 2
"""Into the next turn: those that were loaded last."""
CARRIED_TOKENS = 10_000
"""Estimated, of all instructions that a request begins with."""
_HEADER = "Instructions for what this conversation is about (skill {name}):"
_CUT = "[The rest of these instructions is left out here.]"


def loaded(record: TurnRecord, journal: Journal) -> tuple[str, ...]:
    """Names of the skills that the turn works by, the one that was loaded last at the end."""
    newest_first = [*(result.skill for result in reversed(results(journal))), *reversed(record.known.loaded)]
    return tuple(reversed(dict.fromkeys(name for name in newest_first if name)))


def hidden(agent: Agent, tools: Toolset) -> frozenset[str]:
    """Names of the tools that come with a skill alone: some skill of the agent's names them, and its always_shown does
    not."""
    by_pair = _by_pair(tools)
    open_ = own(agent.always_shown, by_pair)
    return frozenset(name for pair in own(_patterns(agent, None), by_pair) - open_ if (name := by_pair[pair]))


def tools_of(agent: Agent, names: Iterable[str], tools: Toolset) -> tuple[str, ...]:
    """Names of the tools that come with these skills, in the order of the tools."""
    by_pair = _by_pair(tools)
    wanted = {by_pair[pair] for pair in own(_patterns(agent, set(names)), by_pair)}
    return tuple(name for name in tools.names if name in wanted)


def _by_pair(tools: Toolset) -> dict[Pair, str]:
    return {(tool.server, tool.original_name): tool.name for tool in tools if tool.server}


def _patterns(agent: Agent, names: set[str] | None) -> list[str]:
    return [entry for head in agent.skills if names is None or head.name in names for entry in head.tools]


def opening(record: TurnRecord, journal: Journal) -> ModelAnswer | None:
    """The answer that loads the skill which the message is plainly for, before the model is asked anything."""
    if not record.skill or answers(journal):
        return None
    call = ToolCall(id="call_0_0", name=invoke_skill.TOOL.name, arguments={"name": record.skill})
    return ModelAnswer(author="platform", text="", calls=(call,))


def instructed(agent: Agent, skills: Sequence[Skill]) -> Agent:
    """The agent with the skills' instructions behind its own, those loaded last whole first."""
    room, parts = CARRIED_TOKENS, list[str]()
    for skill in reversed(skills):
        told = skill.told
        if estimate(told) > room:
            told = f"{told[: reach(told, 0, room)]}\n{_CUT}" if room > 0 else _CUT
        room -= estimate(told)
        parts.insert(0, f"{_HEADER.format(name=skill.name)}\n\n{told}")
    return agent.model_copy(update={"instructions": "\n\n".join((agent.instructions, *parts))}) if parts else agent
