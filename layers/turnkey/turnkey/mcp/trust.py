"""The trust record: a tool is shown in turns only while its definition is the one that the tenant approved."""

from collections.abc import Iterable
from typing import Literal

from turnkey.mcp.registration import Registration, approved_as_found
from turnkey.values import Value


class HeldTool(Value):
    """A tool that waits for the tenant's approval."""

    name: str
    change: Literal["new", "changed"]


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
