"""invoke_skill: loads the instructions, and the tools, that the tenant has written down for a task; reads its files."""

from collections.abc import Iterator, Sequence

from turnkey.skills.skill import Skill
from turnkey.tools.builtins.builtin import Builtin
from turnkey.tools.builtins.situation import Situation, SkillHead
from turnkey.tools.tool import MAX_DESCRIPTION, Hints, JsonObject, Tool, shortened

_ABOUT = (
    "Load the instructions that were written for a task, and the tools that go with them, before you answer or act on "
    "such a request. Do not load one that has nothing to do with it."
)
_FILE: JsonObject = {
    "type": "string",
    "maxLength": 300,
    "description": "Only to read one of a loaded skill's files: its path, as the instructions name it",
}
TOOL = Tool(
    name="invoke_skill",
    server="",
    original_name="invoke_skill",
    title="Use a skill",
    description=_ABOUT,
    parameters={
        "type": "object",
        "properties": {"name": {"type": "string", "description": "The skill's name"}, "file": _FILE},
        "required": ["name"],
    },
    hints=Hints(read_only=True, destructive=False, idempotent=True),
    kind="lookup",
)
_LEAST_LINE = 110
"""Characters below which a line tells too little."""


def has_reason(situation: Situation) -> bool:
    """Whether the agent has a skill that is not loaded yet and something is asked for, or a loaded one has files to
    read."""
    loaded = _loaded(situation)
    if any(skill.has_files and skill.name in loaded for skill in situation.known.skills):
        return True
    if any(getattr(step, "skill", "") for step in situation.steps):
        # Endpoints want the definition of what the conversation has a call of.
        return True
    return len(loaded) < len(situation.known.skills) and _asks(situation)


def _asks(situation: Situation) -> bool:
    # A cold start should not pay for it where there are no skills.
    from turnkey.reading.skills import ends_with_a_question, tells

    if not situation.messages or any(tells(message) for message in situation.messages):
        # Without a message the turn is for a task that was put off.
        return True
    said = next((text for who, text in reversed(situation.before) if who == "customer"), "")
    return ends_with_a_question(situation.asked) and tells(said)


def shown(tool: Tool, situation: Situation) -> Tool:
    """With the names of all skills, and a line each on those that are not loaded, as many as there is room for: the
    likeliest come first (turnkey.turn.carrying)."""
    skills, loaded = situation.known.skills, _loaded(situation)
    waiting = [skill for skill in skills if skill.name not in loaded]
    properties: JsonObject = {
        "name": {"type": "string", "enum": [skill.name for skill in skills], "description": "The skill's name"}
    }
    if any(skill.has_files and skill.name in loaded for skill in skills):
        properties["file"] = _FILE
    description = "\n".join((_ABOUT, *_lines(waiting, MAX_DESCRIPTION - len(_ABOUT))))
    parameters = {**tool.parameters, "properties": properties}
    return tool.model_copy(update={"description": description, "parameters": parameters})


def _loaded(situation: Situation) -> set[str]:
    in_turn = {getattr(step, "skill", "") for step in situation.steps}
    return {skill.name for skill in situation.known.skills if skill.name in {*situation.known.loaded, *in_turn}}


def _lines(skills: Sequence[SkillHead], room: int) -> Iterator[str]:
    """A fair share of the room each, as long as that tells something."""
    described = [skill for skill in skills if skill.description]
    for place, skill in enumerate(described):
        share = min(room, max(_LEAST_LINE, room // (len(described) - place)))
        if share < _LEAST_LINE:
            return
        line = shortened(f"- {skill.name}: {skill.description}", share - 1)
        room -= len(line) + 1
        yield line


def told(skill: Skill, tools: Sequence[str]) -> str:
    """What a call returns that loads it."""
    arrived = f"Tools that come with it, to be called from now on: {', '.join(tools)}\n\n" if tools else ""
    return f"Skill {skill.name} is loaded. Follow its instructions:\n\n{arrived}{skill.told}"


def loaded_already(name: str) -> str:
    return f"Skill {name} is loaded already: follow its instructions."


def too_many(names: Sequence[str]) -> str:
    return f"{', '.join(names)} are loaded: no more can be in one turn. Go on with these."


def no_skill(name: str, names: Sequence[str]) -> str:
    return f"There is no skill {name[:64]!r}. Skills there are: {', '.join(names) or 'none'}."


def no_file(path: str, skill: Skill) -> str:
    files = ", ".join(skill.files) or "none"
    return f"Skill {skill.name} has no file {path[:200]!r}. Its files are: {files}."


BUILTIN = Builtin(TOOL, has_reason, "tool_loop", shown)
