"""All that is visible of a skill before it is loaded."""

from pydantic import Field

from turnkey.values import Value


class SkillHead(Value):
    """It stands with the agent that has the skill, so that a turn reads nothing more for it."""

    name: str
    description: str
    tools: tuple[str, ...] = Field(default=(), description="patterns of the tools that arrive with it")
    has_files: bool = False
