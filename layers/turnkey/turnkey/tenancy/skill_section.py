"""The part of a manifest that gives skills."""

from pydantic import Field

from turnkey.skills.limits import FILES
from turnkey.values import Value


class SkillSection(Value):
    """A skill by the Agent Skills convention: the path of its folder, or the texts of its files."""

    path: str = Field(
        default="",
        max_length=1000,
        description="its folder, from where the manifest lies; the turnkey command reads it and sends its files",
        examples=["./skills/refunds"],
    )
    folder: str = Field(
        default="", max_length=255, description="the folder's name, where its files are given", examples=["refunds"]
    )
    files: dict[str, str] = Field(
        default={},
        max_length=FILES + 1,
        description="the texts of its files by their paths in the folder; SKILL.md is one of them",
        examples=[{"SKILL.md": "---\nname: refunds\ndescription: Gives money back.\n---\nAsk for the order.\n"}],
    )
