"""What a call came to."""

from typing import Literal

from turnkey.values import Value


class CallOutcome(Value):
    """`unknown`: sent, but no answer came; it may have happened. `unconfirmed`: not sent, the customer's word is needed
    first."""

    status: Literal["ok", "error", "unknown", "unconfirmed"]
    text: str
    start: int = 0
    """Where to show it from: what read_more was asked for."""
    handle: str = ""
    """The handle of the result that this is the rest of, if it is."""
    error: str = ""
    """Class of the failure where a server could not be used (turnkey.mcp.failures.FailureKind)."""
