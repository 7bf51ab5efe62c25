"""What a tenant is told of its servers. Plain."""

from typing import Literal

from pydantic import Field

from turnkey.mcp.differences import Difference, differences
from turnkey.mcp.health import Health
from turnkey.mcp.registration import Registration, ToolDefinition
from turnkey.mcp.trust import Remembered, held
from turnkey.mcp.wording import Flag, flags
from turnkey.tools import Hints, JsonObject
from turnkey.values import Value


class HeldReport(Value):
    """A tool that waits for approval, as its server describes it now. Its words are data: nobody has looked at them."""

    tool: str
    change: Literal["new", "changed"]
    digest: str
    title: str
    description: str
    parameters: JsonObject
    hints: Hints
    differences: tuple[Difference, ...] = Field(default=(), description="of a changed one, from what was approved")
    flags: tuple[Flag, ...] = Field(default=(), description="what in its words is not for a model to read")


class ServerStatus(Value):
    """`health` is None for a server that was never looked at since it was registered."""

    tenant: str
    server: str
    place: str
    health: Health | None
    usable: tuple[str, ...] = Field(description="tools that turns may show")
    held: tuple[HeldReport, ...] = ()
    gone: tuple[str, ...] = Field(default=(), description="approved, and no longer listed by the server")


def status(
    tenant: str, registration: Registration, health: Health | None, remembered: Remembered | None
) -> ServerStatus:
    """Of one server."""
    before = {tool.name: tool for tool in (remembered.tools if remembered else ())}
    found = {tool.name: tool for tool in registration.tools}
    return ServerStatus(
        tenant=tenant,
        server=registration.name,
        place=registration.place,
        health=health,
        usable=tuple(tool.name for tool in registration.usable),
        held=tuple(
            _held(found[waiting.name], waiting.change, before.get(waiting.name)) for waiting in held(registration)
        ),
        gone=tuple(name for name in sorted(registration.approved) if name not in found and registration.allows(name)),
    )


def _held(tool: ToolDefinition, change: Literal["new", "changed"], before: ToolDefinition | None) -> HeldReport:
    return HeldReport(
        tool=tool.name,
        change=change,
        digest=tool.digest,
        title=tool.title,
        description=tool.description,
        parameters=tool.input_schema,
        hints=tool.hints,
        differences=differences(before, tool) if before else (),
        flags=flags(tool),
    )
