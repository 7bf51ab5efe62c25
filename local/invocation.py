"""What every way of running a function has in common: a name and JSON go in, an `Outcome` comes out.

`Dispatch` is the seam between the emulated services and whatever runs the handlers: processes on this machine
(`local.workers`), SAM's containers, or a script in a test.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

# Lambda's limit on a synchronous request and on its response.
PAYLOAD_LIMIT_BYTES = 6 * 1024 * 1024


@dataclass(frozen=True)
class Outcome:
    """What an invocation came to.

    `payload` is JSON: the handler's return value, or, when `failed`, Lambda's error object
    (`errorType`, `errorMessage`, `stackTrace`).
    """

    payload: bytes
    failed: bool = False


# (function name, event as JSON) -> outcome. Blocks until the function ends; called from many threads at once.
# A failing function is an `Outcome`; an unknown name raises `UnknownFunction`.
Dispatch = Callable[[str, bytes], Outcome]


class UnknownFunction(LookupError):
    """No function of that name is deployed."""


def failure(error_type: str, message: str, trace: Sequence[str] = ()) -> Outcome:
    """The outcome of a function that failed, as Lambda reports it."""
    error = {"errorType": error_type, "errorMessage": message, "stackTrace": list(trace)}
    return Outcome(json.dumps(error).encode(), failed=True)


def plain_name(function: str) -> str:
    """The name in a function's name, ARN or partial ARN, with or without a qualifier."""
    if ":function:" in function:
        function = function.split(":function:", 1)[1]
    return function.split(":", 1)[0]
