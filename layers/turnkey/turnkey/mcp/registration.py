"""A tenant's MCP server as it was found at registration. A turn works from this, it never lists tools."""

import hashlib
import json
from typing import Any, Literal

from pydantic import Field

from turnkey import ids
from turnkey.mcp.auth import Auth, NoAuth
from turnkey.mcp.cleaning import clean, clean_schema
from turnkey.tools import CardFields, Hints, JsonObject, Tool, ToolKind
from turnkey.values import Value

Transport = Literal["streamable_http", "sse", "stdio"]


class ToolDefinition(Value):
    """One tool of the snapshot: the server's own words."""

    name: str
    title: str = ""
    description: str = ""
    input_schema: JsonObject
    output_schema: JsonObject | None = None
    hints: Hints = Hints()
    kind: ToolKind = Field(default="action", description="as inferred; the tenant's correction goes before it")
    as_task: bool = Field(default=False, description="the server runs it as a task only, whose result is fetched")

    @property
    def digest(self) -> str:
        """Hash of the server's own words: what the tenant approves. What we infer from them is not in it."""
        words = self.model_dump(mode="json", exclude={"kind", "as_task"})
        return hashlib.sha256(json.dumps(words, sort_keys=True).encode()).hexdigest()


class ToolCorrection(Value):
    """What the tenant says of one tool, by the server's own name for it. Empty fields leave what was found."""

    title: str = ""
    kind: ToolKind | None = None
    fields: CardFields = CardFields()
    words: tuple[str, ...] = ()
    read_only: bool | None = None
    idempotent: bool | None = None
    confirm: bool = Field(default=False, description="called only once the customer has agreed to this very call")


class ServerTimeouts(Value):
    """In seconds, each for the whole step."""

    connect: float = Field(default=10, gt=0, le=60, description="until hands are shaken")
    list: float = Field(default=30, gt=0, le=60, description="connecting and all pages of tools")
    call: float | None = Field(default=None, gt=0, le=120, description="left out: the agent's call_seconds")


class Registration(Value):
    """How to reach a server, and what it offered when it was registered."""

    name: ids.Name
    transport: Transport = "streamable_http"
    url: str = Field(default="", description="of a remote server")
    catalogue: str = Field(default="", description="the operator's name of a stdio server")
    settings_secret: str = Field(default="", description="name of the secret with a stdio server's settings, as JSON")
    auth: Auth = NoAuth()
    timeouts: ServerTimeouts = ServerTimeouts()
    allowed: tuple[str, ...] | None = Field(default=None, description="the server's own names of tools; None: all")
    mode: str = Field(default="auto", description="connection mode that worked: a protocol version, or legacy")
    protocol: str = ""
    discovered: dict[str, Any] | None = Field(default=None, description="the server's discovery answer, to skip it")
    tools: tuple[ToolDefinition, ...] = ()
    approved: dict[str, str] = Field(default={}, description="digest of each tool as the tenant approved it, by name")
    corrections: dict[str, ToolCorrection] = {}

    @property
    def fingerprint(self) -> str:
        """Hash of the tool definitions: the same tools give the same value, whatever their order."""
        tools = sorted((tool.model_dump(mode="json") for tool in self.tools), key=lambda tool: tool["name"])
        return hashlib.sha256(json.dumps(tools, sort_keys=True).encode()).hexdigest()

    @property
    def usable(self) -> tuple[ToolDefinition, ...]:
        """Tools a turn may show: allowed by the tenant, and the same as those it approved."""
        return tuple(tool for tool in self.tools if self.allows(tool.name) and not self.holds(tool))

    def allows(self, name: str) -> bool:
        return self.allowed is None or name in self.allowed

    def holds(self, tool: ToolDefinition) -> bool:
        """Whether the tool waits for the tenant's approval: it is new, or not what it was."""
        return self.approved.get(tool.name) != tool.digest

    @property
    def place(self) -> str:
        """Where the server is, for people."""
        return self.url or f"stdio:{self.catalogue}"


def approved_as_found(registration: Registration) -> Registration:
    """The registration with all its tools approved as they are now."""
    return registration.model_copy(update={"approved": {tool.name: tool.digest for tool in registration.tools}})


def to_tool(registration: Registration, model_name: str, definition: ToolDefinition, parameters: JsonObject) -> Tool:
    """The tool a turn can show, under a name and a schema that model endpoints accept."""
    correction = registration.corrections.get(definition.name, ToolCorrection())
    return Tool(
        name=model_name,
        server=registration.name,
        original_name=definition.name,
        title=clean(correction.title or definition.title),
        # Some endpoints refuse an empty description.
        description=clean(definition.description).strip() or clean(definition.title).strip() or definition.name,
        parameters=clean_schema(parameters),
        input_schema=definition.input_schema,
        output_schema=definition.output_schema,
        hints=_hints(definition.hints, correction),
        kind=correction.kind or definition.kind,
        fields=correction.fields,
        words=correction.words,
        confirm=correction.confirm,
    )


def _hints(found: Hints, correction: ToolCorrection) -> Hints:
    said = {"read_only": correction.read_only, "idempotent": correction.idempotent}
    return found.model_copy(update={name: value for name, value in said.items() if value is not None})
