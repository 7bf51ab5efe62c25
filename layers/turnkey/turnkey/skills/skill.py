"""A skill as it is kept, and what a model is told of it."""

from pydantic import Field

from turnkey.skills.head import SkillHead
from turnkey.values import Value

BODY = "SKILL.md"
"""The file that every skill has."""


class Skill(Value):
    """`body` are its instructions, `files` the texts of its further files by their paths in the folder."""

    name: str
    description: str
    license: str = ""
    compatibility: str = ""
    metadata: dict[str, str] = {}
    tools: tuple[str, ...] = Field(default=(), description="allowed-tools, as they are written")
    body: str
    files: dict[str, str] = {}

    @property
    def head(self) -> SkillHead:
        return SkillHead(name=self.name, description=self.description, tools=self.tools, has_files=bool(self.files))

    @property
    def told(self) -> str:
        """Its instructions, with what there is to read beside them."""
        if not self.files:
            return self.body
        return f"{self.body}\n\n{_FILES.format(name=self.name)}\n" + "\n".join(f"- {path}" for path in self.files)

    def find(self, path: str) -> str | None:
        """The text of one of its files, however a model writes its path."""
        wanted = path.strip().removeprefix("./").removeprefix(f"{self.name}/")
        return self.body if wanted == BODY else self.files.get(wanted)


_FILES = "Files of this skill, each read with invoke_skill (name {name}, file). Scripts can be read; nothing runs them:"
