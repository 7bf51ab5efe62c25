"""What is known of each tool for choosing among them: worked out once, and only of the kinds that are asked for."""

from functools import cached_property

from turnkey.mcp import schemas
from turnkey.reading.entities import listed_values
from turnkey.reading.references import EXAMPLE, shape
from turnkey.reading.roles import role
from turnkey.reading.shelf import Shown, shelf
from turnkey.reading.subject import spaced
from turnkey.reading.words import concepts, words
from turnkey.tools import Tool, ToolKind, Toolset

Stems = frozenset[str]


class Profile:
    """One tool."""

    def __init__(self, tool: Tool, shown: Shown) -> None:
        self.tool = tool
        self.named = shown.named
        self.spoken = shown.spoken

    @cached_property
    def own(self) -> frozenset[str]:
        """Concepts of its name and title, without their kin."""
        return concepts(f"{spaced(self.tool.name)}. {self.tool.title}")

    @cached_property
    def name_stems(self) -> Stems:
        return frozenset(words(f"{spaced(self.tool.name)} {self.tool.title}"))

    @cached_property
    def description_stems(self) -> Stems:
        return frozenset(words(self.tool.description))

    @cached_property
    def tenants_words(self) -> tuple[Stems, ...]:
        """The stems of each of the tenant's own words for it."""
        return tuple(stems for word in self.tool.words if (stems := frozenset(words(word))))

    @cached_property
    def required(self) -> frozenset[str]:
        return frozenset(schemas.required(self.tool.parameters))

    @cached_property
    def takes_a_day(self) -> bool:
        return any(role(name, schema) == "day" for name, schema in schemas.present(self.tool.parameters).items())

    @cached_property
    def id_shapes(self) -> frozenset[str]:
        """Shapes of the ids that its arguments give examples of."""
        examples = (
            EXAMPLE.search(str(schema.get("description", "")))
            for name, schema in schemas.present(self.tool.parameters).items()
            if role(name, schema) == "id"
        )
        return frozenset(shape(example[1]) for example in examples if example)

    @cached_property
    def listed(self) -> tuple[tuple[Stems, ...], ...]:
        """Of each argument that lists its values, the stems of each value."""
        lists = (listed_values(schema) for schema in schemas.present(self.tool.parameters).values())
        return tuple(tuple(frozenset(words(value)) for value in values) for values in lists if values)


def profiles(tools: Toolset) -> dict[ToolKind, list[Profile]]:
    """By kind, in the order of the tools."""
    return tools.derived(_profiles)


def _profiles(tools: Toolset) -> dict[ToolKind, list[Profile]]:
    found: dict[ToolKind, list[Profile]] = {}
    for tool, shown in zip(tools, shelf(tools).tools, strict=True):
        found.setdefault(tool.kind, []).append(Profile(tool, shown))
    return found
