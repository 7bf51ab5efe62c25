"""What a call came to."""

from typing import Literal

from turnkey.values import Value


class CallOutcome(Value):
    """`unknown`: sent, but no answer came; it may have happened."""

    status: Literal["ok", "error", "unknown"]
    text: str
    start: int = 0
    """Where to show it from: what read_more was asked for."""
    handle: str = ""
    """The handle of the result that this is the rest of, if it is."""
