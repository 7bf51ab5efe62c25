"""The trust record: a tool is shown in turns only while its definition is the one that the tenant approved."""

from collections.abc import Iterable
from typing import Literal

from pydantic import Field

from turnkey import ids
from turnkey.mcp.registration import Registration, ToolDefinition, approved_as_found
from turnkey.values import Value


class HeldTool(Value):
    """A tool that waits for the tenant's approval."""

    name: str
    change: Literal["new", "changed"]


class Remembered(Value):
    """Of one server: definitions as the tenant approved them, of tools that are now other than that, or gone. What a
    change is shown against."""

    name: ids.Name = Field(description="the server's")
    tools: tuple[ToolDefinition, ...] = ()


def carry_over(before: Registration | None, found: Registration) -> Registration:
    """What was found, with the approvals there were. A server that is new, or in another place, is approved as it is
    found: whoever registers it has just seen it."""
    if before is None or (before.transport, before.place) != (found.transport, found.place):
        return approved_as_found(found)
    return found.model_copy(update={"approved": before.approved})


def held(registration: Registration) -> tuple[HeldTool, ...]:
    """Of the tools that the tenant allows, those that wait."""
    return tuple(
        HeldTool(name=tool.name, change="changed" if tool.name in registration.approved else "new")
        for tool in registration.tools
        if registration.allows(tool.name) and registration.holds(tool)
    )


def approve(registration: Registration, names: Iterable[str]) -> Registration:
    """With these tools approved as they are now. Names that the server does not have change nothing."""
    wanted = set(names)
    given = {tool.name: tool.digest for tool in registration.tools if tool.name in wanted}
    return registration.model_copy(update={"approved": {**registration.approved, **given}})


def remembered(before: Registration, after: Registration, known: Remembered | None = None) -> Remembered:
    """What is to be remembered once `after` stands in place of `before`; `known` is what was remembered before."""
    tools = (*(known.tools if known else ()), *before.tools)
    unchanged = {tool.name for tool in after.tools if not after.holds(tool)}
    approved = {tool.name: tool for tool in tools if after.approved.get(tool.name) == tool.digest}
    return Remembered(name=after.name, tools=tuple(approved[name] for name in sorted(approved.keys() - unchanged)))


def with_missing(before: Registration, found: Registration, unreadable: Iterable[str] = ()) -> Registration:
    """What was found and, of what there was before, the tools that were not in the list. For a list that says nothing
    about them: it was cut, or it is empty. Tools that are listed and cannot be read are not what they were."""
    listed = {*unreadable, *(tool.name for tool in found.tools)}
    missing = (tool for tool in before.tools if tool.name not in listed)
    return found.model_copy(update={"tools": (*found.tools, *missing)})
