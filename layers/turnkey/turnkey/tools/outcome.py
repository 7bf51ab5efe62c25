"""What a call came to."""

from typing import Literal

from turnkey.values import Value


class CallOutcome(Value):
    """`unknown`: sent, but no answer came; it may have happened."""

    status: Literal["ok", "error", "unknown"]
    text: str
