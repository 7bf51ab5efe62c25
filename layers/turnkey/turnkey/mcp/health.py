"""What was last seen of a server: found when a manifest is applied, and at each refresh."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from turnkey import ids
from turnkey.values import Value

Status = Literal["ok", "degraded", "auth_failed", "unreachable", "changed"]


class Health(Value):
    """Of one registered server."""

    name: ids.Name = Field(description="the server's")
    status: Status
    error: str = Field(default="", description="class of the failure, such as TimedOut")
    http_status: int = 0
    problem: str = Field(default="", description="in words, with what to do")
    notes: tuple[str, ...] = Field(default=(), description="what keeps it from being ok, held tools apart")
    held: tuple[str, ...] = Field(default=(), description="tools that wait for the tenant's approval")
    milliseconds: int = Field(default=0, description="for connecting and listing")
    checked_at: datetime
