"""A tenant's MCP server as it was found at registration. A turn works from this, it never lists tools."""

import hashlib
import json
from typing import Any, Literal

from pydantic import Field

from turnkey import ids
from turnkey.tools import CardFields, Hints, JsonObject, Tool, ToolKind
from turnkey.values import Value


class ToolDefinition(Value):
    """One tool of the snapshot: the server's own words."""

    name: str
    title: str = ""
    description: str = ""
    input_schema: JsonObject
    output_schema: JsonObject | None = None
    hints: Hints = Hints()
    kind: ToolKind = Field(default="action", description="as inferred; the tenant's correction goes before it")


class ToolCorrection(Value):
    """What the tenant says of one tool, by the server's own name for it. Empty fields leave what was found."""

    kind: ToolKind | None = None
    fields: CardFields = CardFields()
    words: tuple[str, ...] = ()


class Registration(Value):
    """How to reach a server, and what it offered when it was registered."""

    name: ids.Name
    transport: Literal["streamable_http"] = "streamable_http"
    url: str
    token_secret: str = Field(default="", description="name of the secret with the bearer token, never the token")
    mode: str = Field(default="auto", description="connection mode that worked: a protocol version, or legacy")
    protocol: str = ""
    discovered: dict[str, Any] | None = Field(default=None, description="the server's discovery answer, to skip it")
    tools: tuple[ToolDefinition, ...] = ()
    corrections: dict[str, ToolCorrection] = {}

    @property
    def fingerprint(self) -> str:
        """Hash of the tool definitions: the same tools give the same value, whatever their order."""
        tools = sorted((tool.model_dump(mode="json") for tool in self.tools), key=lambda tool: tool["name"])
        return hashlib.sha256(json.dumps(tools, sort_keys=True).encode()).hexdigest()


def to_tool(registration: Registration, model_name: str, definition: ToolDefinition, parameters: JsonObject) -> Tool:
    """The tool a turn can show, under a name and a schema that model endpoints accept."""
    correction = registration.corrections.get(definition.name, ToolCorrection())
    return Tool(
        name=model_name,
        server=registration.name,
        original_name=definition.name,
        title=definition.title,
        # Some endpoints refuse an empty description.
        description=definition.description or definition.title or definition.name,
        parameters=parameters,
        output_schema=definition.output_schema,
        hints=definition.hints,
        kind=correction.kind or definition.kind,
        fields=correction.fields,
        words=correction.words,
    )
