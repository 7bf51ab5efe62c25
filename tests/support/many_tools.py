"""Tools as tenants of many trades would describe them (tests/cases/relevance/tools.tsv), in any number."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from turnkey.mcp.registration import Registration, ToolDefinition, approved_as_found
from turnkey.tools import Hints, ToolKind

CASES = Path("tests/cases/relevance")
_READ = Hints(read_only=True, destructive=False, idempotent=True)
_ACTING = ("create", "update", "cancel", "book", "send", "change", "reserve", "record", "order", "add", "merge", "set")


class Asked(NamedTuple):
    """A message in a language, and the tool that it is about."""

    language: str
    message: str
    tool: str


@cache
def described() -> tuple[tuple[str, str, str, dict[str, Any]], ...]:
    """Name, title, description and schema of each tool."""
    rows = (line.split("\t") for line in (CASES / "tools.tsv").read_text(encoding="utf-8").splitlines())
    return tuple((name, title, text, _schema(parameters)) for name, title, text, parameters in rows)


def _schema(parameters: str) -> dict[str, Any]:
    pairs = [part.split(":", 1) for part in parameters.split(";")]
    properties = {name.strip(): {"type": "string", "description": text.strip()} for name, text in pairs}
    return {"type": "object", "properties": properties, "required": list(properties)[:1]}


def asked(name: str) -> list[Asked]:
    """The messages of a file of cases."""
    lines = (CASES / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    return [Asked(*line.split("\t")) for line in lines]


def definitions(count: int) -> tuple[ToolDefinition, ...]:
    """Beyond those described they come again, a little different."""
    found: list[ToolDefinition] = []
    for number in range(count):
        name, title, text, schema = described()[number % len(described())]
        round_ = number // len(described())
        again = f" {round_}" if round_ else ""
        definition = ToolDefinition(
            name=f"{name}{again.replace(' ', '_')}",
            title=f"{title}{again}",
            description=f"{text}{again}",
            input_schema=schema,
            hints=Hints() if _acts(name) else _READ,
            kind=_kind(name, title),
        )
        found.append(definition)
    return tuple(found)


def _acts(name: str) -> bool:
    return any(verb in name.lower() for verb in _ACTING)


def _kind(name: str, title: str) -> ToolKind:
    if _acts(name):
        return "action"
    return "items" if any(verb in title.lower() for verb in ("list", "search", "find", "show")) else "lookup"


def server(count: int, name: str = "s") -> Registration:
    """A registered server with so many tools, all of them approved."""
    address = "https://s.example.com/mcp"
    return approved_as_found(Registration(name=name, url=address, tools=definitions(count)))


def offered(count: int) -> list[dict[str, Any]]:
    """The same as a server lists them."""
    return [
        {
            "name": tool.name,
            "title": tool.title,
            "description": tool.description,
            "inputSchema": tool.input_schema,
            "annotations": {"readOnlyHint": tool.hints.read_only},
        }
        for tool in definitions(count)
    ]
