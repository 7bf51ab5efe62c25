"""What can go wrong with a tenant's server, told apart by class. Plain: telling them apart from the SDK's errors is
transport's business."""

from typing import Literal

from pydantic import Field

from turnkey.errors import TenantMisconfigured
from turnkey.values import Value

FailureKind = Literal[
    "AddressRefused",
    "RedirectRefused",
    "Unreachable",
    "TimedOut",
    "AuthFailed",
    "NotFound",
    "RateLimited",
    "ServerError",
    "InvalidAnswer",
    "TooLarge",
    "SessionLost",
    "ToolGone",
    "Refused",
    "UnknownServer",
]
"""AuthFailed: 401, 403, or no token to be had. ServerError: 5xx. InvalidAnswer: no JSON-RPC, or broken off midway.
SessionLost: the server forgot us. ToolGone: it no longer has the tool. Refused: it said no in its own words.
UnknownServer: the operator's catalogue has none of that name."""


class Failure(Value):
    """One failure. `message` says what, where and what to do, and repeats no secret."""

    kind: FailureKind
    message: str
    http_status: int = Field(default=0, description="0 where no HTTP answer came")
    retry_after: float | None = Field(default=None, description="seconds the server asked to be left alone")


class ServerFailed(TenantMisconfigured):
    """A server could not be used."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure
